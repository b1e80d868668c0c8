import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { sql } from 'kysely'
import pino from 'pino'
import { testDatabase, testDatabaseUrl } from '../../../test/database.ts'
import { DatabaseUnavailable, openDatabase } from './connection.ts'
import { checkViolation, foreignKeyViolation, isConnectionFailure, isRetryable, isTimeout, uniqueViolation } from './errors.ts'
import { recordStatements } from './statements/statements.ts'

const log = pino({ level: 'silent' })
const database = await testDatabase()
const { db } = database

const caught = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => assert.fail('no error'),
    error => error,
  )

test('a server that does not answer is DatabaseUnavailable, with its reason in one line', async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => closed.once('listening', resolve))
  const { port } = closed.address() as { port: number }
  await new Promise(resolve => closed.close(resolve))

  const error = await caught(openDatabase({ url: `postgres://ingot:secret@127.0.0.1:${port}/ingot`, poolSize: 1, log }))
  assert.ok(error instanceof DatabaseUnavailable)
  assert.match(error.message, /^The database cannot be reached: .*ECONNREFUSED/)
  assert.doesNotMatch(error.message, /secret/)
})

test('an address that changes what sessions rely on is refused', async () => {
  const url = `${await testDatabaseUrl()}&options=-c%20TimeZone%3DAsia/Tokyo`
  await assert.rejects(openDatabase({ url, poolSize: 1, log }), { name: 'DatabaseUnfit', message: /TimeZone UTC/ })
})

test('a connection that the server ends is DatabaseUnavailable for its statement, and the next one works', async () => {
  const alone = await openDatabase({ url: database.url, poolSize: 1, log })
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(alone.db)
  const running = caught(sql`select pg_sleep(60)`.execute(alone.db))
  await sql`select pg_terminate_backend(${rows[0]!.pid})`.execute(db)

  assert.ok(isConnectionFailure(await running))
  assert.deepEqual((await sql`select 1 as one`.execute(alone.db)).rows, [{ one: 1 }])
  await alone.close()
})

test('a connection lost within a transaction is DatabaseUnavailable and ends the transaction only', async () => {
  const work = db.transaction().execute(async tx => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await sql`select pg_terminate_backend(${rows[0]!.pid})`.execute(db)
    await sql`select 1`.execute(tx)
  })
  assert.ok(isConnectionFailure(await caught(work)))
  assert.deepEqual((await sql`select 1 as one`.execute(db)).rows, [{ one: 1 }])
})

test('a statement over its time limit is ended', async () => {
  const hasty = await openDatabase({ url: database.url, poolSize: 1, log, statementTimeout: 20 })
  assert.ok(isTimeout(await caught(sql`select pg_sleep(60)`.execute(hasty.db))))
  await hasty.close()
})

test('violations are recognised by code and constraint', async () => {
  await sql`create table parents (id int constraint parents_key primary key, age int constraint parents_age check (age > 0))`.execute(db)
  await sql`create table children (id int constraint children_parent references parents)`.execute(db)
  await sql`insert into parents values (1, 1)`.execute(db)

  assert.equal(uniqueViolation(await caught(sql`insert into parents values (1, 1)`.execute(db))), 'parents_key')
  assert.equal(checkViolation(await caught(sql`insert into parents values (2, 0)`.execute(db))), 'parents_age')
  assert.equal(foreignKeyViolation(await caught(sql`insert into children values (3)`.execute(db))), 'children_parent')
  assert.equal(uniqueViolation(await caught(sql`select no_such_column`.execute(db))), undefined)
  assert.equal(uniqueViolation(new Error('duplicate key value violates unique constraint')), undefined)
})

test('of two transactions that wait for each other one may be tried again', async () => {
  await sql`create table gates (id int primary key)`.execute(db)
  await sql`insert into gates values (1), (2)`.execute(db)
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  const cross = (mine: number, other: number, have: PromiseWithResolvers<void>, wait: PromiseWithResolvers<void>) =>
    db.transaction().execute(async tx => {
      await sql`select from gates where id = ${mine} for update`.execute(tx)
      have.resolve()
      await wait.promise
      await sql`select from gates where id = ${other} for update`.execute(tx)
    })
  const outcomes = await Promise.allSettled([cross(1, 2, first, second), cross(2, 1, second, first)])
  const failures = outcomes.filter(outcome => outcome.status === 'rejected')
  assert.equal(failures.length, 1)
  assert.ok(isRetryable(failures[0]!.reason))
})

test('only the statements of the recorded function are recorded', async () => {
  const [{ result, statements }] = await Promise.all([
    recordStatements(() =>
      db.transaction().execute(async tx => {
        await sql`select 1`.execute(tx)
        return 'done'
      }),
    ),
    sql`select 'elsewhere'`.execute(db),
  ])
  assert.equal(result, 'done')
  assert.deepEqual(statements, ['begin', 'select 1', 'commit'])
})

test('the plan setting of a connection is right again after a rollback', async () => {
  const alone = await openDatabase({ url: database.url, poolSize: 1, log })
  const planning = (db: typeof alone.db, n: number) =>
    sql<{ setting: string }>`select current_setting('plan_cache_mode') as setting, ${n}::int as padding`.execute(db)
  for (let n = 0; n < 30; n++) await planning(alone.db, n)
  const named = async (db: typeof alone.db) => (await planning(db, 0)).rows[0]?.setting
  assert.equal(await named(alone.db), 'force_generic_plan')

  const undone = alone.db.transaction().execute(async tx => {
    await sql`select 1 limit ${1}`.execute(tx)
    assert.equal(await named(tx), 'force_generic_plan')
    await sql`select 1 / ${0}::int`.execute(tx)
  })
  await assert.rejects(undone, { code: '22012' })
  assert.equal(await named(alone.db), 'force_generic_plan')
  const [, setting] = await Promise.all([sql`select ${1}::int`.execute(alone.db), named(alone.db)])
  assert.equal(setting, 'force_generic_plan')
  await alone.close()
})

test('concurrent statements of a transaction run in order, each with its own result', async () => {
  const answers = await db
    .transaction()
    .execute(tx =>
      Promise.all(
        [1, 2, 3].map(async n => (await sql<{ n: number }>`select ${n}::int as n, pg_sleep(${(3 - n) / 100})`.execute(tx)).rows[0]?.n),
      ),
    )
  assert.deepEqual(answers, [1, 2, 3])
})

test('of concurrent statements that fail, the first failure is the one that is thrown', async () => {
  const work = db.transaction().execute(tx => Promise.all([sql`select 1 / ${0}::int`.execute(tx), sql`select ${1}::int`.execute(tx)]))
  await assert.rejects(work, { code: '22012' })
})
