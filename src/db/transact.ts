/** Transactions that are tried again when they lost to another one. */
import type { Db } from './connection.ts'
import { isRetryable } from './errors.ts'

/** Times that a transaction is tried before a deadlock is the caller's to see. */
const TRIES = 3

/** Runs `work` in one transaction; one that lost to another in a deadlock is run again, for nothing of it remains. */
export async function transact<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (!isRetryable(error) || attempt === TRIES) throw error
    }
  }
}
