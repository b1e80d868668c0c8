/** The status of a pipeline, and of a stage, as it follows from those of the jobs (a first-match list: its order is its meaning). */
import { firstMatch } from '../../platform/kernel/answer/first_match.ts'
import type { JobStatus } from '../states.ts'

/** The distinct statuses of the jobs, without retried ones. */
export interface Seen {
  readonly statuses: ReadonlySet<Word>
}

/** A status as it counts: an allowed failure is a success with warnings, an optional manual job is ignored. */
export type Word = JobStatus | 'success_with_warnings' | 'ignored'

/** The columns of a job that the status depends on. */
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

/** Do all statuses belong to these? True for an empty set. */
const only =
  (...words: readonly Word[]) =>
  ({ statuses }: Seen) =>
    [...statuses].every(status => words.includes(status))

/** Does at least one status belong to these? */
const any =
  (...words: readonly Word[]) =>
  ({ statuses }: Seen) =>
    words.some(word => statuses.has(word))

/** Statuses that count as finished, besides those that a line of the list names. */
const passed = ['success_with_warnings', 'ignored'] as const

const compositeStatus = firstMatch<Seen, JobStatus>(
  // Nothing to run.
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
  // Some jobs have run, and some have not started yet.
  ['running', any('created')],
  ['failed', () => true],
)

/** The status that follows from these statuses: of a pipeline, or of all stages before a stage. `success` for none. Pure. */
export const compositeOf = (statuses: ReadonlySet<Word>): JobStatus => compositeStatus({ statuses })

/** The status that follows from these jobs. Pure. */
export const statusOf = (jobs: readonly CountedJob[]): JobStatus => compositeOf(new Set(jobs.map(wordOf)))
