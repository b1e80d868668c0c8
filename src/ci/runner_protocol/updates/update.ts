/** A runner reports on a job: that it is alive, or how the job has ended (runner protocol c.4). */

import { transact } from '../../../platform/db/transact.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../../platform/kernel/declaration/endpoint.ts'
import { noteContact, noteDispute } from '../../jobs/commands.ts'
import { endJob } from '../../jobs/transitions/finish.ts'
import { coverageOf } from '../../reports/coverage.ts'
import { featuresOf, listsFeatures, noteContactById, type RunnerInfo } from '../../runners/access.ts'
import { queueTraceArchiving } from '../../traces/archive.ts'
import { eraseTraces, isNoteworthy } from '../../traces/commands.ts'
import { intervalOf } from '../../traces/watching.ts'
import { type AssignedJob, lockRunningJob } from '../job_access.ts'
import { failureReasonFrom } from './failure_reasons.ts'
import type { JobUpdate } from './finish_plain.ts'
import { finishPlainJob } from './finish_plain.ts'

/** How long the end of a job waits for the rest of its log, in milliseconds; then the log counts as it is. */
const PATIENCE = 5 * 60_000

/** Seconds after which a runner repeats the report of an end that is deferred. */
const AGAIN = 3

/** Does the stored log match the runner's? */
export type Comparison = 'same' | 'incomplete' | 'different'

/** The checksum of a log as runners write it. */
export const checksumText = (checksum: number): string => `crc32:${checksum.toString(16).padStart(8, '0')}`

/** Compares length and checksum, as far as the runner reports them. Pure. */
export function compareTrace(job: Pick<AssignedJob, 'trace_size' | 'trace_checksum'>, { checksum, output }: JobUpdate): Comparison {
  const size = output?.bytesize
  if (size !== undefined && size !== job.trace_size) return size > job.trace_size ? 'incomplete' : 'different'
  const sum = output?.checksum ?? checksum
  return sum === undefined || sum === '' || sum === checksumText(Number(job.trace_checksum)) ? 'same' : 'different'
}

/**
 * Handles a report: 200, and the job has ended if that was reported; 202 while the rest of the log is on its way; 412 if
 * the log differs from the runner's, which then sends it again from the start. Opens its own transaction.
 * @throws Refusal 403 for a wrong token, or a job that is over
 */
export async function updateJob(ctx: Context, jobId: number, token: string, update: JobUpdate): Promise<ByteAnswer> {
  if (await finishPlainJob(ctx, jobId, token, update)) return answerOf(200, 'success')
  return transact(ctx.db, db => updateWithin({ ...ctx, db }, jobId, token, update))
}

async function updateWithin(ctx: Context, jobId: number, token: string, update: JobUpdate): Promise<ByteAnswer> {
  const { db, now } = ctx
  const job = await lockRunningJob(ctx, jobId, token)
  if (isNoteworthy(job, now)) {
    await noteContact(db, job.id, now)
    if (job.runner_id !== null) await noteContactById(ctx, job.runner_id)
  }
  const { state } = update
  if (state !== 'success' && state !== 'failed') return answerOf(200, job.status, intervalOf(job.id, now))
  const objection = await objectTo(ctx, job, update)
  if (objection !== undefined) return answerOf(objection, job.status, AGAIN)
  const outcome =
    state === 'success'
      ? { state, exit_code: update.exit_code ?? 0 }
      : { state, failure_reason: failureReasonFrom(update.failure_reason), exit_code: update.exit_code }
  const coverage = await coverageOf(ctx, job, job.build_coverage_regex)
  await endJob(ctx, job, { ...outcome, coverage })
  if (job.trace_size > 0) await queueTraceArchiving(db, job.id)
  return answerOf(200, state)
}

const answerOf = (status: number, jobStatus: string, interval?: number): ByteAnswer => ({
  body: '',
  status,
  headers: { 'job-status': jobStatus, ...(interval !== undefined && { 'x-gitlab-trace-update-interval': String(interval) }) },
})

/**
 * Does the runner understand that it should send its log again? Runners that list their features say so; one that lists none but
 * compares its log knows the protocol of c.4.
 */
function mayResend(info: RunnerInfo): boolean {
  const { trace_reset } = featuresOf(info)
  return trace_reset === true || (trace_reset === undefined && !listsFeatures(info))
}

/** The status that defers the end of a job, while its log differs from what the runner reports; undefined if nothing does. */
async function objectTo(ctx: Context, job: AssignedJob, update: JobUpdate): Promise<202 | 412 | undefined> {
  const { db, now, log } = ctx
  const comparison = compareTrace(job, update)
  if (comparison === 'same') return undefined
  const isLate = job.disputed_at !== null && now.getTime() - Date.parse(job.disputed_at) > PATIENCE
  const canResend = mayResend(update.info)
  if (isLate || (comparison === 'different' && !canResend)) {
    log.warn({ job_id: job.id, comparison }, 'the log of a job is not the one that its runner has')
    return undefined
  }
  if (job.disputed_at === null) await noteDispute(db, job.id, now)
  if (!canResend) return 202
  await eraseTraces(db, [job.id])
  return 412
}
