/** Forks and imports from request to completion by the worker (decision 50). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnd } from '../../../test/at_end.ts'
import { eventually } from '../../../test/eventually.ts'
import { openScene, type Person } from '../../../test/scene.ts'
import { startWorker } from '../../platform/events/worker.ts'
import { tasksOf } from '../../server/tasks.ts'

const scene = await openScene({ settings: { outboundAllow: '127.0.0.1' } })
const { deps } = scene
const worker = await startWorker({ database: deps.database, tasks: tasksOf(deps), log: deps.log, concurrency: 2 })
atEnd(() => worker.stop())

/** Polls until the project is neither scheduled nor started. */
const settled = (person: Person, id: number) =>
  eventually(async () => {
    const { body } = await person.get(`/projects/${id}`)
    return !['scheduled', 'started'].includes(body.import_status) && body
  }, `project ${id} to be filled`)

test('a fork, a fork of the fork and an import are finished by the worker, with all commits', async () => {
  const { project } = await scene.project({ visibility: 'public' })
  const tip = await scene.commit(project, { 'README.md': '# Hello' })
  const [first, second] = [await scene.user(), await scene.user()]

  const fork = await settled(first, (await first.post(`${project.url}/fork`)).body.id)
  const again = await settled(second, (await second.post(`/projects/${fork.id}/fork`)).body.id)
  const import_url = `${scene.url}/${fork.path_with_namespace}.git`
  const imported = await settled(second, (await second.post('/projects', { name: 'Imported', import_url })).body.id)

  for (const made of [fork, again, imported]) {
    assert.equal(made.import_status, 'finished')
    assert.equal((await second.get(`/projects/${made.id}/repository/branches/main`)).body.commit.id, tip)
  }
  assert.equal(again.forked_from_project.id, fork.id)
  assert.equal((await second.get(project.url)).body.forks_count, 1)
})

test('an import that cannot be done is marked as failed, once', async () => {
  const person = await scene.user()
  const made = (await person.post('/projects', { name: 'Nothing', import_url: `${scene.url}/no/such.git` })).body
  const { import_status, import_error } = await settled(person, made.id)
  assert.deepEqual([import_status, import_error], ['failed', 'The remote repository could not be read'])
})
