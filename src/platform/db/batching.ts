/**
 * What many ask for at the same time, done together: in one statement for all of them, where each alone would wait for the one before it
 * (a project's numbers are taken one after the other), and would cost nearly as much as all of them do.
 */
import type { Db } from './connection.ts'
import { isConnectionFailure } from './errors.ts'
import { rootDb } from './handles.ts'
import { retryOnConflict } from './transact.ts'
import { awaitWalFlush } from './wal_flush.ts'

/** Done together at most: everybody waits for the slowest. */
const MOST = 50

/** Does what is given, and answers in the same order: in one transaction at most, so that a failure leaves nothing. `db` is the connections. */
type Work<Given, Done> = (db: Db, key: number, given: readonly Given[]) => Promise<readonly Done[]>

interface Waiting<Given, Done> {
  readonly given: Given
  resolve(done: Done): void
  reject(error: unknown): void
}

/**
 * The same as `batched` for what is a transaction, which ends early: one statement with `asyncCommit` among what it selects. The promise is
 * kept when what was done is on disk.
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
 * Has what is asked for under the same key done together, by `work`: what comes while some of it is under way waits for that, and is then
 * done at once, `most` at a time. Whoever asks alone waits for nobody.
 *
 * Each asker hears of their own: where several cannot be done together, each is done alone, and fails or succeeds by itself. Nothing is
 * done twice: what failed together has left nothing. Where the connection was lost nobody knows that, and all hear of the loss.
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

  /** Serves a line until nobody stands in it, and takes it away at that very moment: nobody is to join one that is not served. */
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
