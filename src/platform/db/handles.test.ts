import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { testDatabase } from '../../../test/database.ts'
import type { Db } from './connection.ts'
import { inTransaction, requestDb, rootDb } from './handles.ts'
import { transact } from './transact.ts'

const { db } = await testDatabase()

const backend = async (db: Db) => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid

test('statements of a request that overlap share a connection, and those of two requests do not', async () => {
  const [mine, other] = [requestDb(db), requestDb(db)]
  const [first, second, third, foreign] = await Promise.all([backend(mine), backend(mine), backend(mine), backend(other)])
  assert.equal(new Set([first, second, third]).size, 1)
  assert.notEqual(foreign, first)
})

test('a request holds no connection between its statements', async () => {
  const mine = requestDb(db)
  const pid = await backend(mine)
  const { rows } = await sql<{ state: string }>`select state from pg_stat_activity where pid = ${pid}`.execute(db)
  assert.notEqual(rows[0]?.state, 'idle in transaction')
  // More than there are connections.
  const all = await Promise.all(Array.from({ length: 60 }, async () => backend(requestDb(db))))
  assert.equal(all.length, 60)
})

test('a statement that fails does not fail those beside it', async () => {
  const mine = requestDb(db)
  const [failed, fine] = await Promise.allSettled([sql`select 1 / ${0}::int`.execute(mine), backend(mine)])
  assert.equal(failed.status, 'rejected')
  assert.equal(fine.status, 'fulfilled')
  assert.ok(await backend(mine))
})

test('a transaction of a request has a connection of its own', async () => {
  const mine = requestDb(db)
  assert.equal(rootDb(mine), db)
  const [inside, beside] = await Promise.all([mine.transaction().execute(backend), backend(mine)])
  assert.notEqual(inside, beside)
  const [durable, between] = await Promise.all([transact(mine, backend), backend(mine)])
  assert.notEqual(durable, between)
})

test('concurrent statements of a transaction see the effects of those sent before', async () => {
  await sql`create table numbers (n int not null)`.execute(db)
  const counts = await inTransaction(db, 'early', tx =>
    Promise.all(
      [1, 2, 3].map(async n => {
        await sql`insert into numbers values (${n})`.execute(tx)
        return n
      }),
    ).then(async () => (await sql<{ count: number }>`select count(*) from numbers`.execute(tx)).rows[0]?.count),
  )
  assert.equal(counts, 3)
})

test('a transaction with a failed statement leaves nothing and accepts no further statement', async () => {
  await sql`create table letters (letter text not null)`.execute(db)
  let later: Promise<unknown> | undefined
  const work = inTransaction(db, 'early', async tx => {
    await Promise.all([
      sql`insert into letters values ('a')`.execute(tx),
      sql`insert into letters values (${null})`.execute(tx).catch(error => {
        later = new Promise(resolve => setImmediate(resolve)).then(() => sql`insert into letters values ('b')`.execute(tx))
        later.catch(() => {})
        throw error
      }),
    ])
  })
  await assert.rejects(work, { code: '23502' })
  assert.ok(later)
  await assert.rejects(later)
  assert.deepEqual((await sql`select * from letters`.execute(db)).rows, [])
})

test('a transaction that has ended accepts no statement', async () => {
  const [kept] = await inTransaction(db, 'early', async tx => [tx] as const)
  await assert.rejects(backend(kept), /The transaction is over/)
})
