/** References and pages of repositories that an import meets. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { allRefs, setRef, streamBundle } from '../../../platform/git/index.ts'
import { formWith } from '../../../spaces/uploads/scene.ts'
import { archiveWith, imported } from '../scene.ts'
import { importArchive } from './task.ts'

const scene = await openScene()
const owner = await scene.user()
const repositoryOf = (id: number) => scene.deps.storages.repository({ id, repository_storage: 'default' })

/** A project with a commit, and its repository as a bundle; `refs` point to the commit, too. */
async function bundled(refs: readonly string[]) {
  const { project } = await scene.project({ owner })
  const sha = await scene.commit(project, { 'a.txt': 'a' })
  const repository = repositoryOf(project.id)
  for (const ref of refs) await setRef(repository, ref, sha as never)
  const chunks: Buffer[] = []
  for await (const chunk of (await streamBundle(repository)) as AsyncIterable<Buffer>) chunks.push(chunk)
  return { bundle: Buffer.concat(chunks), sha }
}

const fromFork = (iid: number, source_branch: string, sha: unknown) => ({
  iid,
  title: 'Lamp',
  state: 'opened',
  source_branch,
  target_branch: 'main',
  source_project_id: 2,
  target_project_id: 1,
  diff_head_sha: sha,
  merge_request_diff: { base_commit_sha: sha, start_commit_sha: sha, head_commit_sha: sha },
})

test('a branch of a fork whose name clashes with a branch or its folder gets another one', async () => {
  const { bundle, sha } = await bundled(['refs/heads/lamp', 'refs/heads/deep/er'])
  const rows = ['main', 'lamp/new', 'deep', 'fresh'].map((branch, at) => fromFork(at + 1, branch, sha))
  const { url, state } = await imported(
    scene,
    owner,
    await archiveWith({ 'project.bundle': bundle, 'tree/project/merge_requests.ndjson': rows }),
  )
  assert.equal(state.import_status, 'finished', state.import_error)
  const found = (await owner.get(`${url}/merge_requests?sort=asc`)).body as { state: string; source_branch: string }[]
  assert.deepEqual(
    found.map(({ state, source_branch }) => [state, source_branch]),
    [
      ['opened', 'fork-1-main'],
      ['opened', 'fork-2-lamp/new'],
      ['opened', 'fork-3-deep'],
      ['opened', 'fresh'],
    ],
  )
})

test('heads of merge requests that the archive has not are dropped', async () => {
  const { bundle, sha } = await bundled(['refs/merge-requests/1/head', 'refs/merge-requests/7/head'])
  const { id, state } = await imported(
    scene,
    owner,
    await archiveWith({ 'project.bundle': bundle, 'tree/project/merge_requests.ndjson': [fromFork(1, 'lamp', sha)] }),
  )
  assert.equal(state.import_status, 'finished', state.import_error)
  const heads = [...(await allRefs(repositoryOf(id))).keys()].filter(ref => ref.startsWith('refs/merge-requests/'))
  assert.deepEqual(heads, ['refs/merge-requests/1/head'])
})

test('pages of the wiki that were written before the import stay', async () => {
  const { bundle } = await bundled([])
  for (const [path, archive, error] of [
    ['pages', await archiveWith({ 'project.wiki.bundle': bundle }), 'The wiki of the project was written to before it was imported.'],
    ['pages-too', Buffer.from('lamp'), 'The archive is damaged or is no tar.gz file.'],
  ] as const) {
    const { body } = await owner.post('/projects/import', formWith('file', 'export.tar.gz', archive, { path }))
    const page = { title: 'Mine', content: 'Written before' }
    assert.equal((await owner.post(`/projects/${body.id}/wikis`, page)).status, 201)
    await importArchive(scene.deps, { project_id: body.id })
    const state = (await owner.get(`/projects/${body.id}/import`)).body
    assert.deepEqual([state.import_status, state.import_error], ['failed', error])
    assert.equal((await owner.get(`/projects/${body.id}/wikis/Mine`)).body.content, page.content)
  }
})
