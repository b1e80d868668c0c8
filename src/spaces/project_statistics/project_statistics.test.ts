/** Statistics of projects (document 3 "Project"; decision 48). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type SceneProject } from '../../../test/scene.ts'
import { tasksOf } from '../../server/tasks.ts'

const scene = await openScene()
const { survey_repository } = tasksOf(scene.deps)
const measure = (project: SceneProject) => survey_repository({ project_id: project.id }, undefined)

test('statistics count commits and bytes of the real repository, and are updated after every move of references', async () => {
  const { project, owner } = await scene.project()
  const asked = async () => (await owner.get(project.url, { statistics: true })).body.statistics
  assert.deepEqual(await asked(), {
    commit_count: 0,
    storage_size: 0,
    repository_size: 0,
    wiki_size: 0,
    lfs_objects_size: 0,
    job_artifacts_size: 0,
    packages_size: 0,
    snippets_size: 0,
  })

  await scene.commit(project, { 'a.txt': 'a' })
  await scene.commit(project, { 'b.txt': 'b' })
  const { rows } = await scene.deps.database.pool.query(`select from graphile_worker.jobs where key = $1`, [
    `survey_repository ${project.id}`,
  ])
  assert.equal(rows.length, 1, 'one task for both')
  await measure(project)

  const measured = await asked()
  assert.equal(measured.commit_count, 2)
  assert.ok(measured.repository_size > 0)
  assert.equal(measured.storage_size, measured.repository_size, 'the sum of the parts')
})

test('measuring a deleted project does nothing', async () => {
  await survey_repository({ project_id: 999_999_999 }, undefined)
})

test('statistics are shown on request to members from Reporter up (decision 48)', async () => {
  const { project, guest, reporter } = await scene.project({ visibility: 'public', members: ['guest', 'reporter'] })
  const outsider = await scene.user()
  const shown = async (person: typeof guest, query: Record<string, boolean> = { statistics: true }) =>
    'statistics' in (await person.get(project.url, query)).body

  assert.equal(await shown(guest), false)
  assert.equal(await shown(outsider), false)
  assert.equal(await shown(reporter), true)
  assert.equal(await shown(scene.root), true)
  assert.equal(await shown(reporter, {}), false)
  const listed = (await reporter.get('/projects', { statistics: true, membership: true })).body
  assert.equal(listed[0].statistics.commit_count, 0)
})

test('administrators sort by size; for others these orders are `created_at` (decision 48)', async () => {
  const person = await scene.user()
  const projects: SceneProject[] = []
  for (const size of [300, 100, 200]) {
    const { project } = await scene.project({ owner: person, path: `sized-${size}` })
    await scene.deps.database.db
      .updateTable('project_statistics')
      .set({ repository_size: size, packages_size: 1_000 - 2 * size, wiki_size: size, lfs_objects_size: size })
      .where('project_id', '=', project.id)
      .execute()
    projects.push(project)
  }
  const list = async (client: typeof person, order_by: string) =>
    (await client.get('/projects', { search: 'sized-', order_by, sort: 'asc' })).body.map((row: { path: string }) => row.path)

  const bySize = ['sized-100', 'sized-200', 'sized-300']
  assert.deepEqual(await list(scene.root, 'repository_size'), bySize)
  assert.deepEqual(await list(scene.root, 'wiki_size'), bySize)
  assert.deepEqual(await list(scene.root, 'packages_size'), bySize.toReversed())
  assert.deepEqual(await list(scene.root, 'storage_size'), bySize)
  for (const order of ['repository_size', 'storage_size', 'packages_size', 'wiki_size'])
    assert.deepEqual(await list(person, order), ['sized-300', 'sized-100', 'sized-200'], order)
})
