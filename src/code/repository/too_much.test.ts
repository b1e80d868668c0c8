/** Repositories that are small and made so that git takes all the memory of a machine for them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { importCommits } from '../../platform/git/scene.ts'

const scene = await openScene()

/** A public project with a commit of so many lines without a word. Git takes some 110 bytes of memory for each. */
async function ofEmptyLines(count: number) {
  const { project } = await scene.project({ visibility: 'public' })
  const first = await scene.commit(project, { 'README.md': 'Lines.\n' })
  const repository = scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })
  const id = importCommits(repository, 'main', [{ files: { 'lines.txt': '\n'.repeat(count) } }])
  return { first, id, url: `${project.url}/repository`, page: `/${project.full_path}` }
}

test('files for whose comparison git would take all the memory count as binary ones, and other reads that would are refused', async () => {
  const { first, id, url, page } = await ofEmptyLines(20_000_000)
  const { anonymous } = scene

  const commit = await anonymous.get(`${url}/commits/${id}`)
  assert.deepEqual([commit.status, commit.body.stats], [200, { additions: 0, deletions: 0, total: 0 }])
  assert.equal((await anonymous.get(`${url}/commits`)).body[0].id, id)
  const compared = await anonymous.get(`${url}/compare`, { from: first, to: id })
  assert.deepEqual([compared.status, compared.body.commits.length, compared.body.compare_timeout], [200, 1, false])
  assert.deepEqual(
    compared.body.diffs.map(({ new_path, diff }: { new_path: string; diff: string }) => [new_path, diff]),
    [['lines.txt', 'Binary files /dev/null and b/lines.txt differ\n']],
  )
  // Its output has a limit of its own.
  assert.ok([413, 503].includes((await anonymous.get(`${url}/files/lines.txt/blame`, { ref: 'main' })).status))
  const shown = await fetch(`${scene.url}${page}/-/commit/${id}`, { headers: { accept: 'text/html' } })
  await shown.arrayBuffer()
  assert.equal(shown.status, 200)
})

test('an archive whose formats take more memory than there is for one process ends', async () => {
  const { project } = await scene.project({ visibility: 'public' })
  await scene.commit(project, { 'wide.txt': '$Format:%<(16000)%H$\n'.repeat(150_000), '.gitattributes': 'wide.txt export-subst\n' })
  const ended = fetch(`${scene.url}/api/v4${project.url}/repository/archive.zip`).then(answer =>
    answer.ok ? answer.arrayBuffer() : Promise.reject(new Error(`${answer.status}`)),
  )
  await assert.rejects(ended)
  assert.equal((await scene.anonymous.get(project.url)).status, 200)
})

test('what may take long for a repository that was made for it takes one of the few places of its caller', async () => {
  const { endpoints } = await import('../../server/endpoints.ts')
  const costs = new Map<string, string | undefined>(endpoints.map(({ route, cost }) => [route, cost]))
  for (const route of [
    'GET /projects/:id/repository/commits',
    'GET /projects/:id/repository/commits/:sha',
    'GET /projects/:id/repository/commits/:sha/refs',
    'GET /:project_path/-/commits/*revision_path',
    'GET /:project_path/-/commits.atom/*revision_path',
    'GET /projects/:id/repository/files/:file_path',
    'GET /projects/:id/repository/files/:file_path/raw',
    'GET /:project_path/-/blob/*revision_path',
    'GET /:project_path/-/edit/*revision_path',
    'GET /projects/:id/repository/merge_base',
    'GET /projects/:id/repository/tags',
    'GET /:project_path/-/tags.atom',
    'POST /projects/:id/repository/commits',
    'PUT /projects/:id/repository/files/:file_path',
    'DELETE /projects/:id/repository/files/:file_path',
    'POST /:project_path/-/edit/*revision_path',
  ])
    assert.ok(['walk', 'heavy'].includes(costs.get(route) as string), route)
})
