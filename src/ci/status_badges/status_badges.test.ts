/** The badges of branches at the addresses that READMEs have. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { jobOf, pipelineOf } from '../scene.ts'
import { encodeBadgePath } from './address.ts'

const scene = await openScene()

test('an address has one segment for the project and one for the branch', () => {
  const addresses = [
    ['/a/b/badges/main/pipeline.svg', '/a%2Fb/badges/main/pipeline.svg'],
    ['/a/b/c/badges/feature/x/coverage.svg?job=unit', '/a%2Fb%2Fc/badges/feature%2Fx/coverage.svg?job=unit'],
    ['/a/badges/main/pipeline.svg', undefined],
    ['/a/b/-/raw/main/badges/x/pipeline.svg', undefined],
    ['/api/v4/projects/badges/x/pipeline.svg', undefined],
    ['/a/b/badges/main/release.svg', undefined],
  ] as const
  for (const [address, routed] of addresses) assert.equal(encodeBadgePath(address), routed, address)
})

test('a badge says how the pipeline at the tip of a branch went, and a client that has it is answered 304', async () => {
  const { project } = await scene.project({ visibility: 'public' })
  const badge = `${scene.url}/${project.full_path}/badges/feature/lamp/pipeline.svg`
  await scene.commit(project, { a: 'a' })
  const sha = await scene.commit(project, { b: 'b' }, { branch: 'feature/lamp', start_branch: 'main' })
  assert.match((await scene.anonymous.get(badge)).body, /pipeline: unknown/)

  await pipelineOf(scene, project, { ref: 'feature/lamp', sha, status: 'success' })
  await pipelineOf(scene, project, { ref: 'feature/lamp', sha, status: 'skipped' })
  const shown = await scene.anonymous.get(badge, { ignore_skipped: 'true' })

  assert.equal(shown.headers['content-type'], 'image/svg+xml')
  assert.match(String(shown.body), /^<svg .*pipeline: passed/)
  assert.match((await scene.anonymous.get(badge)).body, /pipeline: skipped/)
  const again = await scene.as({ 'if-none-match': String(shown.headers.etag) }).get(badge, { ignore_skipped: 'true' })
  assert.equal(again.status, 304)
})

test('coverage is the mean of the jobs of the newest pipeline that succeeded, or that of one of them', async () => {
  const { project } = await scene.project({ visibility: 'public' })
  const badge = `${scene.url}/${project.full_path}/badges/main/coverage.svg`
  const sha = await scene.commit(project, { a: 'a' })
  assert.match((await scene.anonymous.get(badge)).body, /coverage: unknown/)
  const pipeline = await pipelineOf(scene, project, { sha, status: 'success' })
  await jobOf(scene, pipeline, { name: 'unit', coverage: 98 })
  await jobOf(scene, pipeline, { name: 'whole', coverage: 61 })
  await pipelineOf(scene, project, { sha, status: 'failed' })

  const [mean, unit, renamed] = await Promise.all([
    scene.anonymous.get(badge),
    scene.anonymous.get(badge, { job: 'unit', style: 'flat-square' }),
    scene.anonymous.get(badge, { key_text: '<b>"&\u0007', key_width: 80 }),
  ])

  assert.match(mean.body, /coverage: 79\.50%/)
  assert.equal((await scene.as({ 'if-none-match': String(mean.headers.etag) }).get(badge)).status, 304)
  assert.match(unit.body, /rx="0".*coverage: 98\.00%|coverage: 98\.00%.*rx="0"/)
  assert.match(renamed.body, /<rect width="80".*&lt;b&gt;&quot;&amp; </)
  assert.equal((await scene.anonymous.get(badge, { key_width: 0 })).status, 400)
})

test('a badge is shown to those who may see the pipelines', async () => {
  const { project, owner } = await scene.project({ visibility: 'private' })
  const badge = `${scene.url}/${project.full_path}/badges/main/pipeline.svg`
  assert.equal((await owner.get(badge)).status, 200)
  for (const kind of ['pipeline', 'coverage']) assert.equal((await scene.anonymous.get(badge.replace('pipeline', kind))).status, 404)
  const open = await scene.project({ visibility: 'public' })
  await open.owner.put(open.project.url, { public_jobs: false })
  assert.equal((await scene.anonymous.get(`${scene.url}/${open.project.full_path}/badges/main/pipeline.svg`)).status, 401)
})
