import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { statementsWait } from '../../../test/held_table.ts'
import { openScene, type Person } from '../../../test/scene.ts'

const scene = await openScene()

/** A board with a list for each of these new labels. */
async function boardWith(owner: Person, url: string, names: readonly string[]) {
  const { body: board } = await owner.post(`${url}/boards`, { name: 'Work' })
  const lists = `${url}/boards/${board.id}/lists`
  const ids: Record<string, number> = {}
  for (const name of names) {
    const { body: label } = await owner.post(`${url}/labels`, { name, color: '#FF0000' })
    ids[name] = (await owner.post(lists, { label_id: label.id })).body.id
  }
  const order = async () =>
    (await owner.get(lists)).body.map((list: { label: { name: string }; position: number }) => [list.label.name, list.position])
  return { board: `${url}/boards/${board.id}`, lists, ids, order }
}

test('a project begins without boards; a new one has no lists', async () => {
  const { project, owner } = await scene.project()
  assert.deepEqual((await owner.get(`${project.url}/boards`)).body, [])

  const { status, body } = await owner.post(`${project.url}/boards`, { name: 'Work' })

  assert.equal(status, 201)
  const { id, project: shown, ...rest } = body
  assert.equal(shown.path_with_namespace, project.full_path)
  assert.deepEqual(rest, {
    name: 'Work',
    hide_backlog_list: false,
    hide_closed_list: false,
    group: null,
    lists: [],
    milestone: null,
    assignee: null,
    labels: [],
    weight: null,
  })
  assert.deepEqual((await owner.get(`${project.url}/boards`)).body, [body])
  assert.equal((await owner.delete(`${project.url}/boards/${id}`)).status, 204)
  assert.equal((await owner.get(`${project.url}/boards/${id}`)).status, 404)
})

test('a board of a group shows the group', async () => {
  const { group, owner } = await scene.group()
  const { body } = await owner.post(`${group.url}/boards`, { name: 'Work' })
  assert.deepEqual(body.group, { id: group.id, name: group.name, web_url: `${scene.url}/groups/${group.full_path}` })
  assert.equal(body.project, null)
})

test('a board can be narrowed to a milestone, an assignee, labels and a weight, and widened again', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  const milestone = (await owner.post(`${group.url}/milestones`, { title: 'v1' })).body
  const url = `${project.url}/boards/${(await owner.post(`${project.url}/boards`, { name: 'Work' })).body.id}`

  const narrowed = { name: 'Play', milestone_id: milestone.id, assignee_id: owner.id, labels: 'a,b', weight: 4, hide_closed_list: true }
  const { body } = await owner.put(url, narrowed)

  assert.deepEqual(
    [
      body.name,
      body.milestone.title,
      body.assignee.id,
      body.labels.map((label: { name: string }) => label.name),
      body.weight,
      body.hide_closed_list,
    ],
    ['Play', 'v1', owner.id, ['a', 'b'], 4, true],
  )
  const widened = await owner.put(url, { milestone_id: '', assignee_id: '', labels: '', weight: '' })
  assert.deepEqual([widened.body.milestone, widened.body.assignee, widened.body.labels, widened.body.weight], [null, null, [], null])
})

test('a milestone or label of another place is a 400', async () => {
  const { project, owner } = await scene.project()
  const { project: other } = await scene.project({ owner })
  const { board, lists } = await boardWith(owner, project.url, [])
  const strange = (await owner.post(`${other.url}/labels`, { name: 'x', color: '#fff' })).body
  const milestone = (await owner.post(`${other.url}/milestones`, { title: 'x' })).body

  assert.deepEqual((await owner.post(lists, { label_id: strange.id })).body, { message: { label_id: ['does not exist here'] } })
  assert.deepEqual((await owner.post(lists, { milestone_id: milestone.id })).body, { message: { milestone_id: ['does not exist here'] } })
  assert.deepEqual((await owner.put(board, { milestone_id: milestone.id, assignee_id: 0 })).body, {
    message: { milestone_id: ['does not exist here'], assignee_id: ['does not exist here'] },
  })
  assert.equal((await owner.post(lists, {})).status, 400)
  assert.equal((await owner.post(lists, { label_id: 1, assignee_id: 1 })).status, 400)
})

test('a list has a label, an assignee, a milestone or an iteration, each once on a board', async () => {
  const { group, owner } = await scene.group()
  const { board, lists } = await boardWith(owner, group.url, ['doing'])
  const milestone = (await owner.post(`${group.url}/milestones`, { title: 'v1' })).body
  const dates = { start_date: '2021-01-01', due_date: '2021-01-14' }
  const iteration = (await owner.post(`${group.url}/iterations`, { title: 'January', ...dates })).body

  for (const [name, id] of Object.entries({ assignee_id: owner.id, milestone_id: milestone.id, iteration_id: iteration.id })) {
    assert.equal((await owner.post(lists, { [name]: id })).status, 201, name)
    assert.deepEqual(await owner.post(lists, { [name]: id }), { status: 400, body: { message: { [name]: ['has already been taken'] } } })
  }

  const shown = (await owner.get(board)).body.lists
  const subjects = shown.map((list: Record<string, { name?: string; title?: string; username?: string }>) =>
    ['label', 'assignee', 'milestone', 'iteration'].filter(name => name in list).map(name => list[name]?.title ?? list[name]?.name),
  )
  assert.deepEqual(subjects, [['doing'], [owner.name], ['v1'], ['January']])
  assert.deepEqual((await owner.get(lists)).body, shown)
})

test('lists have positions from 0 without gaps, wherever they are moved', async () => {
  const { project, owner } = await scene.project()
  const { lists, ids, order } = await boardWith(owner, project.url, ['a', 'b', 'c'])

  assert.equal((await owner.put(`${lists}/${ids.c}`, { position: 0 })).body.position, 0)
  assert.deepEqual(await order(), [
    ['c', 0],
    ['a', 1],
    ['b', 2],
  ])
  assert.equal((await owner.put(`${lists}/${ids.c}`, { position: 99 })).body.position, 2)
  assert.equal((await owner.delete(`${lists}/${ids.a}`)).status, 204)
  assert.deepEqual(await order(), [
    ['b', 0],
    ['c', 1],
  ])
  await owner.delete(`${project.url}/labels/b`)
  await owner.put(`${lists}/${ids.c}`, { position: 0 })
  assert.deepEqual(await order(), [['c', 0]])
})

test('lists that are added and moved concurrently keep a consistent order', async () => {
  const { project, owner } = await scene.project()
  const { lists, ids, order } = await boardWith(owner, project.url, ['a', 'b', 'c', 'd'])
  await Promise.all(Object.values(ids).map((id, row) => owner.put(`${lists}/${id}`, { position: 3 - row })))
  assert.deepEqual(
    (await order()).map(([, position]: [string, number]) => position),
    [0, 1, 2, 3],
  )
})

test('a list that is removed while it moves is a 404, and leaves no gap', async () => {
  const { project, owner } = await scene.project()
  const { lists, ids, order } = await boardWith(owner, project.url, ['a', 'b', 'c'])
  const client = await scene.deps.database.pool.connect()
  await client.query('begin; select from boards for update')
  const removed = owner.delete(`${lists}/${ids.b}`)
  await eventually(() => statementsWait(scene.deps.database), 'the removal')
  const moved = owner.put(`${lists}/${ids.b}`, { position: 0 })
  await eventually(() => statementsWait(scene.deps.database, 2), 'the move')

  await client.query('commit')
  client.release()

  assert.deepEqual([(await removed).status, (await moved).status], [204, 404])
  assert.deepEqual(await order(), [
    ['a', 0],
    ['c', 1],
  ])
})

test('a list has limits', async () => {
  const { project, owner } = await scene.project()
  const { lists, ids } = await boardWith(owner, project.url, ['a'])
  const { body } = await owner.put(`${lists}/${ids.a}`, { max_issue_count: 5, limit_metric: 'issue_count' })
  assert.deepEqual([body.max_issue_count, body.max_issue_weight, body.limit_metric, body.position], [5, 0, 'issue_count', 0])
  assert.equal((await owner.put(`${lists}/${ids.a}`, {})).status, 400)
})
