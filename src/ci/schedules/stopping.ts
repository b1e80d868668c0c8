/** Deactivates the schedules of a user whose account is no longer active, or about to be deleted. */
import type { Db } from '../../platform/db/connection.ts'

/** Deactivates them. Contract: they stay inactive when the account is active again (public behaviour). */
export async function stopSchedulesOf(db: Db, userId: number, now: Date): Promise<void> {
  await db
    .updateTable('pipeline_schedules')
    .set({ active: false, updated_at: now })
    .where('owner_id', '=', userId)
    .where('active', '=', true)
    .execute()
}
