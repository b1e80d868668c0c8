/** Estimated and spent time as JSON (document 3 "Issue", `time_stats`). */
import type { ChangeSet } from '../../platform/events/audit/kinds.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import { formatDuration } from './durations.ts'

/** How an item kind stores times. */
export interface TimesOfKind {
  /** Locks an item and stores the times that `change` computes, in seconds; 404 if it was deleted. */
  set(ctx: Context, id: number, change: (before: Times) => Partial<Times>): Promise<{ readonly before: Times; readonly after: Times }>
  /** Records the changes. */
  record(ctx: Context, id: number, changes: ChangeSet): Promise<void>
}

export const timeStatsFields = {
  time_estimate: integer('Estimate in seconds; 0: none'),
  total_time_spent: integer('Time spent in seconds'),
  human_time_estimate: Nullable(text('Estimate in words; null where there is none')),
  human_total_time_spent: Nullable(text('Time spent in words; null where there is none')),
}

/** The columns that hold the times, in seconds. */
export interface Times {
  readonly time_estimate: number
  readonly total_time_spent: number
}

/** The values of `timeStatsFields`. */
export const presentTimeStats = ({ time_estimate, total_time_spent }: Times) => ({
  time_estimate,
  total_time_spent,
  human_time_estimate: formatDuration(time_estimate),
  human_total_time_spent: formatDuration(total_time_spent),
})
