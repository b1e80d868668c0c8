import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()
scene.setTime('2021-06-15T12:00:00Z')

/** A group in a group with iterations in May, in the middle of June and in July, and a project below. */
async function planned() {
  const { group: top, owner } = await scene.group()
  const { group } = await scene.group({ parent: top, owner })
  const { project } = await scene.project({ group, owner })
  const create = (url: string, title: string, start_date: string, due_date: string) =>
    owner.post(`${url}/iterations`, { title, start_date, due_date })
  await create(top.url, 'May', '2021-05-01', '2021-05-31')
  await create(group.url, 'June', '2021-06-10', '2021-06-15')
  await create(group.url, 'July', '2021-07-01', '2021-07-31')
  return { top, group, project, owner, create }
}

test('an iteration has all documented fields; its state is a number derived from its dates', async () => {
  const { group, owner } = await planned()
  const { status, body } = await owner.get(`${group.url}/iterations`)
  const [, { id, created_at, updated_at, ...june }] = body
  assert.equal(status, 200)
  assert.deepEqual(june, {
    iid: 1,
    group_id: group.id,
    title: 'June',
    description: null,
    state: 2,
    start_date: '2021-06-10',
    due_date: '2021-06-15',
    web_url: `${scene.url}/groups/${group.full_path}/-/iterations/${id}`,
  })
  assert.equal(created_at, updated_at)
  assert.deepEqual(
    body.map((iteration: { title: string; state: number }) => [iteration.title, iteration.state]),
    [
      ['May', 3],
      ['June', 2],
      ['July', 1],
    ],
  )
})

test('a list is narrowed by state, words and groups; a project lists those of its groups', async () => {
  const { top, group, project, owner } = await planned()
  const titles = async (url: string) => (await owner.get(url)).body.map((iteration: { title: string }) => iteration.title)
  const states: [string, string[]][] = [
    ['opened', ['June', 'July']],
    ['upcoming', ['July']],
    ['started', ['June']],
    ['current', ['June']],
    ['closed', ['May']],
    ['all', ['May', 'June', 'July']],
  ]
  for (const [state, expected] of states) assert.deepEqual(await titles(`${project.url}/iterations?state=${state}`), expected, state)
  assert.deepEqual(await titles(`${group.url}/iterations?include_ancestors=false`), ['June', 'July'])
  assert.deepEqual(await titles(`${project.url}/iterations?include_ancestors=false`), ['June', 'July'])
  assert.deepEqual(await titles(`${top.url}/iterations`), ['May'])
  assert.deepEqual(await titles(`${project.url}/iterations?search=jUl`), ['July'])
})

test('iterations of a group do not overlap, even under concurrent creation', async () => {
  const { group, create } = await planned()
  const overlap = { status: 400, body: { message: { base: ['Dates cannot overlap with other existing Iterations within this group'] } } }
  assert.deepEqual(await create(group.url, 'x', '2021-06-15', '2021-06-20'), overlap)
  assert.deepEqual((await create(group.url, 'x', '2021-06-20', '2021-06-19')).body.message, {
    due_date: ['must be greater than start date'],
  })
  const both = await Promise.all(['a', 'b'].map(title => create(group.url, title, '2021-08-01', '2021-08-02')))
  assert.deepEqual(both.map(answer => answer.status).sort(), [201, 400])
  assert.deepEqual((await create(group.url, 'June', '2021-09-01', '2021-09-02')).body.message, { title: ['has already been taken'] })
})

test('an iteration is changed and deleted only through its own group', async () => {
  const { top, group, owner } = await planned()
  const [, june] = (await owner.get(`${group.url}/iterations`)).body
  const url = `${group.url}/iterations/${june.id}`
  const changed = await owner.put(url, { title: 'Summer', due_date: '2021-06-16' })
  assert.deepEqual([changed.body.title, changed.body.start_date, changed.body.due_date], ['Summer', '2021-06-10', '2021-06-16'])
  assert.equal((await owner.put(url, { due_date: '2021-07-01' })).status, 400)
  assert.equal((await owner.put(`${top.url}/iterations/${june.id}`, { title: 'x' })).status, 404)
  assert.equal((await owner.delete(url)).status, 204)
  assert.equal((await owner.delete(url)).status, 404)
})
