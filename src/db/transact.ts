/**
 * Transactions that are tried again when they lost to another one, and that let go of their locks before they are durable.
 *
 * Those who wait for the same row (the counter of a project's issues) would each wait for the disk in turn. So a transaction
 * ends without waiting for it, and `transact` waits afterwards, together with all others that wait then (flush.ts). Nothing is
 * lost by that: whoever is told that something is done is told after it is durable, and what others have built upon it in
 * between stands behind it in the log.
 */
import { sql } from 'kysely'
import type { Db } from './connection.ts'
import { isRetryable } from './errors.ts'
import { flush } from './flush.ts'

/** Times that a transaction is tried before a deadlock is the caller's to see. */
const TRIES = 3

/**
 * Runs `work` in one transaction, and returns when that is durable; one that lost to another in a deadlock is run again,
 * for nothing of it remains.
 */
export async function transact<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  const result = await untilItEnds(db, work)
  await flush(db)
  return result
}

async function untilItEnds<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(async tx => {
        await sql`set local synchronous_commit = off`.execute(tx)
        return work(tx)
      })
    } catch (error) {
      if (!isRetryable(error) || attempt === TRIES) throw error
    }
  }
}
