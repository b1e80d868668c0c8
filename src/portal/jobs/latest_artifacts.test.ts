/** Addresses of artifacts by a branch or tag and the name of a job. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { uploadTo } from '../../ci/artifacts/scene.ts'
import { zipOf } from '../../ci/artifacts/zip/scene.ts'
import { endJob, runningJob } from '../../ci/jobs/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import { readingsOf } from './latest_artifacts.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

test('they lead to the job of the latest successful pipeline; a path keeps its escapes, a branch its slashes', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  const visitor = await surfer()
  const latest = async (ref: string) => {
    const job = await runningJob(scene, project, owner, { name: 'build', ref })
    await uploadTo(scene, job, await zipOf({ 'out/a b.txt': ref }), { expire_in: '1 day' })
    await endJob(scene, job)
    await scene.deps.database.db.updateTable('pipelines').set({ status: 'success' }).where('id', '=', job.pipelineId).execute()
    return job.id
  }
  await owner.post(`${project.url}/repository/branches`, { branch: 'feature/raw', ref: 'main' })
  const jobs = { main: await latest('main'), 'feature/raw': await latest('feature/raw') }
  const base = `/${project.full_path}/-/jobs`

  for (const [ref, id] of Object.entries(jobs)) {
    for (const [asked, led] of [
      ['download', 'download'],
      ['browse', 'browse'],
      ['browse/out', 'browse/out'],
      ['file/out/a%20b.txt', 'file/out/a%20b.txt'],
      ['raw/out/a%20b.txt', 'raw/out/a%20b.txt'],
    ]) {
      const answer = await visitor.get(`${base}/artifacts/${ref}/${asked}?job=build`)
      assert.deepEqual([answer.status, answer.headers.location], [303, `${base}/${id}/artifacts/${led}`], `${ref} ${asked}`)
    }
    assert.equal((await visitor.get(`${base}/${id}/artifacts/raw/out/a%20b.txt`)).status, 200)
  }
  for (const [address, status] of [
    ['main/download?job=test', 404],
    ['other/download?job=build', 404],
    ['main?job=build', 404],
    ['main/download', 400],
  ] as const)
    assert.equal((await visitor.get(`${base}/artifacts/${address}`)).status, status, address)
})

test('an address is read in each way that a name with slashes allows', () => {
  assert.deepEqual(readingsOf('a/raw/raw/b'), [
    { ref: 'a', place: 'raw/raw/b' },
    { ref: 'a/raw', place: 'raw/b' },
  ])
  assert.deepEqual(readingsOf('a/download/b/download'), [{ ref: 'a/download/b', place: 'download' }])
  assert.deepEqual(readingsOf('raw/x'), [])
  assert.equal(readingsOf(`a${'/raw'.repeat(100)}`).length, 4)
})
