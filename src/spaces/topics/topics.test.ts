/** Topics API: the topics of projects, with how many have each. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { formWith, png } from '../uploads/scene.ts'

const scene = await openScene()
const { root } = scene

let made = 0
const unique = (noun: string) => `${noun} ${++made}`

// biome-ignore lint/suspicious/noExplicitAny: JSON
const found = async (search: string): Promise<any[]> => (await scene.anonymous.get('/topics', { search })).body

test('a topic is created with its first project, and counts its projects as they are created, changed and deleted', async () => {
  const name = unique('boats')
  const { project, owner } = await scene.project({ topics: [name] })
  await scene.project({ topics: [name] })
  const [topic] = await found(name)
  assert.deepEqual(topic, { id: topic.id, name, title: name, description: null, total_projects_count: 2, avatar_url: null })

  await owner.put(project.url, { topics: ['other'] })
  assert.equal((await found(name))[0].total_projects_count, 1)
  await owner.put(project.url, { topics: [name, 'other'] })
  assert.equal((await found(name))[0].total_projects_count, 2)
  await owner.delete(project.url)
  assert.equal((await found(name))[0].total_projects_count, 1)
})

test('two projects that add the same topics concurrently are both counted', async () => {
  const [a, b] = [unique('race'), unique('race')]
  const [one, two] = [await scene.project(), await scene.project()]

  await Promise.all([one.owner.put(one.project.url, { topics: [a, b] }), two.owner.put(two.project.url, { topics: [b, a] })])

  assert.deepEqual([(await found(a))[0].total_projects_count, (await found(b))[0].total_projects_count], [2, 2])
})

test('topics are listed by how many projects have them', async () => {
  const noun = unique('sorted')
  await scene.project({ topics: [`${noun} few`, `${noun} many`] })
  await scene.project({ topics: [`${noun} many`] })

  assert.deepEqual(
    (await found(noun)).map(row => row.name),
    [`${noun} many`, `${noun} few`],
  )
})

test('administrators create, describe and delete topics, and others do not', async () => {
  const name = unique('gardens')
  const created = await root.post('/topics', { name, title: 'Gardens', description: 'Green' })
  assert.deepEqual(created, {
    status: 201,
    body: { id: created.body.id, name, title: 'Gardens', description: 'Green', total_projects_count: 0, avatar_url: null },
  })
  assert.deepEqual(await root.post('/topics', { name }), { status: 400, body: { message: { name: ['has already been taken'] } } })
  const one = `/topics/${created.body.id}`
  assert.deepEqual((await scene.anonymous.get(one)).body, created.body)
  assert.equal((await root.put(one, { description: 'Greener' })).body.description, 'Greener')
  assert.ok((await root.get('/topics', { search: name, without_projects: 'true' })).body.length === 1)

  const person = await scene.user()
  assert.equal((await person.post('/topics', { name: 'mine' })).status, 403)
  assert.equal((await person.put(one, { title: 'Mine' })).status, 403)
  assert.equal((await person.delete(one)).status, 403)

  assert.equal((await root.delete(one)).status, 204)
  assert.deepEqual(await root.get(one), { status: 404, body: { message: '404 Topic Not Found' } })
})

test('renaming and deleting a topic applies to its projects', async () => {
  const [before, after] = [unique('old'), unique('new')]
  const { project, owner } = await scene.project({ topics: ['kept', before] })
  const [topic] = await found(before)

  const renamed = await root.put(`/topics/${topic.id}`, { name: after })
  assert.deepEqual([renamed.body.id, renamed.body.name, renamed.body.total_projects_count], [topic.id, after, 1])
  assert.deepEqual((await owner.get(project.url)).body.topics, ['kept', after])
  assert.deepEqual(await found(before), [])
  assert.equal((await root.put(`/topics/${topic.id}`, { name: 'kept' })).status, 400)

  await root.delete(`/topics/${topic.id}`)
  assert.deepEqual((await owner.get(project.url)).body.topics, ['kept'])
  assert.deepEqual(await found(after), [])
})

test('topics are merged: every project of the first has the second, once', async () => {
  const [source, target] = [unique('source'), unique('target')]
  const { project: both, owner } = await scene.project({ topics: [source, target] })
  const { project: first } = await scene.project({ topics: [source], owner })
  const [[{ id: source_topic_id }], [{ id: target_topic_id }]] = [await found(source), await found(target)] as never as [
    [{ id: number }],
    [{ id: number }],
  ]

  const merged = await root.post('/topics/merge', { source_topic_id, target_topic_id })

  assert.deepEqual([merged.status, merged.body.id, merged.body.total_projects_count], [201, target_topic_id, 2])
  assert.deepEqual((await owner.get(both.url)).body.topics, [target])
  assert.deepEqual((await owner.get(first.url)).body.topics, [target])
  assert.deepEqual(await found(source), [])
  assert.equal((await root.post('/topics/merge', { source_topic_id: target_topic_id, target_topic_id })).status, 400)
  assert.equal((await root.post('/topics/merge', { source_topic_id, target_topic_id })).status, 404)
})

test('a topic has a picture, which everyone sees, and loses it again', async () => {
  const name = unique('lighthouses')
  const { body: topic } = await root.post('/topics', formWith('avatar', 'tower.png', png(8), { name, title: name }))
  assert.equal(topic.avatar_url, `${scene.url}/uploads/-/system/projects/topic/avatar/${topic.id}/tower.png`)
  const shown = await scene.anonymous.get(topic.avatar_url)
  assert.deepEqual([shown.status, shown.bytes.equals(png(8))], [200, true])

  const { body: changed } = await root.put(`/topics/${topic.id}`, formWith('avatar', 'other.png', png(9)))
  assert.match(changed.avatar_url, /other\.png$/)
  assert.equal((await scene.anonymous.get(topic.avatar_url)).status, 404)
  assert.equal((await root.put(`/topics/${topic.id}`, { description: 'Seen from far' })).body.avatar_url, changed.avatar_url)
  assert.equal((await root.put(`/topics/${topic.id}`, { avatar: '' })).body.avatar_url, null)
})
