/**
 * Durability, shared: what was committed without waiting for the disk is waited for here, by all who are waiting at the
 * same time together.
 */
import { sql } from 'kysely'
import type { Db } from './connection.ts'

/** Resolves when everything that was committed before the call is on disk, or where else the server keeps it safe. */
type Flush = () => Promise<void>

const flushes = new WeakMap<Db, Flush>()

/** Waits until all that was committed so far is durable. `db` must be the connections, not a transaction. */
export function flush(db: Db): Promise<void> {
  const known = flushes.get(db) ?? flushOf(db)
  flushes.set(db, known)
  return known()
}

function flushOf(db: Db): Flush {
  let underWay: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  const begin = () => {
    next = undefined
    const flushed = flushOnce(db)
    underWay = flushed.catch(() => {})
    return flushed
  }
  // One that is under way may have begun before the caller's commit: the next one counts, for all who come until it begins.
  return () => {
    next ??= underWay.then(begin)
    return next
  }
}

/**
 * The log is written in order: a transaction that waits for its own end to be durable has waited for all before it. This one
 * holds nothing but a message to nobody, which makes it one that has something to wait for.
 */
async function flushOnce(db: Db): Promise<void> {
  await sql`select pg_logical_emit_message(true, 'ingot', '')`.execute(db)
}
