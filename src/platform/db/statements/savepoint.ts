/** Part of a transaction that may fail by itself. */
import { sql } from 'kysely'
import type { Db } from '../connection.ts'

/**
 * Does work within a transaction so that what it did is undone where it fails, and the transaction goes on: after a statement that failed the
 * database takes no other one. Not for several at a time on one connection.
 * @param db of a transaction
 * @throws what the work throws
 */
export async function withSavepoint<T>(db: Db, work: () => Promise<T>): Promise<T> {
  await sql`savepoint part`.execute(db)
  try {
    const result = await work()
    await sql`release savepoint part`.execute(db)
    return result
  } catch (error) {
    await sql`rollback to savepoint part`.execute(db)
    throw error
  }
}
