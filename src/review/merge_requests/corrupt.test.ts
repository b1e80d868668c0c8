/** A repository that is corrupt on disk is refused clearly and does not affect anything else. */
import assert from 'node:assert/strict'
import { readdir, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openScene, type SceneProject } from '../../../test/scene.ts'
import { git } from '../../platform/git/scene.ts'
import { checkMergeability } from './merging/mergeability/check.ts'

const scene = await openScene({ failuresExpected: true })
const { deps, root } = scene

const repositoryOf = (project: SceneProject) => deps.storages.repository({ id: project.id, repository_storage: 'default' })

/** Truncates every object of a repository, packs included; references stay. */
async function breakObjects(project: SceneProject): Promise<void> {
  const { path } = repositoryOf(project)
  git(repositoryOf(project), ['repack', '-a', '-d', '-q'])
  const pack = join(path, 'objects/pack')
  for (const name of await readdir(pack)) await (name.endsWith('.pack') ? truncate(join(pack, name), 100) : rm(join(pack, name)))
}

test('a corrupt repository is a 5xx without server details, its rows stay readable, and other repositories work', async () => {
  const [{ project: broken }, { project: sound }] = [await scene.project(), await scene.project()]
  const [proposal, other] = [await scene.mergeRequest(broken), await scene.mergeRequest(sound)]
  await breakObjects(broken)

  for (const [method, path] of [
    ['get', '/changes'],
    ['get', '/commits'],
    ['get', '/raw_diffs'],
    ['get', '/merge_ref'],
    ['put', '/merge'],
  ] as const) {
    const { status, body } = await root[method](proposal.url + path)
    assert.ok(status >= 500 && status < 600, `${method} ${path} was answered ${status} ${JSON.stringify(body)}`)
    assert.doesNotMatch(JSON.stringify(body), /repositories|objects|\.git|\.ts/)
  }

  // The database is intact.
  const { status, body } = await root.get(proposal.url)
  assert.deepEqual([status, body.state, body.sha], [200, 'opened', proposal.sha])
  assert.equal((await root.post(`${proposal.url}/notes`, { body: 'Broken?' })).status, 201)
  assert.equal((await root.get(`${broken.url}/merge_requests`)).body.length, 1)

  const { body: merged } = await root.put(`${other.url}/merge`)
  assert.equal(merged.state, 'merged')
  assert.equal((await root.get(`${other.url}/changes`)).status, 200)
})

test('the merge check fails on a corrupt repository and leaves the merge request unchecked', async () => {
  const { project } = await scene.project()
  const proposal = await scene.mergeRequest(project)
  await breakObjects(project)

  await assert.rejects(checkMergeability(deps, { merge_request_id: proposal.id }))

  assert.equal((await root.get(proposal.url)).body.merge_status, 'unchecked')
})
