/**
 * No write is answered before it is durable. The database of these tests holds back what Ingot waits with for the disk
 * (platform/db/embedded/wal_flush.ts), for as long as a test holds a lock.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { testDatabaseUrl } from '../../../test/database.ts'
import { eventually } from '../../../test/eventually.ts'
import { testFolder } from '../../../test/folder.ts'
import { openScene } from '../../../test/scene.ts'

const LOCK = 4_711

/** Has the flush of this database wait for the lock: a function of the same name stands before that of the catalogue. */
async function withGate(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const name = client.escapeIdentifier(String((await client.query('select current_database() as name')).rows[0].name))
  await client.query(`
    create schema gate;
    create function gate.pg_logical_emit_message(transactional boolean, prefix text, content text) returns pg_lsn language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(${LOCK});
      return pg_catalog.pg_logical_emit_message(transactional, prefix, content);
    end $$;
    alter database ${name} set search_path = gate, pg_catalog, public`)
  await client.end()
  return databaseUrl
}

const scene = await openScene({ beginning: { databaseUrl: await withGate(await testDatabaseUrl()), dataDir: await testFolder() } })
const { project, owner } = await scene.project({ visibility: 'public' })
const url = project.url
await owner.post(`${url}/labels`, { name: 'old', color: '#ff0000' })
await owner.post(`${url}/issues`, { title: 'Old' })

const writes: readonly [what: string, send: () => Promise<{ readonly status: number }>, status: number][] = [
  ['a POST', () => owner.post(`${url}/labels`, { name: 'new', color: '#00ff00' }), 201],
  ['a PUT', () => owner.put(`${url}/labels/old`, { description: 'Changed' }), 200],
  ['a DELETE', () => owner.delete(`${url}/labels/old`), 204],
  ['issues, which are created together', () => owner.post(`${url}/issues`, { title: 'New' }), 201],
  ['notes', () => owner.post(`${url}/issues/1/notes`, { body: 'New' }), 201],
  ['a to-do item', () => owner.post(`${url}/issues/1/todo`), 201],
]

test('a write is answered when it is on disk, and not before', async () => {
  const gate = new pg.Client({ connectionString: scene.deps.database.url })
  await gate.connect()
  try {
    for (const [what, send, status] of writes) {
      await gate.query('select pg_advisory_lock($1)', [LOCK])
      let answered: number | undefined
      const answer = send().then(got => {
        answered = got.status
        return got
      })
      const waiting = async () => {
        const locks = await gate.query('select from pg_locks where locktype = $1 and objid = $2 and not granted', ['advisory', LOCK])
        return locks.rowCount === 1
      }

      await eventually(waiting, `the flush of ${what}`)
      // An answer that does not wait for the disk is there before several others that are asked for now.
      for (let i = 0; i < 5; i++) assert.equal((await owner.get(`${url}/labels`)).status, 200)
      assert.equal(answered, undefined, `${what} was answered before it was durable`)

      await gate.query('select pg_advisory_unlock($1)', [LOCK])
      assert.equal((await answer).status, status, what)
    }
  } finally {
    await gate.end()
  }
})
