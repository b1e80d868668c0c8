import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { NoResultError, sql } from 'kysely'
import pino from 'pino'
import { emptyDatabaseUrl } from '../../../test/database.ts'
import { type Db, openDatabase } from './connection.ts'
import { foreignKeyViolation } from './errors.ts'
import { outsideTransaction } from './handles.ts'
import { recordStatements } from './statements/statements.ts'
import { transact, transactOnce, transactSyncCommit } from './transact.ts'

const log = pino({ level: 'silent' })

/** A database of its own that is durable by default, unlike the tests' server, with a table of one row. */
async function durableDatabase() {
  const url = await emptyDatabaseUrl()
  const first = await openDatabase({ url, poolSize: 1, log })
  const { rows } = await sql<{ name: string }>`select quote_ident(current_database()) as name`.execute(first.db)
  await sql`alter database ${sql.raw(rows[0]!.name)} set synchronous_commit = on`.execute(first.db)
  await sql`create table tally (count integer not null)`.execute(first.db)
  await sql`insert into tally values (0)`.execute(first.db)
  await first.close()
  return openDatabase({ url, poolSize: 12, log })
}

test('many transactions on one row are durable when they have ended, with one flush each at most', async t => {
  const database = await durableDatabase()
  t.after(() => database.close())
  const { db } = database
  const isDurable = async (place: string) => {
    const { rows } = await sql<{ is: boolean }>`select pg_current_wal_flush_lsn() >= ${place}::pg_lsn as is`.execute(db)
    return rows[0]!.is
  }
  const add = async () => {
    const place = await transact(db, async tx => {
      await sql`update tally set count = count + 1`.execute(tx)
      return (await sql<{ at: string }>`select pg_current_wal_insert_lsn()::text as at`.execute(tx)).rows[0]!.at
    })
    return isDurable(place)
  }

  const { result, statements } = await recordStatements(() => Promise.all(Array.from({ length: 40 }, add)))

  assert.ok(result.every(Boolean))
  assert.deepEqual((await sql`select count from tally`.execute(db)).rows, [{ count: 40 }])
  const flushes = statements.filter(statement => statement.includes('pg_logical_emit_message')).length
  // How many share one depends on the disk.
  assert.ok(flushes > 0 && flushes <= 40, `${flushes} flushes for 40 transactions`)
})

test('a synchronous commit is durable when it ends, without another statement', async t => {
  const database = await durableDatabase()
  t.after(() => database.close())
  const { db } = database
  const add = (tx: Db) =>
    sql<{ at: string }>`update tally set count = count + 1 returning pg_current_wal_insert_lsn()::text as at`.execute(tx)

  const { result, statements } = await recordStatements(() => transactSyncCommit(db, add))

  const { rows } = await sql<{ is: boolean }>`select pg_current_wal_flush_lsn() >= ${result.rows[0]!.at}::pg_lsn as is`.execute(db)
  assert.equal(rows[0]?.is, true)
  assert.deepEqual((await sql`select count from tally`.execute(db)).rows, [{ count: 1 }])
  assert.equal(statements.filter(statement => statement.includes('pg_logical_emit_message')).length, 0)
})

test('a transaction that refers to a row deleted meanwhile is run again and reads again', async t => {
  const database = await durableDatabase()
  t.after(() => database.close())
  const { db } = database
  await sql`create table parents (id int primary key)`.execute(db)
  await sql`create table children (parent_id int references parents)`.execute(db)
  await sql`insert into parents values (1)`.execute(db)
  const looks: number[] = []

  const named = await transact(db, async tx => {
    const { rows } = await sql<{ id: number }>`select id from parents`.execute(tx)
    looks.push(rows.length)
    if (looks.length === 1) await sql`delete from parents`.execute(db)
    for (const { id } of rows) await sql`insert into children values (${id})`.execute(tx)
    return rows.length
  })
  let tries = 0
  const never = transact(db, async tx => {
    tries++
    await sql`insert into children values (7)`.execute(tx)
  })

  assert.deepEqual([named, looks], [0, [1, 0]])
  await assert.rejects(never, error => foreignKeyViolation(error) !== undefined)
  assert.equal(tries, 3)
})

test('a transaction that fails leaves nothing', async t => {
  const database = await durableDatabase()
  t.after(() => database.close())
  const failed = transact(database.db, async tx => {
    await sql`update tally set count = 7`.execute(tx)
    throw new Error('changed my mind')
  })
  await assert.rejects(failed, /changed my mind/)
  assert.deepEqual((await sql`select count from tally`.execute(database.db)).rows, [{ count: 0 }])
})

test('transactions that need another connection meanwhile do not wait for each other, however many there are', async t => {
  const database = await openDatabase({ url: await emptyDatabaseUrl(), poolSize: 4, kept: 3, log })
  // As a server does that listens.
  const kept = await Promise.all([1, 2, 3].map(() => database.pool.connect()))
  t.after(async () => {
    for (const client of kept) client.release()
    await database.close()
  })
  const { db } = database
  const one = sql<{ one: number }>`select 1 as one`

  const found = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      (index % 2 === 0 ? transact : transactOnce)(db, async tx => {
        await one.execute(tx)
        // Room is reserved so, where others must see it before the transaction ends.
        const [, inner] = await Promise.all([one.execute(db), transact(db, async own => (await one.execute(own)).rows[0]!.one)])
        return inner
      }),
    ),
  )

  assert.deepEqual(new Set(found), new Set([1]))
})

test('a transaction that fails leaves its place to the next one', async t => {
  const database = await openDatabase({ url: await emptyDatabaseUrl(), poolSize: 1, log })
  t.after(() => database.close())

  for (let attempt = 0; attempt < 3; attempt++)
    await assert.rejects(
      transact(database.db, async () => {
        throw new Error('no')
      }),
      /no/,
    )
  assert.equal(await transact(database.db, async () => 'yes'), 'yes')
})

test('a transaction that finds a row gone which it had read is run again, and gives up in the end', async t => {
  const database = await openDatabase({ url: await emptyDatabaseUrl(), poolSize: 2, log })
  t.after(() => database.close())
  const { db } = database
  await sql`create table users (id integer not null)`.execute(db)
  let runs = 0
  const found = await transact(db, async tx => {
    // Meant for the first time: another transaction deletes the row that this one has read.
    if (++runs > 1) return 'read again'
    await tx.deleteFrom('users').where('id', '=', 1).returning('id').executeTakeFirstOrThrow()
    return 'deleted'
  })
  const never = transact(db, tx => tx.deleteFrom('users').where('id', '=', 1).returning('id').executeTakeFirstOrThrow())

  assert.deepEqual([found, runs], ['read again', 2])
  await assert.rejects(never, NoResultError)
})

describe('work for outside of a transaction', () => {
  const owner = {}

  async function tallied(t: TestContext) {
    const { db, close } = await durableDatabase()
    t.after(close)
    const seen: string[] = []
    const add = (tx: Db) => sql`update tally set count = count + 1`.execute(tx)
    const ask = (asked: string, answer: () => Promise<string> = async () => asked.toUpperCase()) =>
      outsideTransaction(owner, { asked }, async () => {
        const { rows } = await sql<{ count: number }>`select count from tally`.execute(db)
        seen.push(`${asked} at ${rows[0]!.count}`)
        return answer()
      })
    const count = async () => (await sql<{ count: number }>`select count from tally`.execute(db)).rows[0]!.count
    return { db, seen, add, ask, count }
  }

  test('is done between two attempts, in the order in which it is found, and what was written counts once', async t => {
    const { db, seen, add, ask, count } = await tallied(t)

    const together = await transact(db, async tx => {
      await add(tx)
      return Promise.all([ask('a'), ask('b')])
    })
    const nested = await transact(db, async tx => {
      await add(tx)
      return transact(db, async () => [await ask('c'), await ask('d')])
    })

    assert.deepEqual(
      [together, nested],
      [
        ['A', 'B'],
        ['C', 'D'],
      ],
    )
    assert.deepEqual(seen, ['a at 0', 'b at 0', 'c at 1', 'd at 1'])
    assert.equal(await count(), 2)
    assert.equal(await ask('e'), 'E', 'without a transaction')
  })

  test('fails for who asked for it, and is done although the asking was given up', async t => {
    const { db, seen, add, ask, count } = await tallied(t)
    const fail = async () => {
      throw new RangeError('too long')
    }

    await assert.rejects(
      transact(db, async tx => {
        await add(tx)
        return ask('a', fail)
      }),
      RangeError,
    )
    const caught = await transact(db, async tx => {
      await add(tx)
      return [await ask('b').catch(() => 'given up'), await ask('c', fail).catch(({ name }) => name)]
    })

    assert.deepEqual([caught, await count()], [['B', 'RangeError'], 1])
    assert.deepEqual(seen, ['a at 0', 'b at 0', 'c at 0'])
  })

  test('is a mistake of the program in a transaction that runs once, and where each attempt finds other work', async t => {
    const { db, ask } = await tallied(t)
    let attempts = 0

    await assert.rejects(
      transactOnce(db, () => ask('a')),
      /runs once/,
    )
    await assert.rejects(
      transact(db, () => ask(`${++attempts}`)),
      /other work/,
    )
    assert.equal(attempts, 100)
  })

  test('is done where it is asked for by what a transaction began and that goes on after it', async t => {
    const { db, ask } = await tallied(t)
    const over = Promise.withResolvers<void>()

    const { later } = await transact(db, async () => ({ later: over.promise.then(() => transact(db, () => ask('a'))) }))
    over.resolve()

    assert.equal(await later, 'A')
  })
})
