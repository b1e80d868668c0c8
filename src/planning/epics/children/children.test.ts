import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overtakenBy } from '../../../../test/held_table.ts'
import { openScene } from '../../../../test/scene.ts'

const scene = await openScene()

async function withEpics(titles: readonly string[]) {
  const { group, owner } = await scene.group()
  const epics: Record<string, { id: number; iid: number; url: string }> = {}
  for (const title of titles) {
    const { body } = await owner.post(`${group.url}/epics`, { title })
    epics[title] = { id: body.id, iid: body.iid, url: `${group.url}/epics/${body.iid}` }
  }
  const children = async (title: string) =>
    (await owner.get(`${epics[title]!.url}/epics`)).body.map((epic: { title: string }) => epic.title)
  return { group, owner, epics, children }
}

test('a child epic inherits the confidentiality of its parent', async () => {
  const { group, owner } = await scene.group()
  await owner.post(`${group.url}/epics`, { title: 'secret', confidential: true })

  const { status, body } = await owner.post(`${group.url}/epics/1/epics`, { title: 'child' })

  assert.equal(status, 201)
  const { id, parent_id, ...rest } = body
  assert.deepEqual(rest, {
    iid: 2,
    title: 'child',
    group_id: group.id,
    has_children: false,
    has_issues: false,
    reference: '&2',
    url: `${scene.url}/groups/${group.full_path}/-/epics/2`,
    relation_url: `${scene.url}/groups/${group.full_path}/-/epics/1/links/${id}`,
  })
  const child = (await owner.get(`${group.url}/epics/2`)).body
  assert.deepEqual([child.parent_id, child.parent_iid, child.confidential], [parent_id, 1, true])
  assert.equal(child._links.parent, `${scene.url}/api/v4/groups/${group.id}/epics/1`)
})

test('child epics are added, ordered, moved and removed', async () => {
  const { owner, epics, children } = await withEpics(['p', 'a', 'b', 'c', 'q'])
  const { p, a, b, c, q } = epics as Record<string, { id: number; url: string }>
  for (const child of [a, b, c]) assert.equal((await owner.post(`${p!.url}/epics/${child!.id}`)).body.parent_id, p!.id)

  const moved = await owner.put(`${p!.url}/epics/${a!.id}`, { move_before_id: b!.id })
  assert.deepEqual(
    moved.body.map((epic: { title: string }) => epic.title),
    ['b', 'a', 'c'],
  )
  await owner.put(`${p!.url}/epics/${c!.id}`, { move_after_id: b!.id })
  assert.deepEqual(await children('p'), ['c', 'b', 'a'])
  assert.equal((await owner.put(`${p!.url}/epics/${c!.id}`, { move_after_id: q!.id })).status, 400)

  const gone = await owner.delete(`${p!.url}/epics/${b!.id}`)
  assert.deepEqual([gone.status, gone.body.parent_id], [200, null])
  assert.equal((await owner.delete(`${p!.url}/epics/${b!.id}`)).status, 404)
  await owner.post(`${q!.url}/epics/${a!.id}`)
  assert.deepEqual([await children('p'), await children('q')], [['c'], ['a']])
})

test('epics cannot form cycles or more than seven levels', async () => {
  const { owner, epics } = await withEpics(['1', '2', '3', '4', '5', '6', '7', '8'])
  for (let level = 1; level < 7; level++) {
    const { status } = await owner.post(`${epics[level]!.url}/epics/${epics[level + 1]!.id}`)
    assert.equal(status, 201)
  }
  const refused = async (title: string, parent_id: number) => (await owner.put(epics[title]!.url, { parent_id })).body.message.parent_id
  assert.deepEqual(await refused('8', epics[7]!.id), ['would make more than 7 levels of epics'])
  assert.deepEqual(await refused('1', epics[3]!.id), ['is the epic itself or below it'])
  assert.deepEqual(await refused('1', epics[1]!.id), ['is the epic itself or below it'])
  assert.deepEqual(await refused('1', 0x7fffffff), ['does not exist here'])
  assert.equal((await owner.put(epics[2]!.url, { parent_id: 0 })).body.parent_id, null)
})

test('two concurrent requests cannot form a cycle', async () => {
  const { owner, epics } = await withEpics(['a', 'b'])
  const answers = await Promise.all([
    owner.put(epics.a!.url, { parent_id: epics.b!.id }),
    owner.put(epics.b!.url, { parent_id: epics.a!.id }),
  ])
  assert.deepEqual(answers.map(answer => answer.status).sort(), [200, 400])
})

test('two concurrent requests with the same parent add the epic once, in one place', async () => {
  const { owner, epics } = await withEpics(['p', 'a', 'b'])
  await Promise.all([1, 2, 3, 4].map(() => owner.post(`${epics.p!.url}/epics/${epics.a!.id}`)))
  const { rows } = await scene.deps.database.pool.query('select position from epics where id = $1', [epics.a!.id])
  assert.deepEqual(rows, [{ position: 0 }])
})

test('the parent belongs to the same group or one above', async () => {
  const { group: top, owner } = await scene.group()
  const { group } = await scene.group({ parent: top, owner })
  const high = (await owner.post(`${top.url}/epics`, { title: 'high' })).body
  const low = (await owner.post(`${group.url}/epics`, { title: 'low', parent_id: high.id })).body
  assert.equal(low.parent_id, high.id)
  assert.equal((await owner.put(`${top.url}/epics/1`, { parent_id: low.id })).status, 400)
})

test('a confidential epic cannot have children that are not', async () => {
  const { owner, epics } = await withEpics(['p', 'a'])
  await owner.post(`${epics.p!.url}/epics/${epics.a!.id}`)
  assert.equal((await owner.put(epics.p!.url, { confidential: true })).status, 400)
  await owner.put(epics.a!.url, { parent_id: '' })
  assert.equal((await owner.put(epics.p!.url, { confidential: true })).status, 200)
  assert.deepEqual((await owner.post(`${epics.p!.url}/epics/${epics.a!.id}`)).body.message.parent_id, [
    'is confidential, and the epic is not',
  ])
})

const NOT_FOUND = { status: 404, body: { message: '404 Epic Not Found' } }

const { database } = scene.deps

/** What a request answers that waits for these statements of a transaction: a lock and a change, or a change alone. */
const besideChange = <T>([first, then]: readonly string[], request: () => Promise<T>): Promise<T> =>
  overtakenBy(database, [first!, []], request, then === undefined ? undefined : [then, []])

/** A parent with two children, and their rows in the database. */
async function withChildren() {
  const made = await withEpics(['p', 'a', 'b'])
  const { p, a, b } = made.epics as Record<'p' | 'a' | 'b', { id: number; url: string }>
  for (const child of [a, b]) await made.owner.post(`${p.url}/epics/${child.id}`)
  const rows = async () => {
    const { rows } = await database.pool.query('select parent_id, position from epics where id = any($1) order by id', [[a.id, b.id]])
    return rows.map(row => [row.parent_id, row.position])
  }
  return { ...made, p, a, b, rows }
}

test('an epic whose parent is deleted while it is removed from it is not found there', async () => {
  const { owner, p, b, rows } = await withChildren()

  const removed = await besideChange([`delete from epics where id = ${p.id}`], () => owner.delete(`${p.url}/epics/${b.id}`))

  assert.deepEqual(removed, NOT_FOUND)
  assert.deepEqual(await rows(), [
    [null, 0],
    [null, 1],
  ])
})

test('an epic that comes below another one while it is removed stays there', async () => {
  const { owner, p, a, b, rows } = await withChildren()

  const removed = await besideChange([`update epics set parent_id = ${a.id}, position = 0 where id = ${b.id}`], () =>
    owner.delete(`${p.url}/epics/${b.id}`),
  )

  assert.deepEqual(removed, NOT_FOUND)
  assert.deepEqual(await rows(), [
    [p.id, 0],
    [a.id, 0],
  ])
})

test('an epic that is removed while it is moved among its siblings is not found there', async () => {
  const { owner, p, a, b, rows } = await withChildren()

  const moved = await besideChange(
    [`select from epics where id = ${p.id} for no key update`, `update epics set parent_id = null, position = 0 where id = ${a.id}`],
    () => owner.put(`${p.url}/epics/${a.id}`, { move_before_id: b.id }),
  )

  assert.deepEqual(moved, NOT_FOUND)
  assert.deepEqual(await rows(), [
    [null, 0],
    [p.id, 1],
  ])
})

test('an epic that comes below another one beside a change of the order stands last', async () => {
  const { group, owner, p, a, b, children } = await withChildren()
  const order = (id: number, position: number) => [
    `select from epics where id = ${p.id} for no key update`,
    `update epics set position = ${position} where id = ${id}`,
  ]
  const { body: c } = await owner.post(`${group.url}/epics`, { title: 'c' })

  await besideChange(order(a.id, 3), () => owner.post(`${p.url}/epics/${c.id}`))
  await besideChange(order(c.id, 6), () => owner.put(`${group.url}/epics/${c.iid}`, { parent_id: 0 }))
  await besideChange(order(b.id, 7), () => owner.post(`${p.url}/epics`, { title: 'd' }))

  assert.deepEqual(await children('p'), ['a', 'b', 'd'])
})
