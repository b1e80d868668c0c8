import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'

/** Runs work on a transaction whose statements all read the same snapshot, however long it takes. `createdAt` is its instant. */
export function atOneInstant<T>(db: Db, work: (then: Db, createdAt: string) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async then => {
      await sql`set local statement_timeout = 0`.execute(then)
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(then)
      const { rows } = await sql<{ now: string }>`select now() as now`.execute(then)
      return work(then, rows[0]!.now)
    })
}
