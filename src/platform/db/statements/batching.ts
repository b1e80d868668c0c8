/**
 * Batches concurrent calls with the same key into one statement. Callers would otherwise queue on the same row lock (a project's iid
 * counters), and each statement costs nearly as much as the batch.
 */
import type { Db } from '../connection.ts'
import { awaitWalFlush } from '../embedded/wal_flush.ts'
import { isConnectionFailure } from '../errors.ts'
import { rootDb } from '../handles.ts'
import { retryOnConflict } from '../transact.ts'

/** Largest batch: every caller waits for the slowest. */
const MOST = 50

/**
 * Processes a batch and returns the results in the same order, in at most one transaction, so that a failure leaves nothing. `db` is the
 * pool.
 */
type Work<Given, Done> = (db: Db, key: number, given: readonly Given[]) => Promise<readonly Done[]>

interface Waiting<Given, Done> {
  readonly given: Given
  resolve(done: Done): void
  reject(error: unknown): void
}

/**
 * The same as `batched` for work that commits asynchronously: one statement that selects `asyncCommit`. The promise resolves when the
 * results are on disk.
 */
export function batchedDurably<Given, Done>(work: Work<Given, Done>): (db: Db, key: number, given: Given) => Promise<Done> {
  const doneInLine = batched(work)
  return async (db, key, given) => {
    const done = await doneInLine(db, key, given)
    await awaitWalFlush(db)
    return done
  }
}

/**
 * Batches calls with the same key. Calls that arrive while a batch of their key is running wait for it and then run as the next batch,
 * `most` at a time. A call without competition runs immediately.
 *
 * Each caller gets its own result. If a batch fails, its calls run one by one, and each fails or succeeds by itself. Nothing is done twice,
 * because a failed batch has left nothing. If the connection was lost, the outcome is unknown and all calls fail.
 */
export function batched<Given, Done>(work: Work<Given, Done>, most = MOST): (db: Db, key: number, given: Given) => Promise<Done> {
  const lines = new WeakMap<Db, Map<number, Waiting<Given, Done>[]>>()

  async function serve(db: Db, key: number, all: readonly Waiting<Given, Done>[]): Promise<void> {
    try {
      const done = await retryOnConflict(() =>
        work(
          db,
          key,
          all.map(({ given }) => given),
        ),
      )
      for (const [index, { resolve }] of all.entries()) resolve(done[index] as Done)
    } catch (error) {
      if (all.length > 1 && !isConnectionFailure(error)) await Promise.all(all.map(one => serve(db, key, [one])))
      else for (const { reject } of all) reject(error)
    }
  }

  /** Runs batches until the queue is empty, and removes it in the same tick, so that no call joins a queue that is no longer served. */
  async function serveAll(
    ofDatabase: Map<number, Waiting<Given, Done>[]>,
    db: Db,
    key: number,
    line: Waiting<Given, Done>[],
  ): Promise<void> {
    while (line.length > 0) await serve(db, key, line.splice(0, most))
    ofDatabase.delete(key)
  }

  return (handle, key, given) => {
    const db = rootDb(handle)
    const ofDatabase = lines.get(db) ?? new Map<number, Waiting<Given, Done>[]>()
    lines.set(db, ofDatabase)
    return new Promise<Done>((resolve, reject) => {
      const waiting = { given, resolve, reject }
      const line = ofDatabase.get(key)
      if (line) {
        line.push(waiting)
        return
      }
      const begun = [waiting]
      ofDatabase.set(key, begun)
      void serveAll(ofDatabase, db, key, begun)
    })
  }
}
