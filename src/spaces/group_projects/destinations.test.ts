/** Groups to choose from: those that a place is shared with, can be shared with, and can be moved to. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Query } from '../../../test/client.ts'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()
const ids = (answer: { body: { id: number }[] }) => answer.body.map(row => row.id)
const share = async (place: { url: string }, group: { id: number }) =>
  assert.equal((await scene.root.post(`${place.url}/share`, { group_id: group.id, group_access: 30 })).status, 201)

test('the groups that a place is shared with are listed, those of the groups around it too', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  const { group: near } = await scene.group({ owner, name: 'Near by' })
  const { group: far } = await scene.group({ visibility: 'public', name: 'Far away' })
  const { group: hidden } = await scene.group()
  await share(project, near)
  await share(project, hidden)
  await share(group, far)

  const list = async (query: Query = {}) => ids(await owner.get(`${project.url}/invited_groups`, query))
  assert.deepEqual(await list(), [far.id, near.id], 'by name, without what the caller may not see')
  assert.deepEqual(await list({ relation: 'direct' }), [near.id])
  assert.deepEqual(await list({ relation: 'inherited' }), [far.id])
  assert.deepEqual(await list({ search: 'near' }), [near.id])
  assert.deepEqual(await list({ min_access_level: 50 }), [near.id])
  assert.deepEqual(ids(await owner.get(`${group.url}/invited_groups`)), [far.id])
})

test('a project can be shared with groups of the caller that neither hold it nor share it', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  const { group: shared } = await scene.group({ owner })
  const { group: free } = await scene.group({ owner })
  await scene.group({ visibility: 'public' })
  await share(project, shared)

  assert.deepEqual(ids(await owner.get(`${project.url}/share_locations`)), [free.id])
  assert.equal((await (await scene.user()).get(`${project.url}/share_locations`)).status, 404)
})

test('a project can be moved to groups that let the caller create projects', async () => {
  const { project, owner } = await scene.project()
  const { group: own } = await scene.group({ owner, name: 'Own' })
  const { group: closed } = await scene.group({ owner })
  await owner.put(closed.url, { project_creation_level: 'noone' })
  const { group: other, owner: others } = await scene.group({ name: 'Zoo' })
  await others.post(`${other.url}/members`, { user_id: owner.id, access_level: 20 })

  const list = async () => ids(await owner.get(`${project.url}/transfer_locations`))
  assert.deepEqual(await list(), [own.id])
  await others.put(`${other.url}/members/${owner.id}`, { access_level: 30 })
  assert.deepEqual(await list(), [own.id, other.id])
  assert.equal((await owner.put(`${project.url}/transfer`, { namespace: own.id })).status, 200)
  assert.deepEqual(await list(), [other.id])
})

test('a group can be moved to groups of the caller, but not to itself, its parent or below it', async () => {
  const { group: parent, owner } = await scene.group()
  const { group } = await scene.group({ parent, owner })
  await scene.group({ parent: group, owner })
  const { group: free } = await scene.group({ owner })
  await scene.group()

  assert.deepEqual(ids(await owner.get(`${group.url}/transfer_locations`)), [free.id])
})
