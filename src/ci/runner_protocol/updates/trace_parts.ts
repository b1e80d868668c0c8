/** Receives parts of a log from a runner (runner protocol c.3). */
import type { Readable } from 'node:stream'
import { transact } from '../../../platform/db/transact.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../../platform/kernel/declaration/endpoint.ts'
import { badRequest, Refusal } from '../../../platform/kernel/errors.ts'
import { readRawBody } from '../../../platform/kernel/request/wire.ts'
import { noteDebugTrace } from '../../jobs/commands.ts'
import { finishJob } from '../../jobs/transitions/finish.ts'
import { noteContactById } from '../../runners/access.ts'
import { queueTraceArchiving } from '../../traces/archive.ts'
import { appendTrace, isNoteworthy } from '../../traces/commands.ts'
import { intervalOf } from '../../traces/watching.ts'
import { type AssignedJob, notRunning, runningJob } from '../job_access.ts'

/** Maximum bytes of one part. The ecosystem's runner sends at most a megabyte. */
const MAX_PART = 8 * 1024 * 1024

const MEGABYTE = 1024 * 1024

/** The range of a part, both ends included. */
interface PartRange {
  readonly first: number
  readonly last: number
}

/** Reads `Content-Range` as runners write it, without unit and length; undefined for any other form. Pure. */
export function partRange(header: string): PartRange | undefined {
  const [, first, last] = /^\s*(?:bytes[ =])?(\d{1,15})-(\d{1,15})(?:\/(?:\d+|\*))?\s*$/.exec(header) ?? []
  return first === undefined || last === undefined ? undefined : { first: Number(first), last: Number(last) }
}

/** The headers of every answer about a log. */
const headersOf = ({ id, status }: AssignedJob, size: number, now: Date): Record<string, string> => ({
  range: `0-${size}`,
  'job-status': status,
  'x-gitlab-trace-update-interval': String(intervalOf(id, now)),
})

/**
 * Appends a part to the log of a running job, and answers 202 with the length of the log.
 * @param showsAll whether the runner says that the log shows all variables
 * @throws Refusal 400 without `Content-Range`; 403 for a wrong token, or a job that is over; 416 for a part that does not begin at the
 *   end of the log; 413 for one that is too large
 */
export async function receivePart(ctx: Context, jobId: number, token: string, body: Readable, showsAll = false): Promise<ByteAnswer> {
  const { deps, now, request } = ctx
  const { db } = deps.database
  const job = await runningJob({ ...ctx, db }, jobId, token)
  const header = request.headers['content-range']?.toString()
  if (header === undefined) throw badRequest('Missing header Content-Range')
  const range = partRange(header)
  const bytes = await readRawBody(body, MAX_PART)
  if (range?.first !== job.trace_size || range.last - range.first + 1 !== bytes.length) throw misplaced(job, job.trace_size, now)
  await assertTraceSize({ ...ctx, db }, job, bytes.length)
  const appended = await transact(db, async tx => {
    if (showsAll && !job.debug_trace) await noteDebugTrace(tx, job.id)
    if (!(await appendTrace(tx, job, bytes, now))) return false
    if (job.runner_id !== null && isNoteworthy(job, now)) await noteContactById({ db: tx, now }, job.runner_id)
    return true
  })
  if (!appended) {
    const changed = await runningJob({ ...ctx, db }, jobId, token)
    throw misplaced(changed, changed.trace_size, now)
  }
  return { body: '', status: 202, headers: headersOf(job, job.trace_size + bytes.length, now) }
}

/** 416 with the length of the log: the runner continues from there. */
const misplaced = (job: AssignedJob, size: number, now: Date): Refusal =>
  new Refusal('range_not_satisfiable', { message: '416 Range Not Satisfiable' }, headersOf(job, size, now))

/**
 * Contract: a log that exceeds the limit ends its job; the runner learns it by 403 and `Job-Status` (public documentation of
 * `ci_jobs_trace_size_limit`).
 */
async function assertTraceSize(ctx: Context, job: AssignedJob, more: number): Promise<void> {
  const { ci_jobs_trace_size_limit: limit } = await ctx.db
    .selectFrom('plan_limits')
    .select('ci_jobs_trace_size_limit')
    .where('plan_name', '=', 'default')
    .executeTakeFirstOrThrow()
  if (limit === 0 || job.trace_size + more <= limit * MEGABYTE) return
  await transact(ctx.db, async db => {
    await finishJob({ ...ctx, db }, job.id, { state: 'failed', failure_reason: 'trace_size_exceeded' })
    await queueTraceArchiving(db, job.id)
  })
  throw notRunning('failed')
}
