/** Writes of estimated and spent time. Spent time is the sum of `timelogs`; the thing itself carries the sum along. */

import { parseDuration } from '../../collaboration/time_stats/durations.ts'
import type { Times } from '../../collaboration/time_stats/time_stats.ts'
import { recordIssueChange } from '../../planning/issues/changed.ts'
import { type IssueRow, issueById } from '../../planning/issues/queries.ts'
import { setIssueTimes } from '../../planning/issues/times.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { ChangeSet } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { recordMergeRequestChange } from '../merge_requests/changed.ts'
import { type MergeRequestRow, mergeRequestById } from '../merge_requests/queries.ts'
import { setMergeRequestTimes } from '../merge_requests/times.ts'

/** A thing whose time is tracked. */
export interface Tracked {
  readonly noun: 'issue' | 'merge_request'
  readonly id: number
  readonly project_id: number
}

/** When and on what time was spent. */
export interface Spending {
  readonly summary?: string | undefined
  /** Now unless given. */
  readonly spent_at?: Date | undefined
}

/** What a 32-bit column can hold, in seconds. */
const LIMIT = 2_147_483_647

/** The seconds of a duration, negative after a minus; 400 for a text that names none, and then nothing is changed. */
export function readDuration(text: string): number {
  const seconds = parseDuration(text)
  if (seconds === undefined) throw invalid({ duration: ['is invalid'] })
  return seconds
}

/** How the times of each kind of thing are stored, and a change of them recorded. */
const kinds = {
  issue: {
    set: setIssueTimes,
    record: async (ctx: Context, id: number, changes: ChangeSet) =>
      recordIssueChange(ctx, (await issueById(ctx.db, id, null)) as IssueRow, changes),
  },
  merge_request: {
    set: setMergeRequestTimes,
    record: async (ctx: Context, id: number, changes: ChangeSet) =>
      recordMergeRequestChange(ctx, (await mergeRequestById(ctx.db, id, null)) as MergeRequestRow, changes),
  },
} as const

/** Locks the thing and stores what `change` makes of its times; records what has changed. */
async function changeTimes(ctx: Context, { noun, id }: Tracked, change: (before: Times) => Partial<Times>): Promise<Times> {
  const { before, after } = await kinds[noun].set(ctx, id, change)
  const names = ['time_estimate', 'total_time_spent'] as const
  const changes = Object.fromEntries(
    names.filter(name => before[name] !== after[name]).map(name => [name, { from: before[name], to: after[name] }]),
  )
  if (Object.keys(changes).length > 0) await kinds[noun].record(ctx, id, changes)
  return after
}

/** Sets the estimated time, in seconds; 400 for less than none. */
export async function setTimeEstimate(ctx: Context, thing: Tracked, seconds: number): Promise<Times> {
  if (seconds < 0) throw invalid({ duration: ['must be greater than or equal to 0'] })
  return changeTimes(ctx, thing, () => ({ time_estimate: seconds }))
}

/** Adds spent time, in seconds. 400 for none at all, and for taking back more than was spent. */
export async function addSpentTime(ctx: Context, thing: Tracked, seconds: number, { summary, spent_at }: Spending = {}): Promise<Times> {
  if (seconds === 0) throw invalid({ duration: ["can't be 0"] })
  const times = await changeTimes(ctx, thing, ({ total_time_spent }) => {
    const total = total_time_spent + seconds
    if (total < 0) throw invalid({ duration: ['Time to subtract exceeds the total time spent'] })
    if (total > LIMIT) throw invalid({ duration: ['is too long'] })
    return { total_time_spent: total }
  })
  await log(ctx.db, ctx, thing, seconds, { summary, spent_at })
  return times
}

/** Takes all spent time back. */
export function resetSpentTime(ctx: Context, thing: Tracked): Promise<Times> {
  let spent = 0
  return changeTimes(ctx, thing, ({ total_time_spent }) => {
    spent = total_time_spent
    return { total_time_spent: 0 }
  }).then(async times => {
    if (spent !== 0) await log(ctx.db, ctx, thing, -spent, {})
    return times
  })
}

const log = (db: Db, { actor, now }: Context, thing: Tracked, seconds: number, { summary, spent_at }: Spending) =>
  db
    .insertInto('timelogs')
    .values({
      ...(thing.noun === 'issue' ? { issue_id: thing.id } : { merge_request_id: thing.id }),
      user_id: actor.user?.id ?? null,
      time_spent: seconds,
      spent_at: spent_at ?? now,
      summary: summary ?? null,
      created_at: now,
    })
    .execute()

/** Takes estimate, spent time and its log along to the issue that another one has become. */
export async function carryTimes(ctx: Context, fromIssueId: number, toIssueId: number): Promise<void> {
  const { before } = await setIssueTimes(ctx, fromIssueId, () => ({ time_estimate: 0, total_time_spent: 0 }))
  await setIssueTimes(ctx, toIssueId, () => before)
  await ctx.db.updateTable('timelogs').set({ issue_id: toIssueId }).where('issue_id', '=', fromIssueId).execute()
}
