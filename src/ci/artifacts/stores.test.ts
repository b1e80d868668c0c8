/** Artifacts in a bucket, and on a disk that is full. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import S3rver from 's3rver'
import { atEnd } from '../../../test/at_end.ts'
import { openScene, type Scene } from '../../../test/scene.ts'
import { places } from '../../platform/config.ts'
import type { ByteRange } from '../../platform/object_store/store.ts'
import { endJob, runningJob } from '../jobs/scene.ts'
import { removeExpiredArtifacts } from './expiry.ts'
import { uploadTo } from './scene.ts'
import { zipOf } from './zip/scene.ts'

const run = promisify(execFile)
const directory = await mkdtemp(join(tmpdir(), 'ingot-artifact-stores-'))
const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets: [{ name: 'files' }] })
const { port } = await server.run()
const inBucket = await openScene({ settings: { objectStore: `s3://S3RVER:S3RVER@127.0.0.1:${port}/files?tls=false` } })
const onDisk = await openScene()
atEnd(async () => {
  await server.close()
  await rm(directory, { recursive: true, force: true })
})

async function keysOf({ deps }: Scene): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of deps.objects.list()) keys.push(key)
  return keys
}

const rowsOf = ({ deps }: Scene, { id }: { readonly id: number }) =>
  deps.database.db.selectFrom('job_artifacts').select('file_type').where('job_id', '=', id).execute()

const large = randomBytes(3 * 1024 * 1024)

test('in a bucket: up, down, one file of it by its range alone, and gone with its bytes when it has expired', async () => {
  const { project, owner } = await inBucket.project()
  const job = await runningJob(inBucket, project, owner)
  const archive = await zipOf({ 'large.bin': large, 'out/hello.txt': 'Hello!\n' }, { compress: false })
  assert.equal((await uploadTo(inBucket, job, archive, { expire_in: '1 day' })).status, 201)
  await endJob(inBucket, job)
  const url = `${project.url}/jobs/${job.id}/artifacts`
  const { objects } = inBucket.deps
  const { read } = objects
  const ranges: (ByteRange | undefined)[] = []
  objects.read = (key, range) => {
    ranges.push(range)
    return read(key, range)
  }

  const file = await owner.get(`${url}/out/hello.txt`)
  objects.read = read
  const whole = await owner.get(url)
  const part = await owner.get(url, {}, { range: 'bytes=100-199' })
  await removeExpiredArtifacts({ ...inBucket.deps, now: () => new Date(Date.now() + 2 * 86_400_000) })

  assert.equal(file.bytes.toString(), 'Hello!\n')
  const bytes = ranges.reduce((sum, range) => sum + (range ? range.end - range.start + 1 : Number.POSITIVE_INFINITY), 0)
  assert.ok(ranges.length > 0 && bytes < 100_000, `${bytes} bytes were read for one file`)
  assert.ok(whole.bytes.equals(archive))
  assert.deepEqual([part.status, part.bytes.equals(archive.subarray(100, 200))], [206, true])
  assert.deepEqual([await keysOf(inBucket), await rowsOf(inBucket, job)], [[], []])
})

for (const [where, scene] of [
  ['a bucket', inBucket],
  ['a folder', onDisk],
] as const)
  test(`what outgrows the limit of its type halfway is 413 and leaves nothing in ${where} (plan limits)`, async () => {
    const { project, owner } = await scene.project()
    const job = await runningJob(scene, project, owner)
    const archive = await zipOf({ 'large.bin': large }, { compress: false })
    const limits = (ci_max_artifact_size_archive: number) =>
      scene.root.put('/application/plan_limits', { plan_name: 'default', ci_max_artifact_size_archive })
    const before = await keysOf(scene)

    const changed = await limits(2)
    const refused = await uploadTo(scene, job, archive)
    const asked = await scene.as({ 'job-token': job.token }).post(`/jobs/${job.id}/artifacts/authorize`, { filesize: 2 * 1024 * 1024 })
    await limits(0)
    const allowed = await uploadTo(scene, job, archive)
    await limits(5 * 1024)

    assert.deepEqual([changed.status, changed.body.ci_max_artifact_size_archive], [200, 2])
    assert.equal(refused.status, 413)
    assert.deepEqual(asked, { status: 200, body: { MaximumSize: 2 * 1024 * 1024 } })
    assert.equal(allowed.status, 201, 'any size')
    assert.equal((await keysOf(scene)).length, before.length + 1)
  })

test('a disk that is full halfway: 503, nothing is to be seen, and its space is there again', {
  skip: process.getuid?.() !== 0,
}, async () => {
  const { project, owner } = await onDisk.project()
  const job = await runningJob(onDisk, project, owner)
  const small = await zipOf({ a: 'a' })
  const root = places(onDisk.deps.config).objects
  await mkdir(root, { recursive: true })
  await run('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', root])
  try {
    const refused = await uploadTo(onDisk, job, await zipOf({ 'large.bin': large }, { compress: false }))

    const { bfree, blocks } = await statfs(root)
    assert.equal(refused.status, 503)
    assert.equal(bfree, blocks)
    assert.deepEqual(await readdir(join(root, 'tmp')), [])
    assert.deepEqual(await rowsOf(onDisk, job), [])
    assert.equal((await uploadTo(onDisk, job, small)).status, 201, 'and a smaller one finds room')
  } finally {
    await run('umount', [root])
  }
})
