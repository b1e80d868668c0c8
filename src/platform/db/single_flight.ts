/**
 * What several ask for at the same time, asked once. Many requests of one client look for the same token and the same project, and
 * each way to the database and back costs more than what is found there.
 */
import type { Db } from './connection.ts'
import { rootDb } from './handles.ts'

/** A question that is being asked. */
interface Asking<Args, Answer> {
  /** Resolves when the one that is under way is answered, or has failed. */
  underWay: Promise<void>
  /** The one after it, for all who come until it begins. */
  next: Promise<Answer> | undefined
  /** What whoever came last has asked with. */
  latest: Args
}

/**
 * Asks with `ask`, so that those who come with the same key while the same is being asked are answered together. Nothing is kept: who
 * comes is answered by what begins after they came, and sees all that was committed by then. What `ask` returns is shared, and
 * nobody's to change; where it fails, it fails for all who share it.
 *
 * @param keyOf what the answer depends on. Of arguments that it leaves out (the time) the latest count.
 * @returns takes the connections or the handle of a request; within a transaction, whose view is its own, nothing is shared
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
    // One that is under way may have begun before the caller came.
    asking.next ??= asking.underWay.then(begin)
    return asking.next
  }
}
