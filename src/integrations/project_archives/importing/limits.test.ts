/** Limits of the instance hold for what an archive brings. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { formWith } from '../../../spaces/uploads/scene.ts'
import { archiveWith, exported, imported, runExport } from '../scene.ts'
import { runImport } from './task.ts'

const scene = await openScene()
const { db } = scene.deps.database

test('keeps to what the instance allows of snippets', async () => {
  const { project, owner } = await scene.project()
  for (const visibility of ['public', 'private'])
    await owner.post(`${project.url}/snippets`, {
      title: 'A script',
      visibility,
      files: [{ file_path: 'run.sh', content: 'a'.repeat(200) }],
    })
  const bytes = await exported(scene, owner, project)
  const text = await archiveWith({ 'tree/project/snippets.ndjson': [{ title: 'Text', content: 'a'.repeat(200), file_name: 'a.txt' }] })
  const before = (await scene.root.get('/application/settings')).body
  try {
    await scene.root.put('/application/settings', { restricted_visibility_levels: ['public'] })
    const { url, state } = await imported(scene, owner, bytes)
    assert.equal(state.import_status, 'finished', state.import_error)
    const levels = (await owner.get(`${url}/snippets`)).body.map((snippet: { visibility: string }) => snippet.visibility)
    assert.deepEqual(levels.sort(), ['internal', 'private'])
    await scene.root.put('/application/settings', { snippet_size_limit: 100 })
    for (const [archive, error] of [
      [bytes, 'content run.sh is too long (200 bytes). The maximum size is 100 bytes.'],
      [text, 'content is too long (200 bytes). The maximum size is 100 bytes.'],
    ] as const) {
      const { state } = await imported(scene, owner, archive)
      assert.deepEqual([state.import_status, state.import_error], ['failed', error])
    }
  } finally {
    const { restricted_visibility_levels, snippet_size_limit } = before
    await scene.root.put('/application/settings', { restricted_visibility_levels, snippet_size_limit })
  }
})

test('asks for room before it stores anything: snippets and files count', async () => {
  const owner = await scene.user()
  await scene.root.put('/application/settings', { repository_size_limit: 1 })
  const objects = () => db.selectFrom('stored_objects').select('id').execute()
  for (const name of [`snippets/${'a'.repeat(64)}.bundle`, `uploads/${'a'.repeat(32)}/lamp.txt`, `lfs-objects/${'b'.repeat(64)}`]) {
    const bytes = await archiveWith({ [name]: 'a'.repeat(2 * 1024 * 1024) })
    const count = (await objects()).length
    const { state } = await imported(scene, owner, bytes)
    assert.equal(state.import_status, 'failed', name)
    assert.match(state.import_error, /limit/)
    assert.ok((await objects()).length <= count + 1, 'the archive alone')
  }
})

test('exports that are switched off are 404, for all, and imports from a source that is switched off 403', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  await exported(scene, owner, project)
  const set = (settings: object) => scene.root.put('/application/settings', settings)
  const before = (await scene.root.get('/application/settings')).body
  const form = async () => formWith('file', 'export.tar.gz', await archiveWith({}), { path: 'from-archive' })
  const forbidden = { status: 403, body: { message: '403 Forbidden' } }
  try {
    await set({ project_export_enabled: false, import_sources: 'github' })
    const missing = { status: 404, body: { message: '404 Not Found' } }
    for (const person of [owner, developer, scene.root]) {
      assert.deepEqual(await person.get(`${project.url}/export`), missing)
      assert.deepEqual(await person.get(`${project.url}/export/download`), missing)
      assert.deepEqual(await person.post(`${project.url}/export`), missing)
    }
    assert.deepEqual(await owner.post('/projects/import', await form()), forbidden)
    assert.deepEqual(await owner.post('/projects/remote-import', { path: 'x', url: 'https://files.example.com/a.tar.gz' }), forbidden)
    const import_url = 'https://git.example.com/lamp.git'
    assert.deepEqual(await owner.post('/projects', { name: 'By address', import_url }), forbidden)
    assert.deepEqual(await owner.put(project.url, { import_url }), forbidden)
    assert.equal((await owner.get(project.url)).body.import_url ?? null, null)
    await set({ import_sources: ['git', 'gitlab_project'] })
    assert.equal((await owner.post('/projects/import', await form())).status, 201)
    assert.deepEqual((await set({ import_sources: ['nowhere'] })).status, 400)
  } finally {
    const { project_export_enabled, import_sources } = before
    assert.deepEqual([project_export_enabled, import_sources.length], [true, 10], 'all is allowed until it is changed')
    await set({ project_export_enabled, import_sources })
  }
  assert.equal((await owner.get(`${project.url}/export`)).body.export_status, 'finished')
})

test('an export that waits is not made when exports are switched off, and none is handed out that was being made', async () => {
  const { project, maintainer, owner } = await scene.project({ members: ['maintainer'] })
  const set = (project_export_enabled: boolean) => scene.root.put('/application/settings', { project_export_enabled })
  const stateOf = () =>
    db.selectFrom('project_exports').select(['state', 'error', 'object_id']).where('project_id', '=', project.id).executeTakeFirst()
  const ask = async () => assert.equal((await maintainer.post(`${project.url}/export`)).status, 202)
  /** Makes the archive; `during` is done while its bytes are stored. */
  const make = (during?: () => Promise<unknown>) => {
    const objects = Object.create(scene.deps.objects) as typeof scene.deps.objects
    objects.put = async (...given) => {
      await during?.()
      return scene.deps.objects.put(...given)
    }
    return runExport({ deps: { ...scene.deps, objects } }, project.id)
  }
  const off = { state: 'failed', error: 'Exports of projects are switched off.', object_id: null }
  try {
    await ask()
    await set(false)
    await make()
    assert.deepEqual(await stateOf(), off)
    await set(true)
    await ask()
    await make(() => set(false))
    assert.deepEqual(await stateOf(), off)
    await set(true)
    await ask()
    await make(() => owner.put(`${project.url}/members/${maintainer.id}`, { access_level: 10 }))
    const error = 'The account that asked for the export may not export the project any more.'
    assert.deepEqual(await stateOf(), { ...off, error })
  } finally {
    await set(true)
  }
})

test('an archive that is larger than the instance takes is 413', async () => {
  const owner = await scene.user()
  const large = await archiveWith({ 'uploads/noise': randomBytes(1_200_000) })
  await scene.root.put('/application/settings', { max_import_size: 1 })
  try {
    for (const path of ['/projects/import', '/groups/import']) {
      const answer = await owner.post(path, formWith('file', 'export.tar.gz', large, { path: 'too-large', name: 'Large' }))
      assert.deepEqual([answer.status, answer.body], [413, { message: '413 Request Entity Too Large - the limit is 1048576 bytes' }])
    }
  } finally {
    await scene.root.put('/application/settings', { max_import_size: 0 })
  }
})

test('rights are asked again before rows are written: files and repositories may take hours', async () => {
  const { group, owner } = await scene.group({})
  for (const [lose, error] of [
    [(id: number) => owner.delete(`${group.url}/members/${id}`), /may not administer the project any more/],
    [(id: number) => scene.root.post(`/users/${id}/block`), /is not active/],
  ] as const) {
    const person = await scene.user()
    await owner.post(`${group.url}/members`, { user_id: person.id, access_level: 40 })
    const form = formWith('file', 'export.tar.gz', await archiveWith({}), { path: `slow-${person.id}`, namespace: group.full_path })
    const { id } = (await person.post('/projects/import', form)).body
    await runImport(scene.deps, id, async ({ folder }) => {
      await mkdir(join(folder, 'tree'))
      await writeFile(join(folder, 'VERSION'), '0.2.4')
      await writeFile(join(folder, 'tree', 'project.json'), '{"description":"From elsewhere"}')
      return {
        fill: async () => {
          await lose(person.id)
          return { repository: undefined, head: undefined }
        },
      }
    })
    const state = (await owner.get(`/projects/${id}/import`)).body
    assert.equal(state.import_status, 'failed')
    assert.match(state.import_error, error)
    assert.equal((await owner.get(`/projects/${id}`)).body.description, null)
  }
})
