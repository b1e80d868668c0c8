/** gitbeaker moves a project and a group as archives. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gitlab } from '@gitbeaker/rest'
import { importGroupArchive } from '../../src/integrations/group_archives/importing/task.ts'
import { runGroupExport } from '../../src/integrations/group_archives/scene.ts'
import { importArchive } from '../../src/integrations/project_archives/importing/task.ts'
import { runExport } from '../../src/integrations/project_archives/scene.ts'
import { openScene } from '../scene.ts'

const scene = await openScene()

test('a project is exported, downloaded, and imported under another path', async () => {
  const { project, owner } = await scene.project({ description: 'Lamps' })
  const client = new Gitlab({ host: scene.url, token: owner.token })
  await scene.commit(project, { 'a.txt': 'a' })
  await client.Issues.create(project.id, 'The lamp is dark')

  // The types ask for an address; without one the archive is kept.
  const asked = await client.ProjectImportExports.scheduleExport(project.id, undefined as never)
  assert.deepEqual(asked, { message: '202 Accepted' })
  assert.equal((await client.ProjectImportExports.showExportStatus(project.id)).export_status, 'queued')
  await runExport(scene, project.id)
  assert.equal((await client.ProjectImportExports.showExportStatus(project.id)).export_status, 'finished')
  const content = await client.ProjectImportExports.download(project.id)

  const made = await client.ProjectImportExports.import({ content, filename: 'lamp.tar.gz' }, 'copied')
  assert.equal(made.import_status, 'scheduled')
  await importArchive(scene.deps, { project_id: made.id })
  assert.equal((await client.ProjectImportExports.showImportStatus(made.id)).import_status, 'finished')
  assert.deepEqual(
    (await client.Issues.all({ projectId: made.id })).map(({ title }) => title),
    ['The lamp is dark'],
  )
  assert.equal((await client.RepositoryFiles.showRaw(made.id, 'a.txt', 'main')) as unknown, 'a')
})

test('a group is exported, downloaded, and imported under another path', async () => {
  const { group, owner } = await scene.group({})
  const client = new Gitlab({ host: scene.url, token: owner.token })
  await client.GroupLabels.create(group.id, 'bug', '#ff0000')
  assert.deepEqual(await client.GroupImportExports.scheduleExport(group.id), { message: '202 Accepted' })
  await runGroupExport(scene, group.id)
  const content = (await client.GroupImportExports.download(group.id)) as unknown as Blob
  assert.deepEqual(await client.GroupImportExports.import({ content, filename: 'lamps.tar.gz' }, 'copied-group', { name: 'Copied' }), {
    message: '202 Accepted',
  })
  const made = await client.Groups.show('copied-group')
  await importGroupArchive(scene.deps, { group_id: made.id })
  assert.deepEqual(
    (await client.GroupLabels.all(made.id)).map(({ name }) => name),
    ['bug'],
  )
})
