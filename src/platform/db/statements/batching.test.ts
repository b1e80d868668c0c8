import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import pino from 'pino'
import { emptyDatabaseUrl } from '../../../../test/database.ts'
import { type Db, openDatabase } from '../connection.ts'
import { checkViolation, isConnectionFailure } from '../errors.ts'
import { asyncCommit } from '../transact.ts'
import { batched, batchedDurably } from './batching.ts'
import { recordStatements } from './statements.ts'

const log = pino({ level: 'silent' })

/** A database of its own that is durable by default, as the tests' server is not, with drawers that take no `broken` thing. */
async function drawers(t: { after(end: () => Promise<void>): void }) {
  const url = await emptyDatabaseUrl()
  const first = await openDatabase({ url, poolSize: 1, log })
  const { rows } = await sql<{ name: string }>`select quote_ident(current_database()) as name`.execute(first.db)
  await sql`alter database ${sql.raw(rows[0]!.name)} set synchronous_commit = on`.execute(first.db)
  await sql`create table drawers (id integer primary key, count integer not null)`.execute(first.db)
  await sql`create table things (drawer integer not null, place integer not null, name text not null check (name <> 'broken'))`.execute(
    first.db,
  )
  await sql`insert into drawers values (1, 0), (2, 0)`.execute(first.db)
  await first.close()
  const database = await openDatabase({ url, poolSize: 12, log })
  t.after(() => database.close())
  return database.db
}

/** Puts things into a drawer, in their order, and says which place in it each has, and where in the log that stands. */
async function put(db: Db, drawer: number, names: readonly string[]): Promise<{ place: number; at: string }[]> {
  const { rows } = await sql<{ place: number; at: string }>`
    with grown as (update drawers set count = count + ${names.length} where id = ${drawer} returning count),
    put as (
      insert into things (drawer, place, name)
      select ${drawer}, grown.count - ${names.length} + n, name from grown, unnest(${names}::text[]) with ordinality as given (name, n)
      returning place)
    select place, pg_current_wal_insert_lsn()::text as at, ${asyncCommit} as early from put order by place`.execute(db)
  return rows
}

const kept = async (db: Db, drawer: number) => {
  const { rows } = await sql<{
    place: number
    name: string
  }>`select place, name from things where drawer = ${drawer} order by place`.execute(db)
  return rows
}

test('what many ask for at the same time is done in few statements and is durable, and each hears of their own', async t => {
  const db = await drawers(t)
  const putTogether = batchedDurably(put)
  const names = Array.from({ length: 120 }, (_, n) => `thing ${n}`)
  const ask = async (name: string) => {
    const { place, at } = await putTogether(db, 1, name)
    const { rows } = await sql<{ is: boolean }>`select pg_current_wal_flush_lsn() >= ${at}::pg_lsn as is`.execute(db)
    return { place, name, isDurable: rows[0]!.is }
  }

  const { result, statements } = await recordStatements(() => Promise.all(names.map(ask)))

  assert.deepEqual(
    result,
    names.map((name, n) => ({ place: n + 1, name, isDurable: true })),
  )
  assert.deepEqual(
    await kept(db, 1),
    result.map(({ place, name }) => ({ place, name })),
  )
  // The one who came first is alone; fifty at most go together.
  assert.equal(statements.filter(statement => statement.includes('insert into things')).length, 4)
})

test('of those that fail together each is done alone: one fails, and no place is left out', async t => {
  const db = await drawers(t)
  const putTogether = batchedDurably(put)
  const names = ['first', 'second', 'broken', 'fourth', 'fifth']

  const ended = await Promise.allSettled(names.map(name => putTogether(db, 1, name)))

  assert.deepEqual(
    ended.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
  assert.ok(ended.some(end => end.status === 'rejected' && checkViolation(end.reason) !== undefined))
  const things = await kept(db, 1)
  assert.deepEqual(things.map(({ name }) => name).toSorted(), ['fifth', 'first', 'fourth', 'second'])
  assert.deepEqual(
    things.map(({ place }) => place),
    [1, 2, 3, 4],
  )
})

test('where the connection is lost nothing is done again, since nobody knows what was done', async t => {
  const db = await drawers(t)
  const tried: (readonly string[])[] = []
  const putTogether = batchedDurably(async (base, drawer: number, names: readonly string[]) => {
    tried.push(names)
    const done = await put(base, drawer, names)
    if (names.length > 1) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(base)
    return done
  })

  const ended = await Promise.allSettled(['first', 'second', 'third'].map(name => putTogether(db, 1, name)))

  assert.deepEqual(tried, [['first'], ['second', 'third']])
  assert.deepEqual(
    ended.map(end => end.status === 'rejected' && isConnectionFailure(end.reason)),
    [false, true, true],
  )
  assert.equal((await putTogether(db, 1, 'fourth')).place, 4)
})

test('what is asked for under another key waits for nobody', async t => {
  const db = await drawers(t)
  const holding = Promise.withResolvers<void>()
  const putTogether = batchedDurably(async (base, drawer: number, names: readonly string[]) => {
    if (drawer === 1) await holding.promise
    return put(base, drawer, names)
  })
  const held = putTogether(db, 1, 'held')

  const { place } = await putTogether(db, 2, 'free')

  assert.equal(place, 1)
  holding.resolve()
  assert.equal((await held).place, 1)
})

test('who asks again as soon as they are answered is served, and no more at a time than the line allows', async t => {
  const db = await drawers(t)
  const rounds: number[] = []
  const askInLine = batched(async (_db, _key, given: readonly number[]) => {
    rounds.push(given.length)
    return given.map(number => number * 2)
  }, 3)
  const doubledAgainAndAgain = async (number: number) => {
    let doubled = number
    for (let times = 0; times < 20; times++) doubled = await askInLine(db, 1, doubled)
    return doubled
  }

  const answers = await Promise.all([1, 2, 3, 4, 5].map(doubledAgainAndAgain))

  assert.deepEqual(
    answers,
    [1, 2, 3, 4, 5].map(number => number * 2 ** 20),
  )
  assert.equal(Math.max(...rounds), 3)
})
