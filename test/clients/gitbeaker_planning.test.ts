/** gitbeaker (`@gitbeaker/rest`) as npm has it, planning: labels, milestones, iterations, boards and epics. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GitbeakerRequestError, Gitlab } from '@gitbeaker/rest'
import { openScene } from '../scene.ts'

const scene = await openScene()
const client = new Gitlab({ host: scene.url, token: scene.root.token })

/** Passes when `work` is refused with this status. */
const refused = (work: Promise<unknown>, status: number) =>
  assert.rejects(work, error => error instanceof GitbeakerRequestError && error.cause?.response.status === status)

async function places() {
  const { group } = await scene.group({ owner: scene.root })
  const { project } = await scene.project({ group, owner: scene.root })
  return { group, project }
}

test('labels are created, read, changed, promoted and deleted', async () => {
  const { group, project } = await places()
  for (const [labels, id] of [
    [client.ProjectLabels, project.id],
    [client.GroupLabels, group.id],
  ] as const) {
    const label = await labels.create(id, `a/b ${id}`, '#FFAABB', { description: 'Half' })
    assert.equal((await labels.show(id, label.name)).id, label.id)
    assert.equal((await labels.edit(id, label.id, { newName: `c ${id}` })).name, `c ${id}`)
    await refused(labels.create(id, `c ${id}`, '#FFAABB'), 409)
    const [counted] = await labels.all(id, { withCounts: true, search: `c ${id}` })
    assert.equal(counted?.open_issues_count, 0)
    await labels.remove(id, label.id)
    await refused(labels.show(id, label.id), 404)
  }
  const label = await client.ProjectLabels.create(project.id, 'bug', 'red')
  await client.ProjectLabels.promote(project.id, 'bug')
  assert.equal((await client.GroupLabels.show(group.id, 'bug')).id, label.id)
})

test('milestones are created, read, changed, promoted and deleted, and have issues', async () => {
  const { group, project } = await places()
  for (const [milestones, id] of [
    [client.ProjectMilestones, project.id],
    [client.GroupMilestones, group.id],
  ] as const) {
    const milestone = await milestones.create(id, `v${id}`, { dueDate: '2020-01-01' })
    assert.equal((await milestones.show(id, milestone.id)).due_date, '2020-01-01')
    assert.equal((await milestones.edit(id, milestone.id, { stateEvent: 'close' })).state, 'closed')
    assert.deepEqual(
      (await milestones.all(id, { state: 'closed' })).map(found => found.id),
      [milestone.id],
    )
    await milestones.remove(id, milestone.id)
    await refused(milestones.show(id, milestone.id), 404)
  }
  const milestone = await client.ProjectMilestones.create(project.id, 'v1')
  const issue = await client.Issues.create(project.id, 'Paint', { milestoneId: milestone.id })
  const issues = await client.ProjectMilestones.allAssignedIssues(project.id, milestone.id)
  assert.deepEqual(
    issues.map(found => found.id),
    [issue.id],
  )
  await client.ProjectMilestones.promote(project.id, milestone.id)
  assert.deepEqual(
    (await client.GroupMilestones.all(group.id)).map(found => found.title),
    ['v1'],
  )
})

test('iterations of a group are listed', async () => {
  const { group } = await places()
  const dates = { start_date: '2020-01-01', due_date: '2020-01-31' }
  await scene.root.post(`${group.url}/iterations`, { title: 'January', ...dates })
  assert.deepEqual(
    (await client.GroupIterations.all(group.id, { state: 'closed' })).map(found => found.title),
    ['January'],
  )
})

test('boards and their lists are created, read, changed and deleted', async () => {
  const { group, project } = await places()
  for (const [boards, id, labels] of [
    [client.ProjectIssueBoards, project.id, client.ProjectLabels],
    [client.GroupIssueBoards, group.id, client.GroupLabels],
  ] as const) {
    const board = await boards.create(id, 'Work')
    assert.equal((await boards.edit(id, board.id, { name: 'Play' })).name, 'Play')
    const lists = []
    for (const name of ['todo', 'doing'])
      lists.push(await boards.createList(id, board.id, { labelId: (await labels.create(id, `${name} ${id}`, 'red')).id }))
    const [first, second] = lists
    await boards.editList(id, board.id, second!.id, 0)
    assert.deepEqual(
      (await boards.allLists(id, board.id)).map(list => list.id),
      [second!.id, first!.id],
    )
    assert.equal((await boards.showList(id, board.id, first!.id)).position, 1)
    await boards.removeList(id, board.id, first!.id)
    assert.equal((await boards.show(id, board.id)).lists?.length, 1)
    await boards.remove(id, board.id)
    assert.deepEqual(await boards.all(id), [])
  }
})

test('epics are created, read, changed and deleted, and have issues', async () => {
  const { group, project } = await places()
  const epic = await client.Epics.create(group.id, 'Harbour', { labels: 'big' })
  assert.equal((await client.Epics.show(group.id, epic.iid)).title, 'Harbour')
  assert.deepEqual(
    (await client.Epics.all(group.id, { labels: 'big' })).map(found => found.id),
    [epic.id],
  )
  assert.equal((await client.Epics.edit(group.id, epic.iid, { title: 'Quay' })).title, 'Quay')

  const issues = []
  for (const title of ['Pile', 'Crane']) issues.push(await client.Issues.create(project.id, title))
  const links = []
  for (const issue of issues) links.push(await client.EpicIssues.assign(group.id, epic.iid, issue.id))
  await client.EpicIssues.edit(group.id, epic.iid, links[0]!.id, { moveBeforeId: links[1]!.id })
  assert.deepEqual(
    (await client.EpicIssues.all(group.id, epic.iid)).map(issue => issue.title),
    ['Crane', 'Pile'],
  )
  await client.EpicIssues.remove(group.id, epic.iid, links[0]!.id)
  assert.equal((await client.EpicIssues.all(group.id, epic.iid)).length, 1)
  await client.Epics.remove(group.id, epic.iid)
  await refused(client.Epics.show(group.id, epic.iid), 404)
})
