/** Writes of estimated and spent time. Spent time is the sum of `timelogs`, which is stored with the item. */

import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { itemKind } from '../item_kinds/item_kind.ts'
import type { Noteable } from '../notes/items/noteable.ts'
import { parseDuration } from './durations.ts'
import type { Times, TimesOfKind } from './time_stats.ts'

/** An item with time tracking. */
export interface Tracked {
  readonly noun: 'issue' | 'merge_request'
  readonly id: number
}

/** A noteable as an item with time tracking. */
export const trackedOf = ({ noun, item }: Noteable): Tracked => ({ noun: noun as Tracked['noun'], id: item.id })

/** The times stored with an item. */
export const timesOf = ({ item: { time_estimate = 0, total_time_spent = 0 } }: Noteable): Times => ({ time_estimate, total_time_spent })

const kindOf = ({ noun }: Tracked): TimesOfKind => itemKind(noun).times as TimesOfKind

/** Date and summary of spent time. */
export interface Spending {
  readonly summary?: string | undefined
  /** Now if not given. */
  readonly spent_at?: Date | undefined
}

/** Maximum of a 32-bit column, in seconds. */
const LIMIT = 2_147_483_647

/** The seconds of a duration, negative after a minus; 400 for an invalid text. */
export function readDuration(text: string): number {
  const seconds = parseDuration(text)
  if (seconds === undefined) throw invalid({ duration: ['is invalid'] })
  return seconds
}

/** Locks the item, stores the times that `change` computes, and records the changes. */
async function changeTimes(ctx: Context, tracked: Tracked, change: (before: Times) => Partial<Times>): Promise<Times> {
  const { before, after } = await kindOf(tracked).set(ctx, tracked.id, change)
  const names = ['time_estimate', 'total_time_spent'] as const
  const changes = Object.fromEntries(
    names.filter(name => before[name] !== after[name]).map(name => [name, { from: before[name], to: after[name] }]),
  )
  if (Object.keys(changes).length > 0) await kindOf(tracked).record(ctx, tracked.id, changes)
  return after
}

/** Sets the estimate, in seconds; 400 if it is negative. */
export async function setTimeEstimate(ctx: Context, tracked: Tracked, seconds: number): Promise<Times> {
  if (seconds < 0) throw invalid({ duration: ['must be greater than or equal to 0'] })
  return changeTimes(ctx, tracked, () => ({ time_estimate: seconds }))
}

/** Adds spent time, in seconds; negative values subtract. 400 for zero, and if the total would become negative. */
export async function addSpentTime(ctx: Context, tracked: Tracked, seconds: number, { summary, spent_at }: Spending = {}): Promise<Times> {
  if (seconds === 0) throw invalid({ duration: ["can't be 0"] })
  const times = await changeTimes(ctx, tracked, ({ total_time_spent }) => {
    const total = total_time_spent + seconds
    if (total < 0) throw invalid({ duration: ['Time to subtract exceeds the total time spent'] })
    if (total > LIMIT) throw invalid({ duration: ['is too long'] })
    return { total_time_spent: total }
  })
  await log(ctx.db, ctx, tracked, seconds, { summary, spent_at })
  return times
}

/** Resets the spent time to zero. */
export function resetSpentTime(ctx: Context, tracked: Tracked): Promise<Times> {
  let spent = 0
  return changeTimes(ctx, tracked, ({ total_time_spent }) => {
    spent = total_time_spent
    return { total_time_spent: 0 }
  }).then(async times => {
    if (spent !== 0) await log(ctx.db, ctx, tracked, -spent, {})
    return times
  })
}

const log = (db: Db, { actor, now }: Context, tracked: Tracked, seconds: number, { summary, spent_at }: Spending) =>
  db
    .insertInto('timelogs')
    .values({
      ...(tracked.noun === 'issue' ? { issue_id: tracked.id } : { merge_request_id: tracked.id }),
      user_id: actor.user?.id ?? null,
      time_spent: seconds,
      spent_at: spent_at ?? now,
      summary: summary ?? null,
      created_at: now,
    })
    .execute()

/** Moves the time log of an issue to the issue that it was moved to. */
export async function moveTimelogs(db: Db, fromIssueId: number, toIssueId: number): Promise<void> {
  await db.updateTable('timelogs').set({ issue_id: toIssueId }).where('issue_id', '=', fromIssueId).execute()
}
