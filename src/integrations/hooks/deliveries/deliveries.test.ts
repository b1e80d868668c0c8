/** Deliveries of hooks: issue 3, delivered by the worker with retries, timeouts and no requests into private networks. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { recordStatements } from '../../../platform/db/statements/statements.ts'
import { startWorker } from '../../../platform/events/worker.ts'
import { tasksOf } from '../../../server/tasks.ts'
import { addHookTo, openReceiver, workOf } from '../scene.ts'
import { askForDelivery } from './commands.ts'

const scene = await openScene({ settings: { outboundAllow: '127.0.0.1' } })
const { deliver } = workOf(scene)

/** Jobs on the queue for a delivery. */
const jobsFor = async (id: number) =>
  scene.deps.database.db
    .withSchema('graphile_worker')
    // biome-ignore lint/suspicious/noExplicitAny: the queue's own table
    .selectFrom('_private_jobs' as any)
    .select(['run_at', 'payload'])
    .execute()
    .then(rows => (rows as unknown as { payload: { delivery_id?: number } }[]).filter(({ payload }) => payload.delivery_id === id).length)

describe('a hook that', () => {
  /** A project with a hook to `url` and a push, delivered once; what became of it. */
  async function attemptAt(url: string, attributes: object = {}) {
    const { project, owner } = await scene.project()
    const hook = await addHookTo(owner, project, { url, ...attributes })
    await scene.commit(project, { 'a.txt': 'a' })
    await deliver()
    const { body } = await owner.get(`${hook}/events`)
    assert.equal(body.length, 1)
    return { ...body[0], jobs: await jobsFor(body[0].id), owner, hook }
  }

  test('is content is done, and its log says what was sent without the token', async () => {
    const receiver = await openReceiver()
    const { status, response_status, response_body, request_headers, request_data, ...answer } = await attemptAt(receiver.url, {
      token: 'hush',
    })

    assert.deepEqual([status, response_status, response_body, answer.attempts, answer.error], ['delivered', '200', 'thanks', 1, null])
    assert.equal(request_headers['X-Gitlab-Token'], '[REDACTED]')
    assert.equal(request_data.object_kind, 'push')
    assert.equal(answer.trigger, 'push_events')
    assert.doesNotMatch(JSON.stringify(request_data), /hush/)
    assert.deepEqual((await answer.owner.get(`${answer.hook}/events`, { status: 'client_failure,500' })).body, [])
    assert.equal((await answer.owner.get(`${answer.hook}/events`, { status: 'successful' })).body.length, 1)
    assert.equal((await answer.owner.get(`${answer.hook}/events`, { status: 'pleased' })).status, 400)
  })

  for (const status of [500, 503, 429])
    test(`answers ${status} is tried again later, and given up after five attempts`, async () => {
      const receiver = await openReceiver((_request, response) => void response.writeHead(status).end())
      const first = await attemptAt(receiver.url)
      assert.deepEqual([first.status, first.response_status, first.attempts], ['pending', String(status), 1])
      // The job of the first attempt, which was made here instead, and the one for the second.
      assert.equal(first.jobs, 2)

      for (let attempt = 2; attempt <= 5; attempt++) await deliver()
      await deliver()

      const { body } = await first.owner.get(`${first.hook}/events`)
      assert.deepEqual([body[0].status, body[0].attempts, receiver.received.length], ['failed', 5, 5])
      assert.equal(new Set(receiver.received.map(({ headers }) => headers['x-gitlab-event-uuid'])).size, 1)
    })

  test('answers 404 is given up immediately', async () => {
    const receiver = await openReceiver((_request, response) => void response.writeHead(404).end('gone'))
    const answer = await attemptAt(receiver.url)

    assert.deepEqual([answer.status, answer.response_status, answer.response_body, answer.jobs], ['failed', '404', 'gone', 1])
  })

  test('redirects is not followed', async () => {
    const inside = await openReceiver()
    const receiver = await openReceiver((_request, response) => void response.writeHead(302, { location: inside.url }).end())
    const answer = await attemptAt(receiver.url)

    assert.deepEqual([answer.status, answer.response_status, inside.received.length], ['failed', '302', 0])
  })

  test('answers without end is read for eight kilobytes', async () => {
    const receiver = await openReceiver((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(1024)));
      }
      response.on('drain', more)
      more()
    })
    const answer = await attemptAt(receiver.url)

    assert.deepEqual([answer.status, answer.response_body.length], ['delivered', 8192])
  })

  test('is not there is tried again later', async () => {
    const receiver = await openReceiver()
    await receiver.close()
    const answer = await attemptAt(receiver.url)

    assert.deepEqual([answer.status, answer.response_status], ['pending', 'internal error'])
    assert.match(answer.error, /ECONNREFUSED/)
  })

  test('has come to lead into a private network is not asked', async () => {
    const { project, owner } = await scene.project()
    const hook = await addHookTo(owner, project, { url: 'https://ci.example.com/' })
    const { db } = scene.deps.database
    // What a name resolves to when something is sent is what counts.
    await db.updateTable('hooks').set({ url: 'http://10.1.2.3/' }).where('project_id', '=', project.id).execute()
    await scene.commit(project, { 'a.txt': 'a' })

    await deliver()

    const { body } = await owner.get(`${hook}/events`)
    assert.deepEqual([body[0].status, body[0].error], ['failed', 'Requests to the local network are not allowed: 10.1.2.3'])
  })

  test('has a user and a password in its address is sent them, and its log does not show them', async () => {
    const receiver = await openReceiver()
    const answer = await attemptAt(receiver.url.replace('//', '//me:pass%20word@'))

    assert.equal(answer.url, receiver.url.replace('//', '//me:****@'))
    assert.equal(receiver.received[0]?.headers.authorization, `Basic ${Buffer.from('me:pass word').toString('base64')}`)
  })

  test('is deleted is sent nothing more', async () => {
    const receiver = await openReceiver((_request, response) => void response.writeHead(500).end())
    const { owner, hook } = await attemptAt(receiver.url)
    await owner.delete(hook)

    await deliver()

    assert.equal(receiver.received.length, 1)
  })
})

test('the worker delivers', async () => {
  const { project, owner } = await scene.project()
  const arrived = Promise.withResolvers<void>()
  const receiver = await openReceiver((_request, response) => {
    response.end()
    arrived.resolve()
  })
  await addHookTo(owner, project, { url: receiver.url })
  await scene.commit(project, { 'a.txt': 'a' })
  const { database, log } = scene.deps
  const worker = await startWorker({ database, tasks: tasksOf(scene.deps), log, concurrency: 2 })
  await arrived.promise
  await worker.stop()

  assert.equal(receiver.received.length, 1)
})

test('nothing is sent before what it tells of, and its own name, are on disk', async () => {
  const { project, owner } = await scene.project()
  const receiver = await openReceiver()
  await addHookTo(owner, project, { url: receiver.url })
  const { db } = scene.deps.database
  const hook = await db.selectFrom('hooks').select('id').where('project_id', '=', project.id).executeTakeFirstOrThrow()
  await db
    .transaction()
    .execute(tx => askForDelivery(tx, [hook.id], { trigger: 'push_events', payload: {}, turnOf: undefined, now: new Date() }))
  const { id, uuid } = await db
    .selectFrom('hook_deliveries')
    .select(['id', 'uuid'])
    .where('hook_id', '=', hook.id)
    .executeTakeFirstOrThrow()

  const { statements } = await recordStatements(() => tasksOf(scene.deps).send_to_hook({ delivery_id: id }, undefined))

  assert.equal(receiver.received[0]?.headers['x-gitlab-event-uuid'], uuid)
  // Read, waited for the disk, sent; noted after that.
  assert.match(statements[1] as string, /pg_logical_emit_message/)
  assert.ok(statements.findIndex(statement => statement.startsWith('update')) > 1, statements.join('\n'))
})

test('once what was sent again has arrived, the first is not tried any more', async () => {
  const { project, owner } = await scene.project()
  let isUp = false
  const receiver = await openReceiver((_request, response) => void response.writeHead(isUp ? 200 : 503).end())
  const hook = await addHookTo(owner, project, { url: receiver.url })
  await scene.commit(project, { 'a.txt': 'a' })
  await deliver()
  const [{ id: first }] = (await owner.get(`${hook}/events`)).body
  const stateOf = async () => (await owner.get(`${hook}/events`)).body.find((event: { id: number }) => event.id === first)?.status

  await owner.post(`${hook}/events/${first}/resend`)
  const afterFailure = await stateOf()
  isUp = true
  await owner.post(`${hook}/events/${first}/resend`)
  const sent = receiver.received.length
  await tasksOf(scene.deps).send_to_hook({ delivery_id: first }, undefined)

  assert.deepEqual([afterFailure, await stateOf(), receiver.received.length], ['pending', 'failed', sent])
})

test('what is sent again is attempted by the queue where the process ends before it could', async () => {
  const { project, owner } = await scene.project()
  const receiver = await openReceiver()
  const hook = await addHookTo(owner, project, { url: receiver.url })
  await scene.commit(project, { 'a.txt': 'a' })
  await deliver()
  const [{ id: first }] = (await owner.get(`${hook}/events`)).body
  const { id } = (await owner.post(`${hook}/events/${first}/resend`)).body
  assert.equal(await jobsFor(id), 1)
  const sent = receiver.received.length
  const { send_to_hook } = tasksOf(scene.deps)

  await send_to_hook({ delivery_id: id }, undefined)
  assert.equal(receiver.received.length, sent, 'it has been sent')
  // As a process leaves it that ends before the attempt is noted.
  await scene.deps.database.db.updateTable('hook_deliveries').set({ status: 'pending', attempts: 0 }).where('id', '=', id).execute()
  await send_to_hook({ delivery_id: id }, undefined)

  assert.equal(receiver.received.length, sent + 1)
})

test('deliveries are kept for a week', async () => {
  const { project, owner } = await scene.project()
  const receiver = await openReceiver()
  const hook = await addHookTo(owner, project, { url: receiver.url })
  await scene.commit(project, { 'a.txt': 'a' })
  await deliver()
  const { sweep_deliveries } = tasksOf({ ...scene.deps, now: () => new Date(Date.now() + 6 * 86_400_000) })
  await sweep_deliveries({}, undefined)
  assert.equal((await owner.get(`${hook}/events`)).body.length, 1)

  await tasksOf({ ...scene.deps, now: () => new Date(Date.now() + 8 * 86_400_000) }).sweep_deliveries({}, undefined)

  assert.deepEqual((await owner.get(`${hook}/events`)).body, [])
})
