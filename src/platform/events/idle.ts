/** Whether background work is done, for those who make a world of which nothing may move by itself afterwards. */
import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'

/** Does a task run, or wait that is due? One that has failed for good does not count. */
export async function hasDueTasks(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from graphile_worker.jobs where locked_at is not null or (run_at <= now() and attempts < max_attempts) limit 1`.execute(db)
  return rows.length > 0
}
