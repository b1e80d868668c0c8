/** Jobs that wait for servers elsewhere: they leave workers for other work, and for other users. */
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { sql } from 'kysely'
import pino from 'pino'
import { Type } from 'typebox'
import { atEnd } from '../../../../test/at_end.ts'
import { testDatabase } from '../../../../test/database.ts'
import { eventually } from '../../../../test/eventually.ts'
import { queueOf } from '../queue.ts'
import { WaitSlots, waitLimits } from './waits.ts'

const payload = Type.Object({ of: Type.String() })
const payloads = { send_to_hook: payload, import_project: payload, greet: payload }
const { enqueue, enqueueJobs, startWorker } = queueOf(payloads)

/** Workers whose waiting jobs end when their server answers. */
async function waiting(concurrency: number) {
  const database = await testDatabase()
  const { db } = database
  const running: string[] = []
  const answers: (() => void)[] = []
  let most = 0
  const wait = async ({ of }: { of: string }) => {
    running.push(of)
    most = Math.max(most, running.length)
    await new Promise<void>(resolve => answers.push(resolve))
    running.splice(running.indexOf(of), 1)
  }
  let greeted = 0
  const greet = async () => void greeted++
  const worker = await startWorker({
    database,
    tasks: { send_to_hook: wait, import_project: wait, greet },
    log: pino({ level: 'silent' }),
    concurrency,
  })
  atEnd(async () => {
    const stopped = worker.stop()
    for (const answer of answers) answer()
    await stopped
  })
  const left = async () => Number((await sql<{ n: number }>`select count(*) n from graphile_worker.jobs`.execute(db)).rows[0]!.n)
  return {
    db,
    running,
    most: () => most,
    left,
    /** All waiting jobs end, those too that begin meanwhile. */
    answerAll: () =>
      eventually(async () => {
        for (const answer of answers.splice(0)) answer()
        return (await left()) === 0
      }, 'an empty queue'),
    /** Work that is done here goes on. */
    async greets() {
      const before = greeted
      for (let count = 0; count < 5; count++) await enqueue(db, 'greet', { of: 'here' })
      await eventually(() => greeted === before + 5, 'work that is done here')
    },
  }
}

test('one user whose servers do not answer holds half of the workers, and all users together leave one', async () => {
  const { db, running, most, greets, answerAll } = await waiting(4)
  await db.transaction().execute(async tx => {
    for (let count = 0; count < 20; count++) await enqueue(tx, 'send_to_hook', { of: `a${count}` }, { turnOf: 1 })
  })
  await eventually(() => running.length === 2, 'two that wait')
  await greets()
  assert.equal(running.length, 2)

  await enqueue(db, 'send_to_hook', { of: 'b' }, { turnOf: 2 })
  await eventually(() => running.includes('b'), 'a hook of another user')
  await enqueue(db, 'send_to_hook', { of: 'c' }, { turnOf: 3 })
  await greets()

  assert.equal(running.length, 3)
  assert.equal(running.includes('c'), false)
  await answerAll()
  assert.equal(most(), 3)
})

test('a hook does not wait for imports, and an import of a user not for another one of theirs', async () => {
  const { db, running, most, greets, answerAll } = await waiting(4)
  const imported = (of: string, turnOf: number, lane: number) =>
    enqueue(db, 'import_project', { of }, { turnOf, queueName: `remote ${lane}` })
  await imported('a0', 1, 0)
  await imported('a1', 1, 1)
  await eventually(() => running.length === 1, 'an import')
  await imported('b', 2, 0)
  await imported('b', 2, 1)
  await eventually(() => running.length === 2, 'an import of another user')
  await enqueueJobs(db, [{ task: 'import_project', payload: { of: 'without a queue' } }])
  await greets()
  assert.equal(running.length, 2)

  await enqueue(db, 'send_to_hook', { of: 'hook' }, { turnOf: 3 })

  await eventually(() => running.includes('hook'), 'a hook')
  await greets()
  await answerAll()
  assert.equal(most(), 3)
})

test('users take turns among all that wait without a queue', async () => {
  const { db, running, answerAll } = await waiting(2)
  await enqueue(db, 'send_to_hook', { of: 'a0' }, { turnOf: 1 })
  await eventually(() => running.length === 1, 'one that waits')
  for (let count = 1; count < 10; count++) await enqueue(db, 'send_to_hook', { of: `a${count}` }, { turnOf: 1 })
  await enqueue(db, 'send_to_hook', { of: 'b' }, { turnOf: 2 })
  const { rows } = await sql<{ of: string }>`select payload ->> 'of' as of from graphile_worker._private_jobs
    where locked_at is null order by priority, run_at limit 2`.execute(db)

  assert.deepEqual(
    rows.map(({ of }) => of),
    ['a1', 'b'],
  )
  await answerAll()
})

test('some workers are always left', () => {
  for (let workers = 2; workers <= 32; workers++) {
    const { all, long } = waitLimits(workers)
    assert.ok(all < workers && long >= 1 && (workers < 3 || long < all), `of ${workers}: ${all}, ${long}`)
  }
})

test('a worker that ends before its question is answered is not asked to ask again: another one is', () => {
  const events = new EventEmitter()
  const slots = new WaitSlots(2, events as never)
  const nudged: string[] = []
  const workerNamed = (name: string) => ({ nudge: () => nudged.push(name) > 0 })
  const [ending, other] = [workerNamed('ending'), workerNamed('other')]
  for (const worker of [ending, other]) events.emit('worker:create', { worker })
  for (const worker of [ending, other]) events.emit('worker:getJob:start', { worker })
  assert.deepEqual(slots.forbidden(), [])
  events.emit('worker:getJob:start', { worker: ending })
  assert.equal(slots.forbidden().length, 1, 'one at a time may take what waits')

  events.emit('worker:release', { worker: ending })
  events.emit('worker:getJob:empty', { worker: ending })

  assert.deepEqual(nudged, ['other'])
})
