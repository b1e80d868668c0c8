/** The lock of backups, by itself. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { emptyDatabaseUrl } from '../../../../test/database.ts'
import { lockForBackup } from './backup_lock.ts'

test('the lock waits as long as it takes, whatever the limits of the database are', async () => {
  const databaseUrl = await emptyDatabaseUrl()
  const observer = new pg.Client({ connectionString: databaseUrl })
  await observer.connect()
  const first = await lockForBackup(databaseUrl, () => {})
  const limits = encodeURIComponent('-c lock_timeout=1 -c statement_timeout=1000')
  const url = `${databaseUrl}${databaseUrl.includes('?') ? '&' : '?'}options=${limits}`
  const waits = Promise.withResolvers<void>()
  const second = lockForBackup(url, waits.resolve)
  await waits.promise
  await observer.query('select pg_sleep(1.5)')

  await first.release()

  const lock = await second
  assert.equal(await lock.isHeld(), true)
  await lock.release()
  assert.equal(await lock.isHeld(), false)
  await observer.end()
})
