/** Time as the arguments of quick actions give it (`/estimate 1d`, `/spend 30m 2021-06-01`). */
import type { Context } from '../../../platform/kernel/context.ts'
import type { Spending } from '../../../review/time_tracking/commands.ts'
import { parseDuration } from '../../time_stats/durations.ts'
import { readDay } from './dates.ts'

/** The seconds of an estimate; undefined for a text that is none. */
export function estimateIn(argument: string): number | undefined {
  const seconds = parseDuration(argument)
  return seconds === undefined || seconds < 0 ? undefined : seconds
}

/** The seconds that were spent, negative for what is taken back, and when; undefined for a text that says neither. */
export function spendingIn({ actor, now }: Context, argument: string) {
  const [, time = '', day] = argument.match(/^(.*?)(?:\s+(\d{4}-\d{2}-\d{2}))?$/) ?? []
  const seconds = parseDuration(time)
  const spentOn = day && readDay(day, now)
  // Time cannot have been spent in days to come.
  if (!seconds || (day && (!spentOn || spentOn > now.toISOString().slice(0, 10)))) return undefined
  const spending: Spending = { spent_at: spentOn ? new Date(`${spentOn}T00:00:00Z`) : undefined }
  return { seconds, spending, told: { duration: seconds, user_id: actor.user?.id ?? null, spent_at: spentOn ?? null } }
}
