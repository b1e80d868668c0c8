/**
 * Transactions that are retried after a conflict, and that release their locks before they are durable.
 *
 * Transactions that wait for the same row (the counter of a project's issues) would each wait for the disk in turn. So a transaction
 * commits asynchronously, and `transact` waits for the flush afterwards, together with all other transactions that wait then
 * (wal_flush.ts). Nothing is lost: a caller gets the result only when it is durable, and changes that others have based on it come later in
 * the log.
 */
import { NoResultError, sql } from 'kysely'
import type { Db } from './connection.ts'
import { awaitWalFlush } from './embedded/wal_flush.ts'
import { foreignKeyViolation, isRetryable } from './errors.ts'
import { type Ending, inRepeatedTransaction, inTransaction, Repeats, rootDb } from './handles.ts'

/** Attempts at a transaction before its conflict is thrown to the caller. */
const TRIES = 3

/**
 * Runs `work` in one transaction and returns when it is durable. A transaction that lost in a deadlock is run again, since nothing of it
 * remains. So is one that violated a foreign key, or changed nothing, because a row was deleted meanwhile: it reads again and notices that; and one
 * that has found work to be done outside of it (`outsideTransaction`).
 */
export async function transact<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  const { result, durable } = await transactAsyncCommit(db, work)
  await durable
  return result
}

/** The result of a committed transaction. */
export interface AsyncCommit<T> {
  readonly result: T
  /** Resolves when the commit is on disk. No client may learn of the result before. */
  readonly durable: Promise<void>
}

/** The same for callers with work to do during the flush. That work must not tell a client of the result. */
export async function transactAsyncCommit<T>(db: Db, work: (db: Db) => Promise<T>): Promise<AsyncCommit<T>> {
  const base = rootDb(db)
  const result = await retryOnDeadlock(base, work)
  const durable = awaitWalFlush(base)
  // A caller that fails earlier never awaits it.
  durable.catch(() => {})
  return { result, durable }
}

/** The same for results that no client learns of and that are redone if a crash of the machine loses them. */
export const transactUnflushed = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> => retryOnDeadlock(rootDb(db), work)

/**
 * The same as `transact` for rows that no other transaction waits for: it holds its locks until the commit is on disk, which saves the
 * round trip of waiting for the flush afterwards.
 */
export const transactSyncCommit = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> => retryOnDeadlock(rootDb(db), work, 'on_disk')

/**
 * The same, once: for work that changes more than rows, or that counts its attempts. It is on disk when it has ended.
 * @param db the pool
 */
export const transactOnce = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> => inTransaction(rootDb(db), 'on_disk', work)

/** An expression for statements outside of an explicit transaction: makes their commit asynchronous. */
export const asyncCommit = sql<string>`set_config('synchronous_commit', 'off', true)`

async function retryOnDeadlock<T>(db: Db, work: (db: Db) => Promise<T>, ending: Ending = 'early'): Promise<T> {
  const repeats = new Repeats()
  return tried(() => inRepeatedTransaction(db, ending, work, repeats), isOvertaken)
}

/** Did another transaction make this one impossible as it was? A row that it had read may be gone, or one that it refers to. */
const isOvertaken = (error: unknown): boolean =>
  isRetryable(error) || foreignKeyViolation(error) !== undefined || error instanceof NoResultError

/** Runs a function that is one transaction, again if it lost in a deadlock. */
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
