/** Reads of statuses. */
import type { Db } from '../../platform/db/connection.ts'

/** A user's status; all null if there is none. */
export interface StatusRow {
  readonly emoji: string | null
  readonly message: string | null
  readonly availability: string | null
  readonly clear_status_at: string | null
}

const none: StatusRow = { emoji: null, message: null, availability: null, clear_status_at: null }

/** The status of a user at `now`; empty once it has expired. */
export async function statusOf(db: Db, userId: number, now: Date): Promise<StatusRow> {
  const status = await db
    .selectFrom('user_statuses')
    .select(['emoji', 'message', 'availability', 'clear_status_at'])
    .where('user_id', '=', userId)
    .where(({ or, eb }) => or([eb('clear_status_at', 'is', null), eb('clear_status_at', '>', now.toISOString())]))
    .executeTakeFirst()
  return status ?? none
}
