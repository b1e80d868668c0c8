/** Writes of statuses. */
import type { Context } from '../../platform/kernel/context.ts'
import { type StatusRow, statusOf } from './queries.ts'

export const availabilities = ['not_set', 'busy'] as const

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** How long a status lasts, in milliseconds. */
export const durations = {
  '30_minutes': HOUR / 2,
  '3_hours': 3 * HOUR,
  '8_hours': 8 * HOUR,
  '1_day': DAY,
  '3_days': 3 * DAY,
  '7_days': 7 * DAY,
  '30_days': 30 * DAY,
} as const

export interface NewStatus {
  readonly emoji?: string | undefined
  readonly message?: string | undefined
  readonly availability?: (typeof availabilities)[number] | undefined
  readonly clear_status_after?: keyof typeof durations | undefined
}

/** Contract: the default emoji (users API). */
const DEFAULT_EMOJI = 'speech_balloon'

/** Sets the whole status of a user; without emoji and message it is cleared (users API). */
export async function setStatus(ctx: Context, userId: number, status: NewStatus): Promise<StatusRow> {
  const { db, now } = ctx
  const { emoji, message, availability = 'not_set', clear_status_after } = status
  if (!emoji && !message) await db.deleteFrom('user_statuses').where('user_id', '=', userId).execute()
  else {
    const values = {
      emoji: emoji || DEFAULT_EMOJI,
      message: message ?? '',
      availability,
      clear_status_at: clear_status_after ? new Date(now.getTime() + durations[clear_status_after]) : null,
    }
    await db
      .insertInto('user_statuses')
      .values({ user_id: userId, ...values })
      .onConflict(conflict => conflict.column('user_id').doUpdateSet(values))
      .execute()
  }
  return statusOf(db, userId, now)
}
