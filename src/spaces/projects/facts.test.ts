/** The repository facts and secrets of a project (document 3 "Project"; decisions 44, 51). */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { tasksOf } from '../../server/tasks.ts'
import { knownLicenses } from '../licenses/known.ts'

const scene = await openScene()
const ids = (answer: { body: { id: number }[] }) => answer.body.map(row => row.id)

test('Maintainers and above see the runners token, which stays the same and is stored encrypted (decision 44)', async () => {
  const { project, owner, maintainer, developer } = await scene.project({ members: ['maintainer', 'developer'] })
  const { body } = await owner.get(project.url)
  assert.match(body.runners_token, /^[\w-]{20}$/)
  assert.equal((await maintainer.get(project.url)).body.runners_token, body.runners_token)
  assert.equal((await scene.root.get(project.url)).body.runners_token, body.runners_token)
  assert.ok(!('runners_token' in (await developer.get(project.url)).body))
  const row = await scene.deps.database.db
    .selectFrom('runners_tokens')
    .selectAll()
    .where('project_id', '=', project.id)
    .executeTakeFirstOrThrow()
  assert.ok(!JSON.stringify(row).includes(body.runners_token))
})

test('a licence is detected in its file, shown on request, and included in the answers of star and archive', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  const text = knownLicenses().get('mit')?.body.replace('[year]', '2021').replace('[fullname]', 'A Holder') as string
  await scene.commit(project, { LICENSE: text })

  const { body } = await owner.get(project.url, { license: true })
  assert.deepEqual([body.license.key, body.license.name], ['mit', 'MIT License'])
  assert.equal(body.license_url, `${scene.url}/${project.full_path}/-/blob/main/LICENSE`)
  assert.ok(!('license' in (await owner.get(project.url)).body))
  for (const operation of ['star', 'unstar', 'archive', 'unarchive'])
    assert.equal((await owner.post(`${project.url}/${operation}`)).body.license.key, 'mit', operation)
  await owner.put(project.url, { repository_access_level: 'private' })
  const outsider = await scene.user()
  assert.deepEqual((await outsider.get(project.url, { license: true })).body.license, null, 'who may not read code sees no licence')
})

test('the list of projects is filtered by failed repository checks (decision 51)', async () => {
  const person = await scene.user()
  const { project: whole } = await scene.project({ owner: person })
  const { project: damaged } = await scene.project({ owner: person })
  const list = async (query: Record<string, boolean>) => ids(await person.get('/projects', { owned: true, ...query }))
  assert.deepEqual(await list({ repository_checksum_failed: true }), [], 'a fresh project has none')

  for (const project of [whole, damaged]) await scene.commit(project, { 'a.txt': `${project.id}` })
  const repository = scene.deps.storages.repository({ id: damaged.id, repository_storage: 'default' })
  const blob: string = (await person.get(`${damaged.url}/repository/tree`)).body[0].id
  await rm(join(repository.path, 'objects', blob.slice(0, 2), blob.slice(2)))
  const { tidy_repository } = tasksOf(scene.deps)
  for (const project of [whole, damaged]) {
    assert.equal((await person.post(`${project.url}/housekeeping`)).status, 201)
    await tidy_repository({ project_id: project.id, always: true }, undefined)
  }

  assert.deepEqual(await list({ repository_checksum_failed: true }), [damaged.id])
  assert.deepEqual(await list({ wiki_checksum_failed: true }), [])
})

test('Maintainers request housekeeping, which is queued once', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  assert.equal((await developer.post(`${project.url}/housekeeping`)).status, 403)
  for (const _ of [1, 2]) assert.deepEqual(await owner.post(`${project.url}/housekeeping`), { status: 201, body: undefined })
  const { rows } = await scene.deps.database.pool.query('select from graphile_worker.jobs where key = $1', [
    `tidy_repository ${project.id}`,
  ])
  assert.equal(rows.length, 1)
})
