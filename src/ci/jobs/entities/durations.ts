/** How long jobs have waited and run, in seconds. Pure. */
import type { JobRow } from '../queries.ts'

type Instants = Pick<JobRow, 'queued_at' | 'started_at' | 'finished_at'>

const seconds = (from: string, to: number): number => Math.max(0, to - Date.parse(from)) / 1000

/** How long it has run, until now if it is running; null before it starts. */
export const durationOf = ({ started_at, finished_at }: Instants, now: Date): number | null =>
  started_at === null ? null : seconds(started_at, finished_at === null ? now.getTime() : Date.parse(finished_at))

/** How long it has waited for a runner, until now if it is waiting; null before it is queued. */
export function queuedDurationOf({ queued_at, started_at, finished_at }: Instants, now: Date): number | null {
  const end = started_at ?? finished_at
  return queued_at === null ? null : seconds(queued_at, end === null ? now.getTime() : Date.parse(end))
}
