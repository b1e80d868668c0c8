/** When schedules are due: for those that run them, and for people who want to know. Pure. */
import { nextRun } from '../cron/lines.ts'
import type { ScheduleRow } from './queries.ts'

type Timed = Pick<ScheduleRow, 'cron' | 'cron_timezone'>

/**
 * Minimum time between two runs of a schedule, in milliseconds, whatever its cron line says: the public platform
 * checks for due schedules no more often.
 */
const LEAST_INTERVAL = 10 * 60 * 1000

/** When a schedule is due for the first time after `after`; null for never. */
export const dueAfter = ({ cron, cron_timezone }: Timed, after: Date): string | null =>
  nextRun({ line: cron, timezone: cron_timezone }, after)?.toISOString() ?? null

/** When a schedule that runs now is due again; null for never. */
export function dueAgain(schedule: Timed, now: Date): string | null {
  // Counted from the minute: a run that begins a moment late does not push the next one past the minute that its line names.
  const minute = now.getTime() - (now.getTime() % 60_000)
  return dueAfter(schedule, new Date(minute + LEAST_INTERVAL - 1))
}

/** When a schedule is due next, `count` times at most. `first`: the first time, where it is known. */
export function dueTimes(schedule: Timed, now: Date, count: number, first = dueAfter(schedule, now)): readonly string[] {
  const times: string[] = []
  for (let next = first; next !== null && times.length < count; next = dueAgain(schedule, new Date(next))) times.push(next)
  return times
}
