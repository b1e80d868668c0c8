/** A merge for which git would take all the memory of a machine. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { importCommits } from '../../../platform/git/scene.ts'

const scene = await openScene()

test('what takes git more memory to merge than there is for one process is not merged, and its merge request goes on answering', async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, { 'README.md': 'Lines.\n' })
  const repository = scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })
  const lines = (ending: string) => `${'\n'.repeat(20_000_000)}${ending}\n`
  const base = importCommits(repository, 'main', [{ files: { 'lines.txt': lines('one') } }])
  importCommits(repository, 'topic', [{ files: { 'lines.txt': lines('two') } }], base)
  importCommits(repository, 'main', [{ files: { 'lines.txt': lines('three') } }])
  const made = await owner.post(`${project.url}/merge_requests`, { source_branch: 'topic', target_branch: 'main', title: 'Lines' })
  assert.equal(made.status, 201)
  const url = `${project.url}/merge_requests/1`
  const refused = { status: 503, body: { message: '503 Service Unavailable - this takes git too much memory' } }

  assert.deepEqual(await owner.put(`${url}/merge`), refused)

  const after = await owner.get(url)
  assert.deepEqual([after.status, after.body.state], [200, 'opened'])
})
