import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overtakenBy } from '../../../../test/held_table.ts'
import { openScene } from '../../../../test/scene.ts'
import { projectsById } from '../../../spaces/projects/queries.ts'
import { issueById } from '../../issues/queries.ts'
import { promoteIssueToEpic } from './commands.ts'

const scene = await openScene()

/** An epic, and issues in a project of its group. */
async function withIssues(names: readonly string[]) {
  const { group, owner } = await scene.group()
  const { project, guest, reporter } = await scene.project({ group, owner, members: ['guest', 'reporter'] })
  const epic = (await owner.post(`${group.url}/epics`, { title: 'Harbour' })).body
  const issues: Record<string, { id: number; iid: number }> = {}
  for (const title of names) issues[title] = (await owner.post(`${project.url}/issues`, { title })).body
  const url = `${group.url}/epics/${epic.iid}/issues`
  const titles = async () => (await owner.get(url)).body.map((issue: { title: string }) => issue.title)
  return { group, project, owner, guest, reporter, epic, issues, url, titles }
}

test('an issue is added to an epic, shows it, and is removed', async () => {
  const { group, project, owner, epic, issues, url, titles } = await withIssues(['a'])

  const assigned = await owner.post(`${url}/${issues.a!.id}`)
  assert.deepEqual([assigned.status, assigned.body.epic.id, assigned.body.issue.id], [201, epic.id, issues.a!.id])
  const shown = (await owner.get(`${project.url}/issues/1`)).body
  assert.deepEqual(shown.epic, { id: epic.id, iid: 1, title: 'Harbour', url: `/groups/${group.full_path}/-/epics/1`, group_id: group.id })
  assert.equal(shown.epic_iid, 1)
  const [listed] = (await owner.get(url)).body
  assert.deepEqual([listed.epic_issue_id, listed.relative_position, listed.subscribed], [assigned.body.id, 0, true])

  const removed = await owner.delete(`${url}/${listed.epic_issue_id}`)
  assert.deepEqual([removed.status, removed.body.issue.epic], [200, null])
  assert.deepEqual(await titles(), [])
  assert.equal((await owner.delete(`${url}/${listed.epic_issue_id}`)).status, 404)
})

test('an issue has at most one epic', async () => {
  const { group, owner, issues, url, titles } = await withIssues(['a'])
  await owner.post(`${url}/${issues.a!.id}`)
  await owner.post(`${group.url}/epics`, { title: 'Quay' })
  await owner.post(`${group.url}/epics/2/issues/${issues.a!.id}`)
  assert.deepEqual(await titles(), [])
  assert.equal((await owner.put(`${url}/${issues.a!.id}`, {})).status, 404)
})

test('issues of an epic can be ordered', async () => {
  const { owner, issues, url, titles } = await withIssues(['a', 'b', 'c'])
  for (const { id } of Object.values(issues)) await owner.post(`${url}/${id}`)
  assert.deepEqual(await titles(), ['a', 'b', 'c'])

  const moved = await owner.put(`${url}/${issues.a!.id}`, { move_before_id: issues.b!.id })

  assert.deepEqual(
    moved.body.map((issue: { title: string; relative_position: number }) => [issue.title, issue.relative_position]),
    [
      ['b', 0],
      ['a', 1],
      ['c', 2],
    ],
  )
  await owner.put(`${url}/${issues.c!.id}`, { move_after_id: issues.b!.id })
  assert.deepEqual(await titles(), ['c', 'b', 'a'])
  assert.equal((await owner.put(`${url}/${issues.c!.id}`, { move_after_id: 0 })).status, 400)
})

const NOT_FOUND = { status: 404, body: { message: '404 Issue Not Found' } }

const { database } = scene.deps

/** What a request answers that waits for these statements of a transaction: a lock and a change, or a change alone. */
const besideChange = <T>([first, then]: readonly string[], request: () => Promise<T>): Promise<T> =>
  overtakenBy(database, [first!, []], request, then === undefined ? undefined : [then, []])

test('an issue that is removed while it is moved is not found in the epic (no order of the two gives it a place)', async () => {
  const { owner, epic, issues, url, titles } = await withIssues(['a', 'b', 'c'])
  for (const { id } of Object.values(issues)) await owner.post(`${url}/${id}`)
  const { id } = issues.a!

  const moved = await besideChange(
    [`select from epics where id = ${epic.id} for no key update`, `update issues set epic_id = null, epic_position = 0 where id = ${id}`],
    () => owner.put(`${url}/${id}`, { move_before_id: issues.b!.id }),
  )

  assert.deepEqual(moved, NOT_FOUND)
  const { rows } = await database.pool.query('select epic_position from issues where id = $1', [id])
  assert.deepEqual(rows, [{ epic_position: 0 }])
  assert.deepEqual(await titles(), ['b', 'c'])
})

test('an issue that comes into another epic while it is removed stays there', async () => {
  const { group, owner, issues, url } = await withIssues(['a'])
  await owner.post(`${url}/${issues.a!.id}`)
  const { body: other } = await owner.post(`${group.url}/epics`, { title: 'Quay' })

  const removed = await besideChange([`update issues set epic_id = ${other.id} where id = ${issues.a!.id}`], () =>
    owner.delete(`${url}/${issues.a!.id}`),
  )

  assert.deepEqual(removed, NOT_FOUND)
  assert.equal((await owner.get(`${group.url}/epics/2/issues`)).body.length, 1)
})

test('an issue that comes into an epic beside another one stands after it', async () => {
  const { project, owner, epic, issues, url, titles } = await withIssues(['a', 'b', 'c'])
  const entry = (title: string, position: number) => [
    `select from epics where id = ${epic.id} for no key update`,
    `update issues set epic_id = ${epic.id}, epic_position = ${position} where id = ${issues[title]!.id}`,
  ]

  const added = await besideChange(entry('c', 0), () => owner.post(`${url}/${issues.a!.id}`))
  const made = await besideChange(entry('b', 2), () => owner.post(`${project.url}/issues`, { title: 'd', epic_id: epic.id }))

  assert.deepEqual([added.status, made.status], [201, 201])
  assert.deepEqual(await titles(), ['c', 'a', 'b', 'd'])
  const places = (await owner.get(url)).body.map((issue: { relative_position: number }) => issue.relative_position)
  assert.deepEqual(places, [0, 1, 2, 3])
})

test('an epic that becomes confidential meanwhile takes no open issue', async () => {
  const { owner, epic, issues, url, titles } = await withIssues(['a'])

  const added = await besideChange([`update epics set confidential = true where id = ${epic.id}`], () =>
    owner.post(`${url}/${issues.a!.id}`),
  )

  assert.equal(added.status, 400)
  assert.deepEqual(await titles(), [])
})

test('confidential issues of an epic are visible only to users who may see them (decision 34)', async () => {
  const { project, owner, guest, url } = await withIssues([])
  const secret = (await owner.post(`${project.url}/issues`, { title: 'secret', confidential: true })).body
  await owner.post(`${url}/${secret.id}`)

  const seen = await guest.get(url)
  assert.deepEqual([seen.status, seen.body, seen.headers['x-total']], [200, [], '0'])
})

test('filters by epic do not tell of an epic that the caller may not see', async () => {
  // The reporter is a member of the project alone: the confidential issue is theirs to read, the epic of the group is not.
  const { group, project, owner, reporter, epic } = await withIssues([])
  await owner.put(`${group.url}/epics/1`, { confidential: true })
  const issue = await owner.post(`${project.url}/issues`, { title: 'secret', confidential: true, epic_id: epic.id })
  assert.equal(issue.body.epic.id, epic.id)
  const filters = [{ epic_id: epic.id }, { epic_id: 'Any' }, { epic_id: 'None' }]
  const found = async (who: typeof owner, at: string) =>
    Promise.all(filters.map(async filter => (await who.get(`${at}/issues`, filter)).headers['x-total']))

  for (const at of [project.url, group.url]) {
    assert.deepEqual(await found(owner, at), ['1', '1', '0'])
    assert.deepEqual(await found(reporter, at), ['0', '0', '1'])
  }
  assert.equal((await reporter.get(`${project.url}/issues/1`)).body.epic, null)
})

test('issues of other groups, and those that the caller may not plan with, cannot be added', async () => {
  const { group, project, owner, guest, issues, url } = await withIssues(['a'])
  const { project: elsewhere } = await scene.project({ owner })
  const strange = (await owner.post(`${elsewhere.url}/issues`, { title: 'x' })).body
  assert.deepEqual(await owner.post(`${url}/${strange.id}`), { status: 404, body: { message: '404 Issue Not Found' } })

  assert.equal((await guest.post(`${url}/${issues.a!.id}`)).status, 403)
  const { group: other, reporter } = await scene.group({ owner, members: ['reporter'] })
  await owner.post(`${other.url}/epics`, { title: 'x' })
  assert.equal((await reporter.post(`${other.url}/epics/1/issues/${issues.a!.id}`)).status, 404)
  await owner.put(`${group.url}/epics/1`, { confidential: true })
  assert.deepEqual((await owner.post(`${url}/${issues.a!.id}`)).body.message, { issue_id: ['is not confidential, and the epic is'] })
  assert.equal(project.id > 0, true)
})

test('an epic inherits dates from the milestones of its issues', async () => {
  const { group, project, owner, issues, url } = await withIssues(['a'])
  const dates = { start_date: '2021-03-01', due_date: '2021-03-31' }
  const milestone = (await owner.post(`${project.url}/milestones`, { title: 'March', ...dates })).body
  await owner.put(`${project.url}/issues/1`, { milestone_id: milestone.id })
  await owner.post(`${url}/${issues.a!.id}`)
  const { body } = await owner.get(`${group.url}/epics/1`)
  assert.deepEqual(
    [body.start_date, body.start_date_from_inherited_source, body.due_date, body.due_date_from_milestones],
    ['2021-03-01', '2021-03-01', '2021-03-31', '2021-03-31'],
  )
})

test('the issue endpoints create an issue in an epic, move it to another one and remove it', async () => {
  const { group, project, owner, epic, titles } = await withIssues([])
  const quay = (await owner.post(`${group.url}/epics`, { title: 'Quay' })).body
  const created = await owner.post(`${project.url}/issues`, { title: 'a', epic_id: epic.id })
  assert.equal(created.body.epic.id, epic.id)
  assert.deepEqual(await titles(), ['a'])
  assert.equal((await owner.put(`${project.url}/issues/1`, { epic_id: quay.id })).body.epic_iid, 2)
  assert.equal((await owner.put(`${project.url}/issues/1`, { epic_id: 0 })).body.epic, null)
  assert.deepEqual((await owner.put(`${project.url}/issues/1`, { epic_id: 0x7fffffff })).body.message, { epic_id: ['is invalid'] })
})

test('`epic_iid` is a deprecated parameter for an epic of the project’s group (issues API at 14.0)', async () => {
  const { project, owner } = await withIssues([])
  const { status, body } = await owner.post(`${project.url}/issues`, { title: 'Old', epic_iid: 1 })
  const path = `${project.url}/issues/${body.iid}`

  assert.deepEqual([status, body.epic.iid], [201, 1])
  assert.equal((await owner.put(path, { epic_iid: 0 })).body.epic, null)
  assert.equal((await owner.put(path, { epic_iid: 1 })).body.epic.iid, 1)
  assert.deepEqual((await owner.put(path, { epic_iid: 99 })).body.message, { epic_iid: ['is invalid'] })
  assert.equal((await owner.put(path, { epic_iid: 1, epic_id: body.epic.id })).status, 400)
})

test('promoting an issue creates an epic in its group, closes the issue and adds it to the epic (decision 38)', async () => {
  const { group, project, owner } = await withIssues([])
  await owner.post(`${group.url}/labels`, { name: 'of the group', color: '#fff' })
  const { body } = await owner.post(`${project.url}/issues`, {
    title: 'Big',
    description: 'Huge',
    labels: 'of the group,of the project',
    confidential: true,
  })

  await scene.run(owner, async ctx => {
    const row = (await projectsById(ctx.db, [project.id])).get(project.id)!
    return promoteIssueToEpic(ctx, row, (await issueById(ctx.db, body.id, null))!)
  })

  const issue = (await owner.get(`${project.url}/issues/${body.iid}`)).body
  const epic = (await owner.get(`${group.url}/epics/2`)).body
  assert.deepEqual([issue.state, issue.epic.id], ['closed', epic.id])
  assert.deepEqual(
    [epic.title, epic.description, epic.labels, epic.confidential, epic.author.id],
    ['Big', 'Huge', ['of the group'], true, owner.id],
  )
})

test('an issue of a project outside a group cannot be promoted (decision 38), nor any issue by users who may not create epics', async () => {
  const { project: own, owner } = await scene.project()
  const { project, guest } = await withIssues(['a'])
  const promote = async (person: { id: number }, projectId: number) =>
    scene.run(person, async ctx => {
      const row = (await projectsById(ctx.db, [projectId])).get(projectId)!
      const { id } = await ctx.db.selectFrom('issues').select('id').where('project_id', '=', projectId).executeTakeFirstOrThrow()
      return promoteIssueToEpic(ctx, row, (await issueById(ctx.db, id, null))!)
    })
  await owner.post(`${own.url}/issues`, { title: 'x' })
  await assert.rejects(promote(owner, own.id), { kind: 'bad_request' })
  await assert.rejects(promote(guest, project.id), { kind: 'forbidden' })
})
