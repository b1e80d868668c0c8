/**
 * The lock of backups. A backup holds it from before its snapshot until its end, and what is in the snapshot must stay on disk that long. So
 * whatever deletes bytes or repositories for good asks here first, and leaves them to the sweepers while a backup runs. What it deletes has no
 * row any more: if the rows were gone before it asked, a backup that begins afterwards does not have them in its snapshot either.
 */
import { sql } from 'kysely'
import pg from 'pg'
import type { Database, Db } from '../connection.ts'

/** An arbitrary constant that fits 32 bits, beside those of the migrations and of root: the lower half of the key, the upper one is 0. */
const LOCK = 1_106_201_116

/** Finds those who hold the lock: one at most. */
const held = `
  select from pg_locks
   where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
     and classid = 0 and objid = ${LOCK} and objsubid = 1 and mode = 'ExclusiveLock' and granted`

/** Is a backup of this database being made, by any process? */
export async function isBackupRunning(db: Db): Promise<boolean> {
  const { rows } = await sql`${sql.raw(held)} limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Runs work that would take away what a backup still has to read, such as packing. No backup begins before it has ended.
 * @returns false where a backup runs or waits: nothing was done
 */
export async function unlessBackup({ pool }: Database, work: () => Promise<unknown>): Promise<boolean> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query('select pg_try_advisory_lock_shared($1::bigint) as held', [LOCK])
    if (!rows[0].held) {
      client.release()
      return false
    }
    await work()
    await client.query('select pg_advisory_unlock_shared($1::bigint)', [LOCK])
    client.release()
    return true
  } catch (error) {
    // Closing the connection releases the lock.
    client.release(true)
    throw error
  }
}

/** The lock in the hands of one backup. */
export interface BackupLock {
  /** Does this backup still hold it? It ends with its connection. */
  isHeld(): Promise<boolean>
  release(): Promise<void>
}

/**
 * Takes the lock, after the packing and the other backup that run have ended. It ends with the process, too.
 * @param onWait is called if it is not free
 */
export async function lockForBackup(url: string, onWait: () => void): Promise<BackupLock> {
  const client = new pg.Client({ connectionString: url, application_name: 'ingot backup', keepAlive: true })
  // A lost connection shows in `isHeld`, at the end of the backup.
  client.on('error', () => {})
  await client.connect()
  try {
    // It waits long, and then does nothing for long. Not every version of PostgreSQL has all of these limits.
    await client.query(`
      select set_config(name, '0', false) from pg_settings
       where name in ('statement_timeout', 'lock_timeout', 'idle_session_timeout')`)
    const { rows } = await client.query('select pg_try_advisory_lock($1::bigint) as held', [LOCK])
    if (!rows[0].held) {
      onWait()
      await client.query('select pg_advisory_lock($1::bigint)', [LOCK])
    }
    return {
      isHeld: () =>
        client.query(`${held} and pid = pg_backend_pid()`).then(
          ({ rows }) => rows.length > 0,
          () => false,
        ),
      release: () => client.end(),
    }
  } catch (error) {
    await client.end()
    throw error
  }
}
