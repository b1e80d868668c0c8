/** The status of a pipeline, and of a stage: what follows from those of its jobs (a list whose order is its meaning). */
import { firstMatch } from '../../platform/kernel/first_match.ts'
import type { JobStatus } from '../states.ts'

/** What it follows from: which statuses there are among the jobs that count, those that were retried left out. */
export interface Seen {
  readonly statuses: ReadonlySet<Word>
}

/** A status as it counts: a failure that is allowed is a success with warnings, a manual job that may be left out is ignored. */
export type Word = JobStatus | 'success_with_warnings' | 'ignored'

/** A job as the status counts it. */
export interface CountedJob {
  readonly status: JobStatus
  readonly allow_failure: boolean
}

/** How a job counts. */
export const wordOf = ({ status, allow_failure }: CountedJob): Word => {
  if (!allow_failure) return status
  if (status === 'failed' || status === 'canceled') return 'success_with_warnings'
  return status === 'manual' ? 'ignored' : status
}

/** Are all of these? True of none. */
const only =
  (...words: readonly Word[]) =>
  ({ statuses }: Seen) =>
    [...statuses].every(status => words.includes(status))

/** Is there one of these? */
const any =
  (...words: readonly Word[]) =>
  ({ statuses }: Seen) =>
    words.some(word => statuses.has(word))

/** What counts as done, besides what a line of the list names. */
const passed = ['success_with_warnings', 'ignored'] as const

const compositeStatus = firstMatch<Seen, JobStatus>(
  // Nothing in it that runs.
  ['skipped', seen => seen.statuses.size > 0 && only('skipped', 'ignored')(seen)],
  ['success', only('success', 'skipped', ...passed)],
  ['created', only('created', ...passed)],
  ['preparing', only('preparing', ...passed)],
  ['canceled', only('canceled', 'success', 'skipped', ...passed)],
  ['pending', only('pending', 'created', 'skipped', ...passed)],
  ['running', any('running', 'pending')],
  ['waiting_for_resource', any('waiting_for_resource')],
  ['manual', any('manual')],
  ['scheduled', any('scheduled')],
  ['preparing', any('preparing')],
  // Something has run, and something has not had its turn yet.
  ['running', any('created')],
  ['failed', () => true],
)

/** The status that follows from words: of a pipeline, or of all that stands before a stage. `success` where there is nothing. Pure. */
export const compositeOf = (statuses: ReadonlySet<Word>): JobStatus => compositeStatus({ statuses })

/** The status that follows from these jobs. Pure. */
export const statusOf = (jobs: readonly CountedJob[]): JobStatus => compositeOf(new Set(jobs.map(wordOf)))
