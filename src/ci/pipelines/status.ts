/** The status of a pipeline, and of a stage: what follows from those of its jobs (a list whose order is its meaning). */
import { firstMatch } from '../../kernel/first_match.ts'
import type { JobStatus } from '../jobs/states.ts'

/** What it follows from: which statuses there are among the jobs that count, those that were retried left out. */
export interface Seen {
  readonly statuses: ReadonlySet<JobStatus | 'success_with_warnings'>
}

/** A job as the status counts it. */
export interface CountedJob {
  readonly status: JobStatus
  readonly allow_failure: boolean
}

type Word = JobStatus | 'success_with_warnings'

/** A failure that is allowed is a success with warnings; a manual job that may be left out is as good as skipped. */
const wordOf = ({ status, allow_failure }: CountedJob): Word => {
  if (!allow_failure) return status
  if (status === 'failed' || status === 'canceled') return 'success_with_warnings'
  return status === 'manual' ? 'skipped' : status
}

const seenIn = (jobs: readonly CountedJob[]): Seen => ({ statuses: new Set(jobs.map(wordOf)) })

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

const pipelineStatus = firstMatch<Seen, JobStatus>(
  // Nothing in it at all, or nothing that runs.
  ['skipped', ({ statuses }) => statuses.size > 0 && only('skipped')({ statuses })],
  ['success', only('success', 'skipped', 'success_with_warnings')],
  ['created', only('created')],
  ['preparing', only('preparing', 'created')],
  ['canceled', only('canceled', 'success', 'skipped', 'success_with_warnings')],
  ['pending', only('created', 'skipped', 'pending')],
  ['running', any('running', 'pending')],
  ['waiting_for_resource', any('waiting_for_resource')],
  ['manual', any('manual')],
  ['scheduled', any('scheduled')],
  ['preparing', any('preparing')],
  // Something has run, and something has not had its turn yet.
  ['running', any('created')],
  ['failed', () => true],
)

/** The status that follows from these jobs. Pure. */
export const statusOf = (jobs: readonly CountedJob[]): JobStatus => pipelineStatus(seenIn(jobs))
