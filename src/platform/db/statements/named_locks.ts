import { sql } from 'kysely'
import type { Db } from '../connection.ts'

/**
 * Waits for other transactions that have locked the same name, and keeps it until this one ends: where no row stands for what must not happen
 * twice at the same time. Rows that are locked as well are locked in the same order everywhere.
 * @param db a transaction
 * @param what names the thing, in one place of the program (`src/platform/db/statements/named_locks.test.ts`)
 * @param key which of these things
 */
export async function lockName(db: Db, what: string, ...key: readonly (string | number | null)[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify([what, ...key])}, 0))`.execute(db)
}
