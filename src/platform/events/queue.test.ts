import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import pino from 'pino'
import { Type } from 'typebox'
import { atEnd } from '../../../test/at_end.ts'
import { testDatabase } from '../../../test/database.ts'
import { eventually } from '../../../test/eventually.ts'
import { openDatabase } from '../db/connection.ts'
import type { Log } from '../db/log.ts'
import { queueOf, type Tasks } from './queue.ts'

const log: Log = pino({ level: 'silent' })
const payloads = { greet: Type.Object({ name: Type.String() }), rest: Type.Object({}) }
const { enqueue, startWorker } = queueOf(payloads)

/** A worker on its own database that records the greeted names. */
async function greeter(tasks: Partial<Tasks<typeof payloads>> = {}, concurrency = 2, leavesAfter?: number) {
  const database = await testDatabase()
  const greeted: string[] = []
  const all = { greet: async ({ name }: { name: string }) => void greeted.push(name), rest: async () => {}, ...tasks }
  const work = async (itsLog: Log = log) => {
    const worker = await startWorker({ database, tasks: all, log: itsLog, concurrency, ...(leavesAfter !== undefined && { leavesAfter }) })
    atEnd(() => worker.stop())
    return worker
  }
  const worker = await work()
  return { database, db: database.db, greeted, work, worker }
}

test('a job of a committed transaction runs once, within a second', async () => {
  const { db, greeted } = await greeter()
  const names = ['Ada', 'Alan', 'Grace']
  const waits: number[] = []
  for (const name of names) {
    const start = performance.now()
    await db.transaction().execute(tx => enqueue(tx, 'greet', { name }))
    await eventually(() => greeted.includes(name), `a greeting of ${name}`)
    waits.push(performance.now() - start)
  }
  // A busy machine may be late once; a worker that is not notified and polls every two seconds is late each time.
  assert.ok(Math.min(...waits) < 1_000, `after ${waits.join(', ')} ms`)
  await eventually(async () => (await jobs(db)) === 0, 'an empty queue')
  assert.deepEqual(greeted, names)
})

test('a job of a transaction that is rolled back never runs', async () => {
  const { db, greeted } = await greeter()
  const abandoned = db.transaction().execute(async tx => {
    await enqueue(tx, 'greet', { name: 'nobody' })
    throw new Error('changed my mind')
  })
  await assert.rejects(abandoned, /changed my mind/)
  await enqueue(db, 'greet', { name: 'Ada' })
  await eventually(() => greeted.length > 0, 'a greeting')
  assert.equal(await jobs(db, 'greet', 'nobody'), 0)
  assert.deepEqual(greeted, ['Ada'])
})

test('two workers run each of many jobs exactly once', async () => {
  const { db, greeted, work } = await greeter()
  await work()
  const names = Array.from({ length: 200 }, (_, index) => `person ${index}`)
  await db.transaction().execute(async tx => {
    for (const name of names) await enqueue(tx, 'greet', { name })
  })
  await eventually(async () => (await jobs(db)) === 0, 'an empty queue')
  assert.deepEqual(greeted.toSorted(), names.toSorted())
})

test('jobs of one queue never run at the same time', async () => {
  let running = 0
  let most = 0
  let done = 0
  const rest = async () => {
    most = Math.max(most, ++running)
    await delay(1)
    running--
    done++
  }
  const { db } = await greeter({ rest }, 4)
  for (let count = 0; count < 10; count++) await enqueue(db, 'rest', {}, { queueName: 'one lane' })
  await eventually(() => done === 10, 'ten jobs to be done')
  assert.equal(most, 1)
})

test('users take turns in a queue that they share', async () => {
  const { db, greeted, worker, work } = await greeter()
  await worker.stop()
  const ask = (name: string, turnOf: number, options: { runAt?: Date; jobKey?: string } = {}) =>
    enqueue(db, 'greet', { name }, { queueName: 'lane', turnOf, ...options })
  for (const name of ['a1', 'a2', 'a3', 'a4']) await ask(name, 1)
  await ask('a2 again', 1, { runAt: new Date(Date.now() + 3_600_000) })
  for (const name of ['b1', 'b2']) await ask(name, 2)
  await ask('c1', 3, { jobKey: 'c' })
  await ask('c1 again', 3, { jobKey: 'c' })
  await enqueue(db, 'greet', { name: 'elsewhere' }, { queueName: 'another lane', turnOf: 1 })
  await work()
  await eventually(async () => (await jobs(db)) === 1, 'those of now to be done')
  assert.deepEqual(
    greeted.filter(name => name !== 'elsewhere'),
    ['a1', 'b1', 'c1 again', 'a2', 'b2', 'a3', 'a4'],
  )
  assert.deepEqual(greeted.indexOf('elsewhere') < 4, true)
})

test('a job with the key of one that waits replaces it', async () => {
  const { db, greeted, worker, work } = await greeter()
  await worker.stop()
  await enqueue(db, 'greet', { name: 'first' }, { jobKey: 'greeting' })
  await enqueue(db, 'greet', { name: 'second' }, { jobKey: 'greeting' })
  await work()
  await eventually(async () => (await jobs(db)) === 0, 'an empty queue')
  assert.deepEqual(greeted, ['second'])
})

test('a failed job is retried', async () => {
  let attempts = 0
  const rest = async () => {
    if (++attempts === 1) throw new Error('first attempt')
  }
  const { db } = await greeter({ rest })
  await enqueue(db, 'rest', {})
  await eventually(() => attempts === 2, 'a second attempt')
})

test('a job in the future waits, and a job whose payload does not match its task fails', async () => {
  const { db, greeted } = await greeter()
  await enqueue(db, 'greet', { name: 'later' }, { runAt: new Date(Date.now() + 3_600_000) })
  await sql`select graphile_worker.add_job('greet', '{"name": 1}'::json, max_attempts => 1)`.execute(db)
  await enqueue(db, 'greet', { name: 'now' })
  await eventually(async () => greeted.length > 0 && (await failures(db)).length > 0, 'a greeting and a failure')
  assert.deepEqual(greeted, ['now'])
})

test('stopping waits for the running job and takes no other', async () => {
  const started = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  let runs = 0
  const rest = async () => {
    runs++
    started.resolve()
    await finish.promise
  }
  const { db, worker } = await greeter({ rest }, 1)
  await enqueue(db, 'rest', {})
  await enqueue(db, 'rest', {})
  await started.promise
  const stopped = worker.stop()
  finish.resolve()
  await stopped
  assert.equal(runs, 1)
  assert.equal(await jobs(db), 1)
})

test('stopping leaves a job that does not end, and the next worker runs it again', async () => {
  const finish = Promise.withResolvers<void>()
  let runs = 0
  const rest = async () => {
    runs++
    await finish.promise
  }
  const { db, work, worker } = await greeter({ rest }, 1, 200)
  await enqueue(db, 'rest', {})
  await eventually(() => runs === 1, 'a first run')

  await worker.stop()
  await work()

  await eventually(() => runs === 2, 'a second run')
  finish.resolve()
})

test('a job whose process was killed runs again within seconds', async t => {
  const { database, db, greeted, worker, work } = await greeter()
  await worker.stop()
  const source = `
    import pino from ${JSON.stringify(import.meta.resolve('pino'))}
    import { Type } from ${JSON.stringify(import.meta.resolve('typebox'))}
    import { openDatabase } from ${JSON.stringify(import.meta.resolve('../db/connection.ts'))}
    import { queueOf } from ${JSON.stringify(import.meta.resolve('./queue.ts'))}
    const log = pino({ level: 'silent' })
    const database = await openDatabase({ url: ${JSON.stringify(database.url)}, poolSize: 4, log })
    const forever = async () => { console.log('working'); await new Promise(() => {}) }
    await queueOf({ greet: Type.Object({ name: Type.String() }) }).startWorker({ database, tasks: { greet: forever }, log, concurrency: 1 })`
  const doomed = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => doomed.kill('SIGKILL'))
  await enqueue(db, 'greet', { name: 'Ada' })
  await once(createInterface(doomed.stdout), 'line')

  await work()
  doomed.kill('SIGKILL')
  await eventually(() => greeted.length > 0, 'a greeting')
  assert.deepEqual(greeted, ['Ada'])
})

test('a worker recovers after all its connections broke', async () => {
  const { database, db, greeted } = await greeter()
  await enqueue(db, 'greet', { name: 'before' })
  await eventually(() => greeted.length === 1, 'a greeting')
  const other = await openDatabase({ url: database.url, poolSize: 1, log })
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
    other.db,
  )
  await enqueue(other.db, 'greet', { name: 'after' })
  await eventually(() => greeted.length === 2, 'a greeting')
  await other.close()
})

test('a worker that cannot fetch jobs recovers with the database', async () => {
  const { db, greeted, worker, work } = await greeter()
  await worker.stop()
  await sql`alter table graphile_worker._private_tasks rename to away`.execute(db)
  const failed = Promise.withResolvers<void>()
  await work({ ...log, debug: (_fields: object, text?: string) => text?.startsWith('Failed to acquire job') && failed.resolve() })
  await failed.promise
  await sql`alter table graphile_worker.away rename to _private_tasks`.execute(db)
  await enqueue(db, 'greet', { name: 'Ada' })
  await eventually(() => greeted.length > 0, 'a greeting')
})

for (const [ending, throws] of [
  ['succeeds', false],
  ['fails', true],
] as const)
  test(`a job that ${ending} while the database cannot record it harms nothing and runs again`, async () => {
    let attempts = 0
    const rest = async () => {
      if (++attempts > 1) return
      await sql`alter table graphile_worker._private_jobs rename to away`.execute(db)
      if (throws) throw new Error('first attempt')
    }
    const { db, worker, work } = await greeter({ rest })
    await worker.stop()
    const lost = Promise.withResolvers<void>()
    await work({ ...log, error: (_fields: object, text?: string) => /^Failed to (complete|fail) jobs/.test(text ?? '') && lost.resolve() })
    await enqueue(db, 'rest', {})
    await lost.promise

    await sql`alter table graphile_worker.away rename to _private_jobs`.execute(db)

    await eventually(() => attempts === 2, 'a second attempt')
  })

test('a worker goes on, and stops, after the ends of several jobs could not be recorded in the same moment', async () => {
  const database = await testDatabase()
  const many = await openDatabase({ url: database.url, poolSize: 20, log })
  atEnd(() => many.close())
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
  let begun = 0
  const greeted: string[] = []
  const rest = async () => gates[begun++]?.promise
  let lost = 0
  const noting = { ...log, error: (_fields: object, text?: string) => text?.startsWith('Failed to complete jobs') && lost++ } as Log
  const tasks = { greet: async ({ name }: { name: string }) => void greeted.push(name), rest }
  const worker = await startWorker({ database: many, tasks, log: noting, concurrency: 4 })
  for (const _ of gates) await enqueue(many.db, 'rest', {})
  await eventually(() => begun === 4, 'four jobs')
  const waiting = async () =>
    (await sql`select from pg_locks where not granted and relation = 'graphile_worker._private_jobs'::regclass`.execute(many.db)).rows
      .length
  await many.db.transaction().execute(async tx => {
    await sql`lock table graphile_worker._private_jobs in access exclusive mode`.execute(tx)
    for (const [index, { resolve }] of gates.slice(0, 3).entries()) {
      resolve()
      // Its end, and the next job that its worker asks for.
      await eventually(async () => (await waiting()) >= 2 * (index + 1), 'the record of an end')
    }
    await sql`alter table graphile_worker._private_jobs rename to away`.execute(tx)
  })
  await eventually(() => lost === 3, 'three ends that are not recorded')
  gates[3]!.resolve()
  await eventually(() => lost === 4, 'the last one')
  await sql`alter table graphile_worker.away rename to _private_jobs`.execute(many.db)

  await enqueue(many.db, 'greet', { name: 'Ada' })
  await eventually(() => greeted.length > 0, 'a greeting')
  await worker.stop()
})

test('the wrong payload does not compile', () => {
  const misuse = (db: never) => [
    // @ts-expect-error a name is required
    enqueue(db, 'greet', {}),
    // @ts-expect-error there is no such task
    enqueue(db, 'shout', { name: 'Ada' }),
  ]
  assert.equal(typeof misuse, 'function')
})

type AnyDb = Parameters<typeof enqueue>[0]

async function jobs(db: AnyDb, task?: string, name?: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where (${task ?? null}::text is null or t.identifier = ${task ?? null}) and (${name ?? null}::text is null or j.payload->>'name' = ${name ?? null})`.execute(
    db,
  )
  return rows[0]!.count
}

async function failures(db: AnyDb): Promise<unknown[]> {
  return (await sql`select last_error from graphile_worker.jobs where last_error is not null`.execute(db)).rows
}
