import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { jobIn, registered, runOf } from '../runner_protocol/scene.ts'
import { partRange } from '../runner_protocol/updates/trace_parts.ts'
import { archiveTrace, archiveTraces } from './archive.ts'
import { eraseTraces } from './commands.ts'

const scene = await openScene()

/** A job that a runner runs. */
async function running() {
  const { project, owner } = await scene.project({ visibility: 'public' })
  const runner = await registered(scene, { project })
  const { id } = await jobIn(scene, project)
  const { body } = await runner.ask()
  assert.equal(body.id, id)
  return { project, owner, runner, url: `${project.url}/jobs/${id}/trace`, ...runOf(scene.anonymous, body) }
}

test('where a part belongs is read as runners write it (c.3)', () => {
  for (const [header, expected] of [
    ['0-4', { first: 0, last: 4 }],
    ['bytes 5-9/*', { first: 5, last: 9 }],
    ['bytes=5-9', { first: 5, last: 9 }],
    [' 1048576-2097151 ', { first: 1_048_576, last: 2_097_151 }],
    ['0-', undefined],
    ['-4', undefined],
    ['a-b', undefined],
    ['', undefined],
    ['1-2-3', undefined],
  ] as const)
    assert.deepEqual(partRange(header), expected, header)
})

test('a log is read live while it is written, byte by byte as it came, by users who may see the job (document 2 `trace`)', async () => {
  const { trace, url, owner } = await running()
  const none = await owner.get(url)
  const bytes = Buffer.concat([Buffer.from('\u001b[32;1mgrün\u001b[0m\r'), Buffer.from([0xff, 0x00, 0xfe])])

  await trace(bytes, 0)
  const live = await scene.anonymous.get(url)
  await trace('more', bytes.length)

  // Decision 25.
  assert.deepEqual(none, { status: 404, body: { message: '404 Trace Not Found' } })
  assert.equal(live.status, 200)
  assert.equal(live.headers['content-type'], 'text/plain')
  assert.deepEqual(live.bytes, bytes)
  const part = await owner.get(url, {}, { range: `bytes=${bytes.length}-` })
  assert.deepEqual([part.status, part.body], [206, 'more'])
  assert.equal((await owner.get(url, {}, { range: 'bytes=1000-' })).status, 416)
  assert.equal((await owner.head(url)).headers['content-length'], String(bytes.length + 4))
})

test('a part that does not begin where the log ends is a 416 that says what there is; nothing is written (c.3)', async () => {
  const { trace, url, owner } = await running()
  await trace('Hello', 0)

  const answers = [
    await trace('again', 0),
    await trace('late', 6),
    await trace('x', 5, { 'content-range': '5-9' }),
    await trace('x', 5, { 'content-range': 'odd' }),
  ]

  for (const { status, headers } of answers) assert.deepEqual([status, headers.range, headers['job-status']], [416, '0-5', 'running'])
  assert.equal((await owner.get(url)).body, 'Hello')
  assert.equal((await trace(', world', 5)).status, 202)
})

test('a part without a range is a 400, one of more than eight megabytes a 413, and one with a wrong token a 403 (c.3)', async () => {
  const { id, token, trace } = await running()

  const bare = await scene.anonymous.patch(`/jobs/${id}/trace`, 'Hello', { 'job-token': token, 'content-type': 'text/plain' })
  const large = await trace(Buffer.alloc(8 * 1024 * 1024 + 1), 0)
  const wrong = await trace('Hello', 0, { 'job-token': 'wrong' })

  assert.deepEqual([bare.status, large.status], [400, 413])
  assert.deepEqual(wrong, { status: 403, body: { message: '403 Forbidden' } })
  assert.equal(wrong.headers['job-status'], undefined, 'a stranger learns nothing')
})

test('of two concurrent uploads of the same part one is accepted', async () => {
  const { trace, url, owner } = await running()

  const answers = await Promise.all(Array.from({ length: 8 }, () => trace('Hello', 0)))

  assert.deepEqual(answers.map(({ status }) => status).sort(), [202, ...Array(7).fill(416)])
  assert.equal((await owner.get(url)).body, 'Hello')
})

test('after the end nothing is written any more: 403 with how the job ended, also when it was canceled (c.3, c.4)', async () => {
  const one = await running()
  await one.trace('Hello', 0)
  assert.equal((await one.finish('failed', 'Hello', { failure_reason: 'script_failure', exit_code: 2 })).status, 200)
  const other = await running()
  await other.trace('Hello', 0)
  await scene.deps.database.db.updateTable('jobs').set({ status: 'canceled', token_digest: null }).where('id', '=', other.id).execute()

  const answers = [
    await one.trace(' and', 5),
    await one.finish('success', 'Hello'),
    await other.trace(' and', 5),
    await other.update({ state: 'running' }),
  ]

  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers['job-status']]),
    [
      [403, 'failed'],
      [403, 'failed'],
      [403, 'canceled'],
      [403, 'canceled'],
    ],
  )
})

test('the runner of a log that a user watches is asked to send more often (c.3)', async () => {
  const { trace, url, owner } = await running()
  const before = await trace('Hello', 0)

  await owner.get(url)
  const after = await trace(', world', 5)

  assert.deepEqual(
    [before, after].map(({ headers }) => headers['x-gitlab-trace-update-interval']),
    ['10', '3'],
  )
})

test('a log that outgrows the limit of the instance ends its job (public documentation of `ci_jobs_trace_size_limit`)', async () => {
  const limit = (ci_jobs_trace_size_limit: number) =>
    scene.root.put('/application/plan_limits', { plan_name: 'default', ci_jobs_trace_size_limit })
  const { trace, id } = await running()
  await trace('Hello', 0)
  assert.equal((await limit(1)).status, 200)

  const answer = await trace(Buffer.alloc(1024 * 1024), 5)

  await limit(100)
  assert.deepEqual([answer.status, answer.headers['job-status']], [403, 'failed'])
  const job = await scene.deps.database.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  assert.deepEqual([job.status, job.failure_reason, job.trace_size], ['failed', 'trace_size_exceeded', 5])
})

test('a log whose job is over is put away, stays readable meanwhile and after, and is shown as an artifact', async () => {
  const { trace, finish, url, owner, id, project } = await running()
  const text = Array.from({ length: 20 }, (_, line) => `line ${line}\n`)
  let at = 0
  for (const line of text) {
    await trace(line, at)
    at += line.length
  }
  await finish('success', text.join(''))
  const before = await owner.get(url)

  await archiveTrace(scene.deps, { job_id: id })
  await archiveTrace(scene.deps, { job_id: id })

  const after = await owner.get(url)
  const chunks = await scene.deps.database.db.selectFrom('job_trace_chunks').selectAll().where('job_id', '=', id).execute()
  assert.deepEqual([before.body, after.body, chunks.length], [text.join(''), text.join(''), 0])
  assert.equal((await owner.get(url, {}, { range: 'bytes=0-3' })).body, 'line')
  const job = await owner.get(`${project.url}/jobs/${id}`)
  assert.deepEqual(job.body.artifacts, [{ file_type: 'trace', size: at, filename: 'job.log', file_format: 'raw' }])
})

test('logs that nobody has asked to put away are found by the clock; those of running jobs stay', async () => {
  const { trace, id } = await running()
  await trace('Hello', 0)
  const alive = await running()
  await alive.trace('Hello', 0)
  const { db } = scene.deps.database
  await db.updateTable('jobs').set({ status: 'canceled', finished_at: '2020-01-01T00:00:00Z' }).where('id', '=', id).execute()

  await archiveTraces(scene.deps)

  const asked = await db.selectFrom('jobs').select('id').where('id', '=', id).execute()
  assert.equal(asked.length, 1)
  const { rows } = await scene.deps.database.pool.query(`select key from graphile_worker.jobs where key like 'archive_trace:%'`)
  const keys = rows.map(({ key }) => key)
  assert.ok(keys.includes(`archive_trace:${id}`))
  assert.ok(!keys.includes(`archive_trace:${alive.id}`))
})

test('a log that is being put away is not asked for again by the clock, however long that takes', async () => {
  const { trace, finish, id } = await running()
  await trace('Hello', 0)
  await finish('success', 'Hello')
  const { database } = scene.deps
  await database.db.updateTable('jobs').set({ finished_at: '2020-01-01T00:00:00Z' }).where('id', '=', id).execute()
  const asked = async () =>
    (await database.pool.query('select id, revision from graphile_worker.jobs where key = $1', [`archive_trace:${id}`])).rows
  const before = await asked()

  await archiveTraces(scene.deps)

  assert.equal(before.length, 1)
  assert.deepEqual(await asked(), before)
})

test('a log that is erased is gone, whether it was put away or not (decision 25)', async () => {
  const one = await running()
  await one.trace('Hello', 0)
  await one.finish('success', 'Hello')
  await archiveTrace(scene.deps, { job_id: one.id })
  const other = await running()
  await other.trace('Hello', 0)
  await other.finish('success', 'Hello')

  await scene.run(undefined, ctx => eraseTraces(ctx.db, [one.id, other.id]))
  await archiveTrace(scene.deps, { job_id: other.id })

  for (const { owner, url } of [one, other]) assert.equal((await owner.get(url)).status, 404)
})

test('a log that shows all variables is for Developers (public documentation of `CI_DEBUG_TRACE`)', async () => {
  const { project, owner, reporter } = await scene.project({ members: ['reporter'], visibility: 'public' })
  const runner = await registered(scene, { project })
  await jobIn(scene, project, { variables: [{ key: 'CI_DEBUG_TRACE', value: 'true' }] })
  const { body } = await runner.ask()
  await runOf(scene.anonymous, body).trace('secret', 0)
  const url = `${project.url}/jobs/${body.id}/trace`

  const answers = [await owner.get(url), await reporter.get(url), await scene.anonymous.get(url)]

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 403, 403],
  )
})

test('a log that showed all variables stays for Developers when the variable is gone, and when its runner alone says so', async () => {
  const { project, owner, reporter } = await scene.project({ members: ['reporter'], visibility: 'public' })
  const runner = await registered(scene, { project })
  await owner.post(`${project.url}/variables`, { key: 'CI_DEBUG_TRACE', value: '1' })
  const handed = async (query: object) => {
    await jobIn(scene, project)
    const { body } = await runner.ask()
    const headers = { 'job-token': body.token, 'content-type': 'text/plain', 'content-range': '0-5' }
    const address = `/jobs/${body.id}/trace?${new URLSearchParams({ ...query })}`
    assert.equal((await scene.anonymous.patch(address, Buffer.from('secret'), headers)).status, 202)
    return `${project.url}/jobs/${body.id}/trace`
  }

  const byVariable = await handed({})
  assert.equal((await owner.delete(`${project.url}/variables/CI_DEBUG_TRACE`)).status, 204)
  const byRunner = await handed({ debug_trace: 'true' })
  const open = await handed({ debug_trace: 'false' })

  for (const person of [reporter, scene.anonymous]) {
    const statuses = [(await person.get(byVariable)).status, (await person.get(byRunner)).status, (await person.get(open)).status]
    assert.deepEqual(statuses, [403, 403, 200])
  }
  assert.equal((await owner.get(byVariable)).body, 'secret')
})
