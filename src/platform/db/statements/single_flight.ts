/**
 * Runs concurrent identical queries once. Many requests of one client look up the same token and the same project, and each round trip to
 * the database costs more than the lookup itself.
 */
import type { Db } from '../connection.ts'
import { rootDb } from '../handles.ts'

/** The state of one key. */
interface Asking<Args, Answer> {
  /** Resolves when the running query is answered or has failed. */
  underWay: Promise<void>
  /** The query after it, for all callers that arrive until it starts. */
  next: Promise<Answer> | undefined
  /** The arguments of the latest caller. */
  latest: Args
}

/**
 * Wraps `ask`, so that callers with the same key share one query. Nothing is cached: a caller is answered by a query that starts after the
 * call, and sees everything that was committed by then. The result of `ask` is shared and must not be modified; if it fails, it fails for
 * all callers that share it.
 *
 * @param keyOf what the result depends on. Of arguments that it leaves out (the time) the latest count.
 * @returns takes the pool or the handle of a request; within a transaction, which has its own snapshot, nothing is shared
 */
export function singleFlight<Args extends readonly unknown[], Answer>(
  keyOf: (...args: Args) => string,
  ask: (db: Db, ...args: Args) => Promise<Answer>,
): (db: Db, ...args: Args) => Promise<Answer> {
  const askings = new WeakMap<Db, Map<string, Asking<Args, Answer>>>()

  return (handle, ...args) => {
    if (handle.isTransaction) return ask(handle, ...args)
    const db = rootDb(handle)
    const ofDatabase = askings.get(db) ?? new Map<string, Asking<Args, Answer>>()
    askings.set(db, ofDatabase)
    const key = keyOf(...args)
    const asking = ofDatabase.get(key) ?? { underWay: Promise.resolve(), next: undefined, latest: args }
    ofDatabase.set(key, asking)
    asking.latest = args
    const begin = () => {
      asking.next = undefined
      const answer = ask(db, ...asking.latest)
      const end = () => {
        if (!asking.next) ofDatabase.delete(key)
      }
      asking.underWay = answer.then(end, end)
      return answer
    }
    // The running query may have started before this call.
    asking.next ??= asking.underWay.then(begin)
    return asking.next
  }
}
