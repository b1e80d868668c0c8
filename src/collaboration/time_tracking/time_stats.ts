/** Estimated and spent time as JSON (document 3 "Issue", `time_stats`). */
import { integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import { formatDuration } from './durations.ts'

export const timeStatsFields = {
  time_estimate: integer('Seconds'),
  total_time_spent: integer('Seconds'),
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
