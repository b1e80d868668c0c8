import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import pino from 'pino'
import type { Database } from '../src/platform/db/connection.ts'
import { keepDatabases, sceneDatabase } from './kept_databases.ts'

after(keepDatabases())

const open = (): Promise<Database> => sceneDatabase(pino({ level: 'silent' }))

/** Makes a topic. @returns its id */
async function addTopic({ db }: Database, name: string): Promise<number> {
  const { id } = await db.insertInto('topics').values({ name, title: name }).returning('id').executeTakeFirstOrThrow()
  return id
}

test('the next scene finds a database as the migrations left it', async () => {
  const first = await open()
  const ids = [await addTopic(first, 'one'), await addTopic(first, 'two')]
  const client = await first.pool.connect()
  await client.query('listen something; select pg_advisory_lock(7)')
  client.release()
  await first.close()

  const second = await open()
  const topics = await second.db.selectFrom('topics').selectAll().execute()
  const locks = await second.pool.query(
    `select from pg_locks join pg_database on pg_database.oid = database where locktype = 'advisory' and datname = current_database()`,
  )
  const channels = await second.pool.query('select pg_listening_channels()')
  const again = await addTopic(second, 'one')
  await second.close()

  assert.equal(second.url, first.url)
  assert.deepEqual(ids, [1, 2])
  assert.deepEqual([topics, locks.rowCount, channels.rowCount, again], [[], 0, 0, 1])
})

test('rows of the migrations that were changed, deleted or joined by others are as they were', async () => {
  const rowsOf = async ({ pool }: Database) => [
    ...(await pool.query('select * from application_settings')).rows,
    ...(await pool.query('select * from plan_limits order by 1')).rows,
  ]
  const first = await open()
  const before = await rowsOf(first)
  await first.pool.query('update application_settings set audit_events_retention_days = 7; delete from plan_limits')
  await first.close()

  const second = await open()
  const after = await rowsOf(second)
  await second.close()

  assert.equal(second.url, first.url)
  assert.ok(before.length > 1)
  assert.deepEqual(after, before)
})

test('a handle that was given back opens nothing', async () => {
  const first = await open()
  await first.close()

  await assert.rejects(addTopic(first, 'late'))
})

for (const change of [
  'alter table topics add column colour text',
  'create function one() returns int language sql as $$ select 1 $$',
  'analyze topics',
])
  test(`a database is not used again after: ${change}`, async () => {
    const first = await open()
    await addTopic(first, 'one')
    await first.pool.query(change)
    await first.close()

    const second = await open()
    await second.close()

    assert.notEqual(second.url, first.url)
  })

test('a database with another session on it is not used again', async () => {
  const first = await open()
  const other = new pg.Client(first.url)
  await other.connect()
  await first.close()

  const second = await open()
  await Promise.all([second.close(), other.end()])

  assert.notEqual(second.url, first.url)
})
