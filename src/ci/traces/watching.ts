/** Which logs users are watching: their runners are asked to send parts more often. A hint, local to this process. */

/** Seconds between two parts of a log while it is watched, and while it is not. */
export const intervals = { watched: 3, unwatched: 10 } as const

/** How long a reader of a log counts as watching it, in milliseconds. */
const LASTS = 60_000

/** Maximum number of watched logs. */
const MOST = 10_000

const watched = new Map<number, number>()

/** Records that a user reads the log of a job. */
export function noteWatching(jobId: number, now: Date): void {
  watched.delete(jobId)
  watched.set(jobId, now.getTime())
  const [oldest] = watched.keys()
  if (watched.size > MOST && oldest !== undefined) watched.delete(oldest)
}

/** The interval in seconds at which the runner of a job is to send its log. */
export function intervalOf(jobId: number, now: Date): number {
  const since = watched.get(jobId)
  if (since === undefined) return intervals.unwatched
  if (now.getTime() - since <= LASTS) return intervals.watched
  watched.delete(jobId)
  return intervals.unwatched
}
