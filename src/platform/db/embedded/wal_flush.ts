/**
 * Durability, shared: what was committed without waiting for the disk is waited for here, by all who are waiting at the
 * same time together.
 */
import { sql } from 'kysely'
import type { Db } from '../connection.ts'
import { singleFlight } from '../statements/single_flight.ts'

/**
 * The log is written in order: a transaction that waits for its own end to be durable has waited for all before it. This one
 * holds nothing but a message to nobody, which makes it one that has something to wait for.
 */
async function emitAndAwait(db: Db): Promise<void> {
  await sql`select pg_logical_emit_message(true, 'ingot', '')`.execute(db)
}

/**
 * Waits until everything that was committed before the call is on disk, or where else the server keeps it safe. `db` must be the
 * connections, not a transaction.
 */
export const awaitWalFlush: (db: Db) => Promise<void> = singleFlight(() => 'flush', emitAndAwait)
