import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import pino from 'pino'
import { emptyDatabaseUrl } from '../../test/database.ts'
import { openDatabase } from './connection.ts'
import { recordStatements } from './statements.ts'
import { endingEarly, transact, transactAtOnce } from './transact.ts'

const log = pino({ level: 'silent' })

/** A database of its own that is durable by default, as the tests' server is not, with a table of one row. */
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

test('many transactions on one row are durable when they have ended, and share the waiting for the disk', async t => {
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
  assert.ok(flushes > 0 && flushes < 40, `${flushes} flushes for 40 transactions`)
})

test('a statement that is a transaction ends before the disk has it, and is told of after that; the next one waits for the disk again', async t => {
  const database = await durableDatabase()
  t.after(() => database.close())
  const { db } = database
  const written = async () => {
    const { rows } = await sql<{ at: string }>`
      with written as (update tally set count = count + 1 returning pg_current_wal_insert_lsn()::text as at)
      select at, ${endingEarly} as early from written`.execute(db)
    return rows[0]!.at
  }

  const { result, statements } = await recordStatements(() => Promise.all(Array.from({ length: 40 }, () => transactAtOnce(db, written))))

  const { rows } = await sql<{ is: boolean }>`
    select bool_and(pg_current_wal_flush_lsn() >= at::pg_lsn) as is from unnest(${result}::text[]) as at`.execute(db)
  assert.equal(rows[0]?.is, true)
  assert.deepEqual((await sql`select count from tally`.execute(db)).rows, [{ count: 40 }])
  assert.equal(statements.filter(statement => /^(begin|commit)/.test(statement)).length, 0)
  const flushes = statements.filter(statement => statement.includes('pg_logical_emit_message')).length
  assert.ok(flushes > 0 && flushes < 40, `${flushes} flushes for 40 statements`)
  const settings = await Promise.all(Array.from({ length: 12 }, () => sql<{ now: string }>`show synchronous_commit`.execute(db)))
  assert.ok(settings.every(({ rows: [setting] }) => Object.values(setting ?? {})[0] === 'on'))
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
