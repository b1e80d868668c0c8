/**
 * Transactions that are tried again when another one came before them, and that let go of their locks before they are durable.
 *
 * Those who wait for the same row (the counter of a project's issues) would each wait for the disk in turn. So a transaction
 * ends without waiting for it, and `transact` waits afterwards, together with all others that wait then (flush.ts). Nothing is
 * lost by that: whoever is told that something is done is told after it is durable, and what others have built upon it in
 * between stands behind it in the log.
 */
import { sql } from 'kysely'
import type { Db } from './connection.ts'
import { foreignKeyViolation, isRetryable } from './errors.ts'
import { inTransaction, rootDb } from './handles.ts'
import { awaitWalFlush } from './wal_flush.ts'

/** Times that a transaction is tried before what was in its way is the caller's to see. */
const TRIES = 3

/**
 * Runs `work` in one transaction, and returns when that is durable. One that lost to another in a deadlock is run again, for nothing of it
 * remains, and so is one that names what has gone since it looked: it looks anew, and finds that out.
 */
export async function transact<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  const { result, durable } = await transactAsyncCommit(db, work)
  await durable
  return result
}

/** The result of a transaction that has ended. */
export interface AsyncCommit<T> {
  readonly result: T
  /** Resolves when it is on disk: nobody may be told of it before. */
  readonly durable: Promise<void>
}

/** The same for those who have something to do while they wait: what others see too, and only to be told. */
export async function transactAsyncCommit<T>(db: Db, work: (db: Db) => Promise<T>): Promise<AsyncCommit<T>> {
  const base = rootDb(db)
  const result = await retryOnDeadlock(base, work)
  const durable = awaitWalFlush(base)
  // Whoever gives up before has no need of it.
  durable.catch(() => {})
  return { result, durable }
}

/** The same for what nobody is told of, and what is done again where a crash of the machine takes it back. */
export const transactUnflushed = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> => retryOnDeadlock(rootDb(db), work)

/**
 * The same as `transact` for what has nobody wait for its rows: it keeps them until it is on disk, which takes one way to the database
 * less than waiting for the disk afterwards.
 */
export const transactSyncCommit = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> =>
  tried(() => inTransaction(rootDb(db), 'on_disk', work), isOvertaken)

/** A value whose statement, where it is a transaction of its own, ends without waiting for the disk. */
export const asyncCommit = sql<string>`set_config('synchronous_commit', 'off', true)`

const retryOnDeadlock = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> => tried(() => inTransaction(db, 'early', work), isOvertaken)

/** Did another transaction make this one impossible as it was? */
const isOvertaken = (error: unknown): boolean => isRetryable(error) || foreignKeyViolation(error) !== undefined

/** Runs what is a transaction, again where it lost to another one in a deadlock. */
export const retryOnConflict = <T>(work: () => Promise<T>): Promise<T> => tried(work, isRetryable)

async function tried<T>(work: () => Promise<T>, again: (error: unknown) => boolean): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!again(error) || attempt === TRIES) throw error
    }
  }
}
