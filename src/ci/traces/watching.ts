/** Which logs somebody watches: their runners are asked to send what there is more often. A hint, known to this process alone. */

/** Seconds between two parts of a log while somebody watches it, and while nobody does. */
export const intervals = { watched: 3, unwatched: 10 } as const

/** How long somebody who has read a log counts as watching it, in milliseconds. */
const LASTS = 60_000

/** Logs that are remembered. */
const MOST = 10_000

const watched = new Map<number, number>()

/** Notes that somebody reads the log of a job. */
export function noteWatching(jobId: number, now: Date): void {
  watched.delete(jobId)
  watched.set(jobId, now.getTime())
  const [oldest] = watched.keys()
  if (watched.size > MOST && oldest !== undefined) watched.delete(oldest)
}

/** The seconds after which the runner of a job is to send more of its log. */
export function intervalOf(jobId: number, now: Date): number {
  const since = watched.get(jobId)
  if (since === undefined) return intervals.unwatched
  if (now.getTime() - since <= LASTS) return intervals.watched
  watched.delete(jobId)
  return intervals.unwatched
}
