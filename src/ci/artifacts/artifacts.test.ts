/** Artifacts of jobs (document 2 "Job artifacts"; decisions 25 to 27). */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Person, SceneProject } from '../../../test/scene.ts'
import { openScene } from '../../../test/scene.ts'
import { findProject } from '../../spaces/projects/scope.ts'
import { endJob, pendingJob, runningJob, type SceneJobOptions } from '../jobs/scene.ts'
import { removePipeline } from '../pipeline_actions/remove.ts'
import { eraseJob } from '../traces/erase.ts'
import { uploadTo } from './scene.ts'
import { oddZip, zipOf } from './zip/scene.ts'

const scene = await openScene()
const { db } = scene.deps.database

const archive = await zipOf({ 'out/hello.txt': 'Hello!\n', 'out/page.html': '<script>alert(1)</script>', 'größe.txt': 'big' })

/** A job that has ended, with an archive. */
async function jobWithArchive(
  project: SceneProject,
  person: Pick<Person, 'id'>,
  { bytes = archive, ...input }: SceneJobOptions & { bytes?: Buffer } = {},
) {
  const job = await runningJob(scene, project, person, input)
  const answer = await uploadTo(scene, job, bytes)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  await endJob(scene, job)
  return { ...job, url: `${project.url}/jobs/${job.id}/artifacts` }
}

const setPipeline = (id: number, values: { status?: 'success' | 'failed'; ref?: string; parent_id?: number; tag?: boolean }) =>
  db.updateTable('pipelines').set(values).where('id', '=', id).execute()

describe('by job (document 2 `GET /projects/:id/jobs/:job_id/artifacts`)', () => {
  test('the archive comes as it was uploaded, to be saved and never shown', async () => {
    const { project, owner, guest } = await scene.project({ members: ['guest'] })
    const { url } = await jobWithArchive(project, owner)

    const answer = await owner.get(url)

    assert.equal(answer.status, 200)
    assert.ok(answer.bytes.equals(archive))
    assert.equal(answer.headers['content-type'], 'application/zip')
    assert.equal(answer.headers['content-disposition'], 'attachment; filename="artifacts.zip"')
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
    assert.equal(answer.headers['content-length'], String(archive.length))
    assert.equal((await guest.get(url)).status, 200)
    await owner.put(project.url, { public_jobs: false })
    assert.equal((await guest.get(url)).status, 403, 'where jobs are not public that takes a reporter')
  })

  test('a part of it, its headers alone, and nothing where the client has it', async () => {
    const { project, owner } = await scene.project()
    const { url } = await jobWithArchive(project, owner)

    const part = await owner.get(url, {}, { range: 'bytes=2-5' })
    const head = await owner.head(url)
    const again = await owner.get(url, {}, { 'if-none-match': head.headers.etag as string })
    const beyond = await owner.get(url, {}, { range: `bytes=${archive.length}-` })

    assert.equal(part.status, 206)
    assert.ok(part.bytes.equals(archive.subarray(2, 6)))
    assert.equal(part.headers['content-range'], `bytes 2-5/${archive.length}`)
    assert.deepEqual([head.status, head.bytes.length, head.headers['content-length']], [200, 0, String(archive.length)])
    assert.equal(again.status, 304)
    assert.equal(beyond.status, 416)
  })

  test('404 for a job without an archive, for another project, and for no job', async () => {
    const { project, owner } = await scene.project()
    const { project: other } = await scene.project({ owner })
    const job = await pendingJob(scene, project, owner)
    const made = await jobWithArchive(project, owner)

    for (const path of [`${project.url}/jobs/${job.id}`, `${other.url}/jobs/${made.id}`, `${project.url}/jobs/999999999`])
      assert.equal((await owner.get(`${path}/artifacts`)).status, 404, path)
  })
})

describe('by reference (document 2 `GET /projects/:id/jobs/artifacts/:ref_name/download`; decision 26)', () => {
  const latest = (project: SceneProject, ref: string) => `${project.url}/jobs/artifacts/${encodeURIComponent(ref)}`

  test('of the latest pipeline that has succeeded, whatever failed after it', async () => {
    const { project, owner } = await scene.project()
    const old = await jobWithArchive(project, owner, { bytes: await zipOf({ a: 'old' }) })
    const good = await jobWithArchive(project, owner)
    const bad = await jobWithArchive(project, owner, { bytes: await zipOf({ a: 'bad' }) })
    for (const { pipelineId } of [old, good]) await setPipeline(pipelineId, { status: 'success' })
    await setPipeline(bad.pipelineId, { status: 'failed' })

    const answer = await owner.get(`${latest(project, 'main')}/download`, { job: 'build' })

    assert.equal(answer.status, 200)
    assert.ok(answer.bytes.equals(archive))
  })

  test('404 where the job of that name has not succeeded in it, even if an earlier one has', async () => {
    const { project, owner } = await scene.project()
    const earlier = await jobWithArchive(project, owner)
    await setPipeline(earlier.pipelineId, { status: 'success' })
    const failed = await runningJob(scene, project, owner)
    await uploadTo(scene, failed, archive)
    await endJob(scene, failed, 'drop')
    await setPipeline(failed.pipelineId, { status: 'success' })

    assert.equal((await owner.get(`${latest(project, 'main')}/download`, { job: 'build' })).status, 404)
    assert.equal((await owner.get(`${latest(project, 'main')}/download`, { job: 'other' })).status, 404)
  })

  test('a tag does not pass its artifacts off as those of the branch of its name', async () => {
    const { project, owner } = await scene.project()
    const branch = await jobWithArchive(project, owner)
    await setPipeline(branch.pipelineId, { status: 'success' })
    await scene.commit(project, { 'a.txt': 'a\n' })
    const posed = await jobWithArchive(project, owner, { bytes: await zipOf({ a: 'posed' }) })
    await setPipeline(posed.pipelineId, { status: 'success', tag: true })
    const served = async () => (await owner.get(`${latest(project, 'main')}/raw/a`, { job: 'build' })).bytes.toString()

    await owner.post(`${project.url}/repository/tags`, { tag_name: 'main', ref: 'main' })
    assert.notEqual(await served(), 'posed')
    await scene.commit(project, { 'b.txt': 'b\n' }, { branch: 'other', start_branch: 'main' })
    await owner.put(project.url, { default_branch: 'other' })
    assert.equal((await owner.delete(`${project.url}/repository/branches/main`)).status, 204)
    assert.equal(await served(), 'posed', 'the tag is what the name means now')
  })

  test('branches and tags with slashes; HEAD and SHAs are not supported', async () => {
    const { project, owner } = await scene.project()
    const sha = 'c'.repeat(40)
    const { pipelineId } = await jobWithArchive(project, owner, { sha })
    await setPipeline(pipelineId, { status: 'success', ref: 'feature/a/b' })

    assert.equal((await owner.get(`${latest(project, 'feature/a/b')}/download`, { job: 'build' })).status, 200)
    for (const ref of ['HEAD', sha, 'feature/a'])
      assert.equal((await owner.get(`${latest(project, ref)}/download`, { job: 'build' })).status, 404, ref)
  })

  test('the parent before its child, and the child where the parent has none', async () => {
    const { project, owner } = await scene.project()
    const parent = await jobWithArchive(project, owner, { name: 'both', bytes: await zipOf({ a: 'parent' }) })
    const child = await jobWithArchive(project, owner, { name: 'both', bytes: await zipOf({ a: 'child' }) })
    const grandchild = await jobWithArchive(project, owner, { name: 'deep', bytes: await zipOf({ a: 'grandchild' }) })
    await setPipeline(parent.pipelineId, { status: 'success' })
    await setPipeline(child.pipelineId, { status: 'success', parent_id: parent.pipelineId })
    await setPipeline(grandchild.pipelineId, { status: 'success', parent_id: child.pipelineId })

    const both = await owner.get(`${latest(project, 'main')}/raw/a`, { job: 'both' })
    const deep = await owner.get(`${latest(project, 'main')}/raw/a`, { job: 'deep' })

    assert.deepEqual([both.bytes.toString(), deep.bytes.toString()], ['parent', 'grandchild'])
  })

  test('the name of the job must be given', async () => {
    const { project, owner } = await scene.project()
    const answer = await owner.get(`${latest(project, 'main')}/download`)
    assert.deepEqual(answer, { status: 400, body: { message: '400 (Bad request) "job" not given' } })
  })
})

describe('one file (document 2 `GET /projects/:id/jobs/:job_id/artifacts/*artifact_path`; decision 25)', () => {
  test('straight out of the archive, with its length, in parts, with slashes either way', async () => {
    const { project, owner } = await scene.project()
    const { url } = await jobWithArchive(project, owner)

    const whole = await owner.get(`${url}/out/hello.txt`)
    const encoded = await owner.get(`${url}/out%2Fhello.txt`)
    const part = await owner.get(`${url}/out/hello.txt`, {}, { range: 'bytes=1-3' })
    const head = await owner.head(`${url}/out/hello.txt`)

    assert.deepEqual([whole.status, whole.bytes.toString()], [200, 'Hello!\n'])
    assert.equal(whole.headers['content-type'], 'text/plain')
    assert.equal(whole.headers['content-disposition'], 'attachment; filename="hello.txt"')
    assert.equal(encoded.bytes.toString(), 'Hello!\n')
    assert.deepEqual([part.status, part.bytes.toString()], [206, 'ell'])
    assert.deepEqual([head.status, head.headers['content-length']], [200, '7'])
    assert.equal((await owner.get(`${url}/${encodeURIComponent('größe.txt')}`)).bytes.toString(), 'big')
  })

  test('a page is never one of this server', async () => {
    const { project, owner } = await scene.project()
    const { url } = await jobWithArchive(project, owner)

    const { headers } = await owner.get(`${url}/out/page.html`)

    assert.equal(headers['content-type'], 'text/plain')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.match(headers['content-disposition'] as string, /^attachment;/)
    assert.match(headers['content-security-policy'] as string, /sandbox/)
  })

  test('400 for paths that lead out of the archive, 404 for files that are not in it', async () => {
    const { project, owner } = await scene.project()
    const { url } = await jobWithArchive(project, owner)
    const refused = ['..%2Fhello.txt', 'out/..%2f..%2Fetc%2Fpasswd', '%2Fetc%2Fpasswd', 'a%00b', '%ff%fe', '%5Cetc', '..']
    for (const path of refused) assert.equal((await owner.get(`${url}/${path}`)).status, 400, path)
    for (const path of ['hello.txt', 'out', 'out/', 'OUT/hello.txt', 'out/hello.txt.', './out/hello.txt'])
      assert.equal((await owner.get(`${url}/${path}`)).status, 404, path)
  })

  test('links and encrypted files in it cannot be had: 404', async () => {
    const { project, owner } = await scene.project()
    const bytes = oddZip([
      { name: 'link', content: '/etc/passwd', says: { unixMode: 0o120777 } },
      { name: 'secret', content: 'x', says: { flags: 1 } },
    ])
    const { url } = await jobWithArchive(project, owner, { bytes })
    for (const name of ['link', 'secret']) assert.equal((await owner.get(`${url}/${name}`)).status, 404, name)
  })
})

describe('who may (document 2 "Job artifacts"; decisions 9 and 27)', () => {
  test('everybody, where jobs are public; a developer keeps, a maintainer deletes', async () => {
    const { project, owner, developer, maintainer } = await scene.project({ visibility: 'public', members: ['developer', 'maintainer'] })
    const { url } = await jobWithArchive(project, owner)

    assert.equal((await scene.anonymous.get(url)).status, 200)
    assert.equal((await scene.anonymous.post(`${url}/keep`)).status, 401)
    assert.equal((await (await scene.user()).post(`${url}/keep`)).status, 403)
    assert.equal((await developer.post(`${url}/keep`)).status, 200)
    assert.equal((await developer.delete(url)).status, 403)
    assert.equal((await maintainer.delete(url)).status, 204)
    assert.equal((await owner.get(url)).status, 404)
  })
})

describe('keep and delete', () => {
  test('what is kept does not expire any more (decision 27)', async () => {
    const { project, owner } = await scene.project()
    const { url, id } = await jobWithArchive(project, owner)
    const before = await owner.get(`${project.url}/jobs/${id}`)

    const answer = await owner.post(`${url}/keep`)

    assert.equal(typeof before.body.artifacts_expire_at, 'string')
    assert.deepEqual(
      [answer.status, answer.body.id, answer.body.artifacts_expire_at ?? null, answer.body.download_url],
      [200, id, null, null],
    )
    assert.equal((await owner.post(`${project.url}/jobs/${(await pendingJob(scene, project, owner)).id}/artifacts/keep`)).status, 404)
  })

  test('deleting takes every artifact but the log, and their sizes from the statistics', async () => {
    const { project, owner } = await scene.project()
    const job = await runningJob(scene, project, owner)
    await uploadTo(scene, job, archive)
    await uploadTo(scene, job, Buffer.from('{}'), { artifact_type: 'codequality', artifact_format: 'raw' })
    await uploadTo(scene, job, Buffer.from('log'), { artifact_type: 'trace', artifact_format: 'raw' })
    await endJob(scene, job)
    const sizeOf = async () => (await owner.get(project.url, { statistics: true })).body.statistics.job_artifacts_size
    assert.equal(await sizeOf(), archive.length + 5)

    const answer = await owner.delete(`${project.url}/jobs/${job.id}/artifacts`)

    assert.equal(answer.status, 204)
    const left = await db.selectFrom('job_artifacts').select('file_type').where('job_id', '=', job.id).execute()
    assert.deepEqual(left, [{ file_type: 'trace' }])
    assert.equal(await sizeOf(), 3)
  })
})

test('a job shows what it has left, by type (document 2 "Job")', async () => {
  const { project, owner } = await scene.project()
  const job = await runningJob(scene, project, owner)
  await uploadTo(scene, job, archive)
  await uploadTo(scene, job, randomBytes(10), { artifact_type: 'sast', artifact_format: 'raw', filename: 'gl-sast-report.json' })
  await uploadTo(scene, job, gzipSync('<testsuite/>'), { artifact_type: 'junit', artifact_format: 'gzip', filename: 'junit.xml.gz' })

  const { body } = await owner.get(`${project.url}/jobs/${job.id}`)

  assert.deepEqual(body.artifacts, [
    { file_type: 'archive', size: archive.length, filename: 'artifacts.zip', file_format: 'zip' },
    { file_type: 'sast', size: 10, filename: 'gl-sast-report.json', file_format: 'raw' },
    { file_type: 'junit', size: gzipSync('<testsuite/>').length, filename: 'junit.xml.gz', file_format: 'gzip' },
  ])
  assert.deepEqual(body.artifacts_file, { filename: 'artifacts.zip', size: archive.length })
})

test('erasing a job takes its artifacts too, and deleting a pipeline those of all its jobs (document 2, erase)', async () => {
  const { project, owner } = await scene.project()
  const [one, other] = [await jobWithArchive(project, owner), await jobWithArchive(project, owner)]
  const sizeOf = async () => (await owner.get(project.url, { statistics: true })).body.statistics.job_artifacts_size
  assert.equal(await sizeOf(), 2 * archive.length)

  await scene.run(owner, async ctx => eraseJob(ctx, await findProject(ctx.db, ctx.actor, String(project.id)), one))
  assert.equal((await owner.get(one.url)).status, 404)
  await scene.run(owner, async ctx =>
    removePipeline(ctx, await findProject(ctx.db, ctx.actor, String(project.id)), { id: other.pipelineId }),
  )
  assert.equal(await sizeOf(), 0)
})

test('the coverage that a log tells is that of the job when it ends (`coverage` of CI files at 14.0)', async () => {
  const { project, owner } = await scene.project()
  const job = await runningJob(scene, project, owner, { options: { script: ['true'], coverage: '\\d+\\.\\d+% covered' } })
  const runner = scene.as({ 'job-token': job.token })
  const log = 'started\n91.5% covered\ndone\n'
  await runner.patch(`/jobs/${job.id}/trace`, log, { 'content-type': 'text/plain', 'content-range': `0-${log.length - 1}` })

  const ended = await runner.put(`/jobs/${job.id}`, { token: job.token, state: 'success' })

  assert.equal(ended.status, 200)
  assert.equal((await owner.get(`${project.url}/jobs/${job.id}`)).body.coverage, 91.5)
})
