/** Repositories stay packed. */
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openScene } from '../../test/scene.ts'
import { tidyRepository } from './upkeep.ts'

const scene = await openScene()

const packsOf = async (path: string) => (await readdir(join(path, 'objects', 'pack'))).filter(name => name.endsWith('.pack'))

test('many pushes ask for one look at the repository, an hour after the first of them', async () => {
  const { project } = await scene.project()
  scene.setTime('2031-01-01T10:00:00Z')
  await scene.commit(project, { 'a.txt': 'a' })
  scene.setTime('2031-01-01T10:40:00Z')
  await scene.commit(project, { 'b.txt': 'b' })
  scene.setTime(undefined)

  const { rows } = await sql<{ run_at: string }>`
    select run_at from graphile_worker.jobs where key = ${`tidy_repository ${project.id}`}`.execute(scene.deps.database.db)

  assert.deepEqual(rows, [{ run_at: '2031-01-01T11:00:00.000Z' }])
})

test('a repository of many packs becomes one of one pack, with all its commits; a tidy one is left alone', async () => {
  const { project, owner } = await scene.project()
  // A commit of this many objects is kept as a pack of its own.
  for (let n = 0; n < 22; n++)
    await scene.commit(project, Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`${n}/file${i}.txt`, `${n} ${i}`])))
  const { path } = scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })
  const before = await packsOf(path)

  await tidyRepository(scene.deps, { project_id: project.id })
  const [pack, ...more] = await packsOf(path)
  await tidyRepository(scene.deps, { project_id: project.id })

  assert.ok(before.length > 20, `${before.length} packs`)
  assert.deepEqual(more, [])
  assert.deepEqual(await packsOf(path), [pack])
  const { body, headers } = await owner.get(`${project.url}/repository/commits`)
  assert.equal(headers['x-total'], '22')
  assert.equal(body[0].title, 'Change files')
})

test('a project that is gone, or that has no repository yet, needs nothing', async () => {
  const { project } = await scene.project()

  await tidyRepository(scene.deps, { project_id: project.id })
  await tidyRepository(scene.deps, { project_id: 0 })
})
