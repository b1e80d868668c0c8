/** Projects that are marked for deletion and restored (document 3 "Project"). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { tasksOf } from '../../../server/tasks.ts'

const scene = await openScene({ settings: { deletionDelay: '7' } })
const { remove_marked_projects } = tasksOf(scene.deps)

test('with a deletion delay a deleted project is archived and marked, and its owner restores it', async () => {
  const { project, owner, maintainer } = await scene.project({ members: ['maintainer'] })

  assert.equal((await owner.delete(project.url)).status, 204)
  const marked = (await owner.get(project.url)).body
  const today = new Date().toISOString().slice(0, 10)
  assert.deepEqual([marked.marked_for_deletion_on, marked.marked_for_deletion_at, marked.archived], [today, today, true])
  assert.equal((await owner.delete(project.url)).status, 204, 'again changes nothing')
  assert.equal((await owner.get(project.url)).status, 200)
  assert.equal((await maintainer.post(`${project.url}/restore`)).status, 403)
  const restored = await owner.post(`${project.url}/restore`)
  assert.deepEqual([restored.status, restored.body.marked_for_deletion_on, restored.body.archived], [201, null, false])
  assert.equal((await owner.post(`${project.url}/restore`)).status, 400, 'it is not marked any more')
})

test('the task deletes only projects whose delay has passed', async () => {
  const [{ project: due, owner }, { project: early }, { project: never }] = await Promise.all([
    scene.project(),
    scene.project(),
    scene.project(),
  ])
  for (const [project, days] of [
    [due, 7],
    [early, 6],
  ] as const) {
    await scene.root.delete(project.url)
    const marked_for_deletion_on = new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
    await scene.deps.database.db.updateTable('projects').set({ marked_for_deletion_on }).where('id', '=', project.id).execute()
  }

  await Promise.all([remove_marked_projects({}, undefined), remove_marked_projects({}, undefined)])

  assert.equal((await owner.get(due.url)).status, 404)
  for (const project of [early, never]) assert.equal((await scene.root.get(project.url)).status, 200)
  assert.equal((await owner.post('/projects', { name: due.name, path: due.path })).status, 201, 'its path is free')
})
