/** Limits of the instance hold for what an archive brings. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { archiveWith, exported, imported } from '../scene.ts'

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
