import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overtakenBy } from '../../../test/held_table.ts'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()

const titles = (answer: { body: { title: string }[] }) => answer.body.map(milestone => milestone.title)

test('a milestone of a project has all documented fields', async () => {
  const { project, owner } = await scene.project()
  const given = { title: ' v1.0 ', description: 'First', start_date: '2020-01-01', due_date: '2020-02-01' }

  const created = await owner.post(`${project.url}/milestones`, given)

  const { id, created_at, updated_at, ...rest } = created.body
  assert.equal(created.status, 201)
  assert.deepEqual(rest, {
    ...given,
    title: 'v1.0',
    iid: 1,
    project_id: project.id,
    state: 'active',
    expired: true,
    web_url: `${scene.url}/${project.full_path}/-/milestones/1`,
  })
  assert.equal(created_at, updated_at)
  assert.deepEqual(await owner.get(`${project.url}/milestones/${id}`), { status: 200, body: created.body })
})

test('a milestone of a group has group fields and its own numbering', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  await owner.post(`${project.url}/milestones`, { title: 'of the project' })

  const { body } = await owner.post(`${group.url}/milestones`, { title: 'of the group', due_date: '9999-12-31' })

  assert.deepEqual([body.iid, body.group_id, 'project_id' in body, body.expired], [1, group.id, false, false])
  assert.equal(body.web_url, `${scene.url}/groups/${group.full_path}/-/milestones/1`)
  assert.deepEqual(await owner.get(`${project.url}/milestones/${body.id}`), { status: 404, body: { message: '404 Milestone Not Found' } })
})

test('numbers have no gaps and no duplicates under concurrent creation', async () => {
  const { project, owner } = await scene.project()
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, row) => owner.post(`${project.url}/milestones`, { title: `number ${row}` })),
  )
  assert.deepEqual(answers.map(answer => answer.body.iid).sort(), [1, 2, 3, 4, 5, 6, 7, 8])
})

test('a title is unique within a project, its groups and their projects', async () => {
  const { group: top, owner } = await scene.group()
  const { group } = await scene.group({ parent: top, owner })
  const { project } = await scene.project({ group, owner })
  const { project: sibling } = await scene.project({ group: top, owner })
  const taken = { status: 400, body: { message: { title: ['already being used for another group or project milestone.'] } } }
  await owner.post(`${project.url}/milestones`, { title: 'low' })
  await owner.post(`${top.url}/milestones`, { title: 'high' })

  for (const [place, title] of [
    [project, 'low'],
    [project, 'high'],
    [group, 'low'],
    [group, 'high'],
    [top, 'low'],
  ] as const)
    assert.deepEqual(await owner.post(`${place.url}/milestones`, { title }), taken, `${title} in ${place.path}`)
  assert.equal((await owner.post(`${sibling.url}/milestones`, { title: 'low' })).status, 201)
  const both = await Promise.all([1, 2].map(() => owner.post(`${project.url}/milestones`, { title: 'race' })))
  assert.deepEqual(both.map(answer => answer.status).sort(), [201, 400])
})

test('a milestone is changed, closed and activated; repeating a request changes nothing', async () => {
  const { project, owner } = await scene.project()
  const { body: created } = await owner.post(`${project.url}/milestones`, { title: 'v1', due_date: '2030-01-01' })
  const url = `${project.url}/milestones/${created.id}`

  assert.equal((await owner.put(url, { state_event: 'close' })).body.state, 'closed')
  assert.equal((await owner.put(url, { state_event: 'close', title: 'v2' })).body.state, 'closed')
  assert.equal((await owner.put(url, { state_event: 'activate', due_date: '' })).body.state, 'active')
  const { body } = await owner.get(url)
  assert.deepEqual([body.title, body.due_date], ['v2', null])
  assert.equal((await owner.put(url, { state_event: 'open' })).status, 400)
})

test('two concurrent requests close a milestone once', async () => {
  const { project, owner } = await scene.project()
  const { body } = await owner.post(`${project.url}/milestones`, { title: 'v1' })
  await Promise.all([1, 2].map(() => owner.put(`${project.url}/milestones/${body.id}`, { state_event: 'close' })))
  const events = await scene.deps.database.db
    .selectFrom('events')
    .select('kind')
    .where('project_id', '=', project.id)
    .where('kind', '=', 'milestone.closed')
    .execute()
  assert.equal(events.length, 1)
})

test('a milestone cannot end before it begins, and its dates must exist', async () => {
  const { project, owner } = await scene.project()
  const wrong = { status: 400, body: { message: { due_date: ['must be greater than start date'] } } }
  assert.deepEqual(await owner.post(`${project.url}/milestones`, { title: 'v1', start_date: '2020-01-02', due_date: '2020-01-01' }), wrong)
  const { body } = await owner.post(`${project.url}/milestones`, { title: 'v1', start_date: '2020-01-02' })
  assert.deepEqual(await owner.put(`${project.url}/milestones/${body.id}`, { due_date: '2020-01-01' }), wrong)
  for (const due_date of ['2021-02-30', 'soon', '0000-01-01'])
    assert.equal((await owner.post(`${project.url}/milestones`, { title: 'v2', due_date })).status, 400, due_date)
  for (const title of ['', ' ', 'x'.repeat(256)]) assert.equal((await owner.post(`${project.url}/milestones`, { title })).status, 400)
})

test('a list is narrowed by number, state, title, words, and time of change, bounds included (decision 41)', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  const list = (query: string) => owner.get(`${project.url}/milestones?${query}`).then(titles)
  const first = await owner.post(`${project.url}/milestones`, { title: 'one', description: 'the very first' })
  const second = await owner.post(`${project.url}/milestones`, { title: 'two' })
  await owner.put(`${project.url}/milestones/${second.body.id}`, { state_event: 'close' })
  await owner.post(`${group.url}/milestones`, { title: 'above' })

  assert.deepEqual(await list(''), ['two', 'one'])
  assert.deepEqual(await list('iids[]=1'), ['one'])
  assert.deepEqual(await list('iids=1,2'), ['two', 'one'])
  assert.deepEqual(await list('state=active'), ['one'])
  assert.deepEqual(await list('state=closed'), ['two'])
  assert.deepEqual(await list('title=two'), ['two'])
  assert.deepEqual(await list('title=tw'), [])
  assert.deepEqual(await list('search=VERY'), ['one'])
  assert.deepEqual(await list('include_parent_milestones=true'), ['above', 'two', 'one'])
  assert.deepEqual(await list(`updated_before=${first.body.updated_at}&iids=1`), ['one'])
  assert.deepEqual(await list(`updated_after=${first.body.updated_at}&iids=1`), ['one'])
  assert.deepEqual(await list('updated_after=2999-01-01'), [])
})

test('a deleted milestone is gone, and its number is not reused', async () => {
  const { project, owner } = await scene.project()
  const { body } = await owner.post(`${project.url}/milestones`, { title: 'v1' })
  assert.equal((await owner.delete(`${project.url}/milestones/${body.id}`)).status, 204)
  assert.equal((await owner.get(`${project.url}/milestones/${body.id}`)).status, 404)
  assert.equal((await owner.post(`${project.url}/milestones`, { title: 'v1' })).body.iid, 2)
})

test('the issues of a milestone are listed, confidential ones only for users who may see them (decision 34)', async () => {
  const { group, owner } = await scene.group({ visibility: 'public' })
  const { project, guest } = await scene.project({ group, owner, visibility: 'public', members: ['guest'] })
  const milestone = (await owner.post(`${group.url}/milestones`, { title: 'v1' })).body
  const own = (await owner.post(`${project.url}/milestones`, { title: 'v0' })).body
  for (const attributes of [{ title: 'open' }, { title: 'secret', confidential: true }])
    await owner.post(`${project.url}/issues`, { ...attributes, milestone_id: milestone.id })
  await owner.post(`${project.url}/issues`, { title: 'other', milestone_id: own.id })

  const of = async (person: typeof owner, url: string) => titles(await person.get(url))
  assert.deepEqual(await of(owner, `${group.url}/milestones/${milestone.id}/issues`), ['secret', 'open'])
  assert.deepEqual(await of(guest, `${group.url}/milestones/${milestone.id}/issues`), ['open'])
  assert.deepEqual(await of(guest, `${project.url}/milestones/${own.id}/issues`), ['other'])
  assert.deepEqual((await scene.anonymous.get(`${group.url}/milestones/${milestone.id}/issues`)).headers['x-total'], '1')
})

test('the merge requests of a milestone are listed for users who may see them', async () => {
  const { group, owner } = await scene.group({ visibility: 'public' })
  const { project, guest } = await scene.project({ group, owner, visibility: 'private', members: ['guest'] })
  const { project: open } = await scene.project({ group, owner, visibility: 'public' })
  const milestone = (await owner.post(`${group.url}/milestones`, { title: 'v1' })).body
  const own = (await owner.post(`${project.url}/milestones`, { title: 'v0' })).body
  await scene.mergeRequest(project, { author: owner, title: 'closed doors', milestone_id: milestone.id })
  await scene.mergeRequest(open, { author: owner, title: 'open doors', milestone_id: milestone.id })
  await scene.mergeRequest(project, { author: owner, title: 'of the project', milestone_id: own.id })

  const of = async (person: Pick<typeof owner, 'get'>, url: string) => titles(await person.get(url))
  assert.deepEqual(await of(owner, `${group.url}/milestones/${milestone.id}/merge_requests`), ['open doors', 'closed doors'])
  assert.deepEqual(await of(guest, `${group.url}/milestones/${milestone.id}/merge_requests`), ['open doors'])
  assert.deepEqual(await of(scene.anonymous, `${group.url}/milestones/${milestone.id}/merge_requests`), ['open doors'])
  assert.deepEqual(await of(owner, `${project.url}/milestones/${own.id}/merge_requests`), ['of the project'])
})

test('a promoted milestone keeps its id, gets a number of the group, and replaces those of its title', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  const { project: other } = await scene.project({ group, owner })
  await owner.post(`${group.url}/milestones`, { title: 'first' })
  const milestones = []
  for (const place of [project, other]) {
    const { body } = await owner.post(`${place.url}/milestones`, { title: 'v1' })
    await owner.post(`${place.url}/issues`, { title: place.path, milestone_id: body.id })
    await scene.mergeRequest(place, { author: owner, title: place.path, milestone_id: body.id })
    milestones.push(body)
  }

  const { status, body } = await owner.post(`${project.url}/milestones/${milestones[0].id}/promote`)

  assert.deepEqual([status, body.id, body.iid, body.group_id, 'project_id' in body], [201, milestones[0].id, 2, group.id, false])
  for (const things of ['issues', 'merge_requests'])
    assert.deepEqual(await owner.get(`${group.url}/milestones/${body.id}/${things}`).then(titles), [other.path, project.path], things)
  for (const place of [project, other]) assert.deepEqual((await owner.get(`${place.url}/milestones`)).body, [])
})

test('concurrent promotions of a milestone of one title create one milestone of the group', async () => {
  const { group, owner } = await scene.group()
  const made = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const { project } = await scene.project({ group, owner })
      const { body } = await owner.post(`${project.url}/milestones`, { title: 'v1' })
      await owner.post(`${project.url}/issues`, { title: 'Shed', milestone_id: body.id })
      return { url: project.url, id: body.id }
    }),
  )

  const answers = await Promise.all([...made, ...made].map(({ url, id }) => owner.post(`${url}/milestones/${id}/promote`)))

  // Requests that come later find no milestone of the project any more.
  for (const { status, body } of answers) assert.ok(status === 201 || status === 404, `${status} ${JSON.stringify(body)}`)
  const { body: ofGroup } = await owner.get(`${group.url}/milestones`)
  assert.equal(ofGroup.length, 1)
  for (const { url } of made) assert.equal((await owner.get(`${url}/issues/1`)).body.milestone.id, ofGroup[0].id)
})

/** A milestone of a project in a group, and the answer to a request about it that waits until another transaction has ended. */
async function overtaken() {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  const { body } = await owner.post(`${project.url}/milestones`, { title: 'v1' })
  const answerAfter = <Answer>(statement: string, request: () => Promise<Answer>): Promise<Answer> =>
    overtakenBy(scene.deps.database, [statement, []], request)
  return { group, owner, id: body.id as number, url: `${project.url}/milestones/${body.id}`, answerAfter }
}

const notFound = { status: 404, body: { message: '404 Milestone Not Found' } }

test('a milestone that is promoted while its project deletes or changes it remains as it was', async () => {
  for (const method of ['delete', 'put'] as const) {
    const { group, owner, id, url, answerAfter } = await overtaken()
    const promotion = `update milestones set project_id = null, namespace_id = ${group.id} where id = ${id}`

    const answer = await answerAfter(promotion, () => owner[method](url, { description: 'Changed' }))

    assert.deepEqual(answer, notFound, method)
    const { status, body } = await owner.get(`${group.url}/milestones/${id}`)
    assert.deepEqual([status, body.description], [200, null], method)
  }
})

test('a milestone that another promotion replaces while it is promoted is not found', async () => {
  const { group, owner, id, url, answerAfter } = await overtaken()
  const { project: other } = await scene.project({ group, owner })
  const { body: replacement } = await owner.post(`${other.url}/milestones`, { title: 'v1' })

  const replacing = `update milestones set project_id = null, namespace_id = ${group.id} where id = ${replacement.id};
    delete from milestones where id = ${id}`
  const promotion = await answerAfter(replacing, () => owner.post(`${url}/promote`))

  assert.deepEqual(promotion, notFound)
})

test('a milestone that is renamed while it is promoted is promoted with its new title', async () => {
  const { owner, id, url, answerAfter } = await overtaken()

  const renaming = `update milestones set title = 'v2' where id = ${id}`
  const { status, body } = await answerAfter(renaming, () => owner.post(`${url}/promote`))

  assert.deepEqual([status, body.id, body.title], [201, id, 'v2'])
})

test('a milestone can be promoted only to a group, and only by users who may administer the group’s milestones', async () => {
  const { project: own, owner } = await scene.project()
  const { body } = await owner.post(`${own.url}/milestones`, { title: 'v1' })
  assert.equal((await owner.post(`${own.url}/milestones/${body.id}/promote`)).status, 400)
  const { group } = await scene.group({ owner })
  const { project, developer } = await scene.project({ group, owner, members: ['developer'] })
  const milestone = (await developer.post(`${project.url}/milestones`, { title: 'v1' })).body
  assert.equal((await developer.post(`${project.url}/milestones/${milestone.id}/promote`)).status, 403)
})
