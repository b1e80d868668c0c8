/** Finishing a job as its runner reports. */
import type { Context } from '../../../platform/kernel/context.ts'
import { cloneJobs } from '../actions/clone.ts'
import { startAgain } from '../actions/retry.ts'
import { type JobRow, jobById } from '../queries.ts'
import { moveJob } from './move.ts'

/** How a job ended. */
export interface Outcome {
  readonly state: 'success' | 'failed'
  /** The reason of a failure; `unknown_failure` if it is not known. */
  readonly failure_reason?: string | undefined
  readonly exit_code?: number | undefined
  /** In percent, if the log contains it. */
  readonly coverage?: number | undefined
}

/**
 * Finishes a job; undefined if it is over already. A failure whose exit code `allow_failure` names is allowed, and one that `retry`
 * covers creates a new job in the place of this one. `ctx.db` is a transaction.
 */
export async function finishJob(ctx: Context, jobId: number, outcome: Outcome): Promise<JobRow | undefined> {
  const job = await jobById(ctx.db, jobId)
  return job && endJob(ctx, job, outcome)
}

/** The same for callers that have read the job. */
export async function endJob(ctx: Context, { id, options }: Pick<JobRow, 'id' | 'options'>, outcome: Outcome): Promise<JobRow | undefined> {
  const { exit_code = null, coverage } = outcome
  const reported = { exit_code, ...(coverage !== undefined && { coverage }) }
  if (outcome.state === 'success') return moveJob(ctx, id, 'succeed', reported)
  const failure_reason = outcome.failure_reason ?? 'unknown_failure'
  const { allow_failure_exit_codes: allowed } = options
  const failed = await moveJob(ctx, id, 'drop', {
    ...reported,
    failure_reason,
    ...(allowed && { allow_failure: exit_code !== null && allowed.includes(exit_code) }),
  })
  if (failed && isRetried(failed, failure_reason)) {
    const [made] = await cloneJobs(ctx, [id], { isAutomatic: true })
    if (made) await startAgain(ctx, made)
  }
  return failed
}

/** Is a job retried automatically after this failure? Pure. */
export function isRetried({ options: { retry }, retries }: Pick<JobRow, 'options' | 'retries'>, failureReason: string): boolean {
  if (!retry || retries >= retry.max) return false
  return retry.when.length === 0 || retry.when.includes('always') || retry.when.includes(failureReason)
}
