/** Groups that are marked for deletion and restored (document 3 "Groups"). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { tasksOf } from '../../../server/tasks.ts'

const scene = await openScene({ settings: { deletionDelay: '7' } })
const { db } = scene.deps.database
const { remove_marked_groups } = tasksOf(scene.deps)

/** Marks a group some days ago. */
async function markEarlier({ id }: { id: number }, days: number): Promise<void> {
  const marked_for_deletion_on = new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
  await db.updateTable('namespaces').set({ marked_for_deletion_on }).where('id', '=', id).execute()
}

test('with a deletion delay a deleted group is marked and works on, and its owner restores it', async () => {
  const { group, owner, maintainer } = await scene.group({ members: ['maintainer'] })
  const { project } = await scene.project({ group, owner })

  assert.equal((await owner.delete(group.url)).status, 204)
  const today = new Date().toISOString().slice(0, 10)
  assert.equal((await owner.get(group.url)).body.marked_for_deletion_on, today)
  assert.equal((await owner.delete(group.url)).status, 204, 'again changes nothing')
  assert.equal((await owner.post(`${project.url}/issues`, { title: 'Still open' })).status, 201)
  assert.equal((await maintainer.post(`${group.url}/restore`)).status, 403)
  const restored = await owner.post(`${group.url}/restore`)
  assert.deepEqual([restored.status, restored.body.id, restored.body.marked_for_deletion_on], [201, group.id, null])
  const again = await owner.post(`${group.url}/restore`)
  assert.deepEqual([again.status, again.body.message], [400, '400 Bad request - Group has not been marked for deletion'])

  const entries = (await owner.get(`${group.url}/audit_events`)).body as { details: { change?: string; from?: unknown; to?: unknown } }[]
  const changes = entries.map(({ details }) => details).filter(details => details.change === 'marked_for_deletion_on')
  assert.deepEqual(
    changes.map(({ from, to }) => [from, to]),
    [
      [today, null],
      [null, today],
    ],
  )
})

test('the task deletes only groups whose delay has passed, with what is below them', async () => {
  const [due, early, never] = await Promise.all([scene.group(), scene.group(), scene.group()])
  const { group: below } = await scene.group({ parent: due.group, owner: due.owner })
  const { project } = await scene.project({ group: below, owner: due.owner })
  await markEarlier(due.group, 7)
  // A group below that is due too is gone with the one above.
  await markEarlier(below, 8)
  await markEarlier(early.group, 6)

  await Promise.all([remove_marked_groups({}, undefined), remove_marked_groups({}, undefined)])

  for (const { url } of [due.group, below, project]) assert.equal((await scene.root.get(url)).status, 404, url)
  for (const { group } of [early, never]) assert.equal((await scene.root.get(group.url)).status, 200)
  const { name, path } = due.group
  assert.equal((await due.owner.post('/groups', { name, path })).status, 201, 'its path is free')
})

test('a group whose removal has begun cannot be restored', async () => {
  const { group, owner } = await scene.group()
  await markEarlier(group, 7)

  const [restored] = await Promise.all([owner.post(`${group.url}/restore`), remove_marked_groups({}, undefined)])

  const kept = (await scene.root.get(group.url)).status === 200
  assert.equal(restored.status, kept ? 201 : 404)
})

test('below the premium tier a deleted group is gone', async () => {
  const free = await openScene({ settings: { deletionDelay: '7', tier: 'free' } })
  const { group, owner } = await free.group()

  assert.equal((await owner.delete(group.url)).status, 204)

  assert.equal((await owner.get(group.url)).status, 404)
  assert.equal((await owner.post(`${group.url}/restore`)).status, 404)
})
