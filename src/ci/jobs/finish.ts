/** The end of a job, as its runner tells it. */
import type { Context } from '../../kernel/context.ts'
import { moveJob } from './move.ts'
import type { JobRow } from './queries.ts'

/** How a job has ended. */
export interface Outcome {
  readonly state: 'success' | 'failed'
  readonly failure_reason?: string | undefined
  /** Of its script; undefined where the runner does not tell. */
  readonly exit_code?: number | undefined
}

/** Ends a job; undefined where it has ended otherwise meanwhile. `db` must be a transaction. */
export const finishJob = (
  ctx: Pick<Context, 'db' | 'now' | 'actor'>,
  jobId: number,
  { state, failure_reason, exit_code }: Outcome,
): Promise<JobRow | undefined> =>
  state === 'success'
    ? moveJob(ctx, jobId, 'succeed')
    : moveJob(ctx, jobId, 'drop', { failure_reason: failure_reason ?? 'unknown_failure', exit_code: exit_code ?? null })
