/** Uploads and downloads of runners (runner protocol at 14.0, artifacts). */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { answerOf } from '../../../../test/client.ts'
import { eventually } from '../../../../test/eventually.ts'
import { type Answer, openScene } from '../../../../test/scene.ts'
import { places } from '../../../platform/config.ts'
import { formWith } from '../../../spaces/uploads/scene.ts'
import { uploadTo } from '../../artifacts/scene.ts'
import { oddZip, zipOf } from '../../artifacts/zip/scene.ts'
import { endJob, runningJob } from '../../jobs/scene.ts'

const scene = await openScene()
const { db } = scene.deps.database
const archive = await zipOf({ 'a.txt': 'a' })

const artifactsOf = (job: { id: number }) =>
  db
    .selectFrom('job_artifacts')
    .innerJoin('stored_objects', 'stored_objects.id', 'object_id')
    .select(['file_type', 'file_format', 'filename', 'job_artifacts.size', 'sha256', 'expires_at'])
    .where('job_id', '=', job.id)
    .orderBy('job_artifacts.id')
    .execute()

/** How many files the object store has. */
async function storedFiles(): Promise<number> {
  const root = places(scene.deps.config).objects
  const folders = await readdir(root).catch(() => [])
  const lists = await Promise.all(folders.map(folder => readdir(join(root, folder))))
  return lists.flat().length
}

/** Sends a body in pieces, without its length, as a runner does; `stopsAfter` bytes the connection is broken. */
const sendChunked = (path: string, headers: Record<string, string>, pieces: Iterable<Buffer>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const request = httpRequest(`${scene.url}/api/v4${path}`, { method: 'POST', headers }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('end', () => resolve(answerOf(response.statusCode as number, response.headers, Buffer.concat(chunks))))
    })
    request.on('error', reject)
    Readable.from(pieces).pipe(request)
  })

const head = (name = 'file', filename = 'artifacts.zip') =>
  Buffer.from(
    `--edge\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
  )
const tail = Buffer.from('\r\n--edge--\r\n')
const multipart = { 'content-type': 'multipart/form-data; boundary=edge' }

describe('POST /jobs/:id/artifacts', () => {
  test('keeps an archive with its digest and its expiry, chunked and without a length', async () => {
    const { project, owner } = await scene.project()
    const job = await runningJob(scene, project, owner)
    const path = `/jobs/${job.id}/artifacts?artifact_format=zip&artifact_type=archive&expire_in=7+days`

    const answer = await sendChunked(path, { ...multipart, 'job-token': job.token }, [
      head(),
      archive.subarray(0, 50),
      archive.subarray(50),
      tail,
    ])

    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    const [kept] = await artifactsOf(job)
    const { expires_at, ...rest } = kept as NonNullable<typeof kept>
    assert.deepEqual(rest, {
      file_type: 'archive',
      file_format: 'zip',
      filename: 'artifacts.zip',
      size: archive.length,
      sha256: createHash('sha256').update(archive).digest('hex'),
    })
    assert.ok(Math.abs(Date.parse(expires_at as string) - Date.now() - 7 * 86_400_000) < 60_000)
    const shown = await owner.get(`${project.url}/jobs/${job.id}`)
    assert.equal(shown.body.artifacts_expire_at, expires_at)
  })

  test('takes the token in the query and among the fields too', async () => {
    const { project, owner } = await scene.project()
    const [one, other] = [await runningJob(scene, project, owner), await runningJob(scene, project, owner)]

    const inQuery = await scene.anonymous.post(`/jobs/${one.id}/artifacts?token=${one.token}`, formWith('file', 'a.zip', archive))
    const inForm = await scene.anonymous.post(`/jobs/${other.id}/artifacts`, formWith('file', 'a.zip', archive, { token: other.token }))

    assert.deepEqual([inQuery.status, inForm.status], [201, 201])
  })

  test('takes type, format and expiry among the fields before the file too', async () => {
    const { project, owner } = await scene.project()
    const job = await runningJob(scene, project, owner)
    const send = (fields: Record<string, string>, name: string, bytes: Buffer) =>
      scene.as({ 'job-token': job.token }).post(`/jobs/${job.id}/artifacts`, formWith('file', name, bytes, fields))

    const report = { artifact_type: 'junit', artifact_format: 'gzip', expire_in: 'never' }
    assert.equal((await send(report, 'junit.xml.gz', gzipSync('<testsuites/>'))).status, 201)
    const [kept] = await artifactsOf(job)
    assert.deepEqual([kept?.file_type, kept?.file_format, kept?.expires_at], ['junit', 'gzip', null])
    const mistakes: Record<string, string>[] = [
      { artifact_type: 'unheard_of' },
      { artifact_type: 'junit', artifact_format: 'zip' },
      { expire_in: 'soon' },
    ]
    for (const wrong of mistakes) assert.equal((await send(wrong, 'a.zip', archive)).status, 400, JSON.stringify(wrong))
    assert.equal((await artifactsOf(job)).length, 1)
  })

  test('403 without a token, with a wrong one, with that of another job, and after the end of the job', async () => {
    const { project, owner } = await scene.project()
    const [job, other] = [await runningJob(scene, project, owner), await runningJob(scene, project, owner)]
    const form = () => formWith('file', 'a.zip', archive)

    assert.equal((await scene.anonymous.post(`/jobs/${job.id}/artifacts`, form())).status, 403)
    assert.equal((await scene.as({ 'job-token': 'wrong' }).post(`/jobs/${job.id}/artifacts`, form())).status, 403)
    assert.equal((await scene.as({ 'job-token': other.token }).post(`/jobs/${job.id}/artifacts`, form())).status, 403)
    assert.equal((await owner.post(`/jobs/${job.id}/artifacts`, form())).status, 403)
    await endJob(scene, job)
    assert.equal((await uploadTo(scene, job, archive)).status, 403)
    assert.deepEqual(await artifactsOf(job), [])
  })

  test('expiries in words; the default is 30 days; nothing before now', async () => {
    const { project, owner } = await scene.project()
    const cases: [Record<string, string>, number | null][] = [
      [{ expire_in: '3 mins 4 sec' }, 184],
      [{ expire_in: '42' }, 42],
      [{ expire_in: 'never' }, null],
      [{ expire_in: '0' }, null],
      [{}, 30 * 86_400],
    ]
    for (const [query, seconds] of cases) {
      const job = await runningJob(scene, project, owner)
      scene.setTime('2030-01-01T00:00:00.000Z')
      const answer = await uploadTo(scene, job, archive, query)
      scene.setTime(undefined)
      assert.equal(answer.status, 201)
      const [kept] = await artifactsOf(job)
      const expected = seconds === null ? null : Date.parse('2030-01-01T00:00:00.000Z') + seconds * 1_000
      assert.equal(kept?.expires_at === null ? null : Date.parse(kept?.expires_at as string), expected, JSON.stringify(query))
    }
    const job = await runningJob(scene, project, owner)
    for (const expire_in of ['-1 day', '-5', 'soon', '9999999 years']) {
      const answer = await uploadTo(scene, job, archive, { expire_in })
      assert.deepEqual(answer, { status: 400, body: { message: { expire_in: ['is not a correct duration'] } } }, expire_in)
    }
  })

  test('the same bytes again are the artifact that there is; others are refused', async () => {
    const { project, owner } = await scene.project()
    const job = await runningJob(scene, project, owner)
    await uploadTo(scene, job, archive)
    const before = await storedFiles()

    const same = await uploadTo(scene, job, archive)
    const other = await uploadTo(scene, job, await zipOf({ b: 'b' }))

    assert.equal(same.status, 201)
    assert.deepEqual(other, { status: 400, body: { message: '400 Bad request - another artifact of the same type already exists' } })
    assert.equal((await artifactsOf(job)).length, 1)
    assert.equal(await storedFiles(), before)
  })

  test('of two different concurrent uploads one is kept', async () => {
    const { project, owner } = await scene.project()
    const job = await runningJob(scene, project, owner)
    const answers = await Promise.all([archive, await zipOf({ b: 'b' })].map(bytes => uploadTo(scene, job, bytes)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400])
    assert.equal((await artifactsOf(job)).length, 1)
  })

  test('a type has one format', async () => {
    const { project, owner } = await scene.project()
    const job = await runningJob(scene, project, owner)
    const cases: [string, string | undefined, Buffer, number][] = [
      ['archive', 'gzip', archive, 400],
      ['junit', 'zip', archive, 400],
      ['sast', 'gzip', gzipSync('{}'), 400],
      ['nothing', undefined, archive, 400],
      ['archive', 'tar', archive, 400],
      ['junit', undefined, gzipSync('<testsuite/>'), 201],
      ['cobertura', 'gzip', gzipSync('<coverage/>'), 201],
      ['metadata', 'gzip', gzipSync('metadata'), 201],
      ['sast', 'raw', Buffer.from('{}'), 201],
      ['lsif', 'zip', archive, 201],
      ['metrics', 'gzip', Buffer.from('no gzip'), 400],
    ]
    for (const [artifact_type, artifact_format, bytes, status] of cases) {
      const answer = await uploadTo(scene, job, bytes, { artifact_type, ...(artifact_format && { artifact_format }) })
      assert.equal(answer.status, status, `${artifact_type} ${artifact_format}: ${JSON.stringify(answer.body)}`)
    }
  })

  test('zips that are cut or lie leave nothing', async () => {
    const { project, owner } = await scene.project()
    const job = await runningJob(scene, project, owner)
    const before = await storedFiles()
    const lying = oddZip([{ name: 'a', content: 'x', says: { compressedSize: 1_000_000 } }])
    for (const bytes of [archive.subarray(0, archive.length - 5), randomBytes(1_000), Buffer.alloc(0), lying])
      assert.equal((await uploadTo(scene, job, bytes)).status, 400)
    assert.deepEqual(await artifactsOf(job), [])
    assert.equal(await storedFiles(), before)
  })

  test('multipart bodies that are none, or broken, leave nothing', async () => {
    const { project, owner } = await scene.project()
    const job = await runningJob(scene, project, owner)
    const before = await storedFiles()
    const send = (pieces: Buffer[], headers: Record<string, string> = multipart) =>
      sendChunked(`/jobs/${job.id}/artifacts`, { 'job-token': job.token, ...headers }, pieces)
    const cases: [string, Promise<Answer>][] = [
      ['bytes alone', send([archive], { 'content-type': 'application/zip' })],
      ['no boundary', send([head(), archive, tail], { 'content-type': 'multipart/form-data' })],
      ['another boundary', send([head(), archive, tail], { 'content-type': 'multipart/form-data; boundary=other' })],
      ['no end', send([head(), archive])],
      ['an end in the middle of a part', send([head(), archive.subarray(0, 20)])],
      ['no file', send([Buffer.from('--edge\r\nContent-Disposition: form-data; name="a"\r\n\r\nb'), tail])],
      ['a file of another name', send([head('other'), archive, tail])],
      ['two files', send([head(), archive, Buffer.from('\r\n'), head(), archive, tail])],
      ['nothing', send([])],
    ]
    for (const [what, answer] of cases) assert.equal((await answer).status, 400, what)
    assert.deepEqual(await artifactsOf(job), [])
    assert.equal(await storedFiles(), before)
    assert.equal((await uploadTo(scene, job, archive)).status, 201, 'and the job may try again')
  })

  test('a connection that breaks leaves nothing', async () => {
    const { project, owner } = await scene.project()
    const job = await runningJob(scene, project, owner)
    const before = await storedFiles()
    await new Promise<void>(resolve => {
      const request = httpRequest(`${scene.url}/api/v4/jobs/${job.id}/artifacts`, {
        method: 'POST',
        headers: { ...multipart, 'job-token': job.token },
      })
      request.on('error', () => resolve())
      request.write(head())
      request.write(randomBytes(200_000), () => request.destroy())
      request.on('close', () => resolve())
    })
    await eventually(async () => (await storedFiles()) === before, 'the bytes of the broken upload to be gone')
    assert.deepEqual(await artifactsOf(job), [])
  })

  test('413 above the limit of the type, before a byte is read where the length is known', async () => {
    const { project, owner } = await scene.project()
    const job = await runningJob(scene, project, owner)
    const path = `/jobs/${job.id}/artifacts?artifact_type=sast`
    const headers = { ...multipart, 'job-token': job.token }
    const announced = await sendChunked(path, { ...headers, 'content-length': String(200 * 1024 * 1024), connection: 'close' }, [
      head(),
    ]).catch(() => undefined)
    assert.ok(announced === undefined || announced.status === 413)
    const allowed = await scene.as({ 'job-token': job.token }).post(`/jobs/${job.id}/artifacts/authorize`, { filesize: 1_000 })
    const refused = await scene.as({ 'job-token': job.token }).post(`/jobs/${job.id}/artifacts/authorize`, { filesize: 10 ** 12 })
    assert.deepEqual([allowed.status, refused.status], [200, 413])
  })

  test('a name is kept as far as it is one', async () => {
    const { project, owner } = await scene.project()
    const cases: [string, string][] = [
      ['build.zip', 'build.zip'],
      ['../../etc/passwd', 'passwd'],
      ['größe 🦊.zip', 'größe 🦊.zip'],
    ]
    for (const [filename, expected] of cases) {
      const job = await runningJob(scene, project, owner)
      assert.equal((await uploadTo(scene, job, archive, { filename })).status, 201)
      assert.equal((await artifactsOf(job))[0]?.filename, expected)
    }
  })

  test('names of any bytes are taken, and can be downloaded again', async () => {
    const { project, owner } = await scene.project()
    const odd = [
      Buffer.from([0x61, 0xff, 0xfe, 0x62]),
      Buffer.from('a\tb\x7f\x01'),
      Buffer.from("100% 'a';b=c"),
      Buffer.alloc(400, 'x'),
      Buffer.alloc(0),
    ]
    for (const name of odd) {
      const job = await runningJob(scene, project, owner)
      const [before, after] = String(head('file', '|')).split('|') as [string, string]
      const pieces = [Buffer.from(before), name, Buffer.from(after), archive, tail]

      const answer = await sendChunked(`/jobs/${job.id}/artifacts`, { ...multipart, 'job-token': job.token }, pieces)

      assert.equal(answer.status, 201, `${name}: ${JSON.stringify(answer.body)}`)
      const kept = (await artifactsOf(job))[0]?.filename ?? ''
      assert.match(kept, /^[^\p{Cc}]{1,255}$/u)
      const got = await owner.get(`${project.url}/jobs/${job.id}/artifacts`)
      assert.deepEqual([got.status, got.bytes.equals(archive)], [200, true], kept)
      assert.equal((await owner.get(`${project.url}/jobs/${job.id}`)).body.artifacts[0].filename, kept)
    }
  })
})

describe('GET /jobs/:id/artifacts', () => {
  test('a running job gets what another one of its project has left', async () => {
    const { project, owner } = await scene.project()
    const build = await runningJob(scene, project, owner)
    await uploadTo(scene, build, archive)
    await endJob(scene, build)
    const running = await runningJob(scene, project, owner, { name: 'test' })

    const answer = await scene.as({ 'job-token': running.token }).get(`/jobs/${build.id}/artifacts`, { direct_download: true })

    assert.equal(answer.status, 200)
    assert.ok(answer.bytes.equals(archive))
    assert.equal((await scene.as({ 'job-token': 'wrong' }).get(`/jobs/${build.id}/artifacts`)).status, 403)
    assert.equal((await scene.as({ 'job-token': running.token }).get(`/jobs/${running.id}/artifacts`)).status, 404)
  })

  test('of another project only what the user of the job may read', async () => {
    const { project, owner } = await scene.project()
    const build = await runningJob(scene, project, owner)
    await uploadTo(scene, build, archive)
    const stranger = await scene.user()
    const { project: elsewhere } = await scene.project({ owner: stranger })
    const [theirs, own] = [await runningJob(scene, elsewhere, stranger), await runningJob(scene, elsewhere, owner)]
    const get = (job: { token: string }) => scene.as({ 'job-token': job.token }).get(`/jobs/${build.id}/artifacts`)

    assert.equal((await get(theirs)).status, 404)
    assert.equal((await get(own)).status, 200)
  })
})
