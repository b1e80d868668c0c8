/** A log as an answer: whole or in part, live while the job runs. */
import { Readable } from 'node:stream'
import { objectAnswer, rangeOf } from '../../platform/kernel/answer/object.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../platform/kernel/declaration/endpoint.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import type { JobRow } from '../jobs/queries.ts'
import { storedTrace, traceBytes } from './queries.ts'
import { noteWatching } from './watching.ts'

const MEDIA_TYPE = 'text/plain'

/** The log of a job. Contract: 404 for one that never wrote any (decision 25). */
export async function traceAnswer(ctx: Context, job: JobRow): Promise<ByteAnswer> {
  const { db, deps, now } = ctx
  if (job.status === 'running') noteWatching(job.id, now)
  if (job.trace_size === 0) throw notFound('Trace')
  const stored = await storedTrace(db, job.id)
  if (stored) return objectAnswer(ctx, stored, { mediaType: MEDIA_TYPE })
  const range = rangeOf(ctx, job.trace_size)
  const { start, end } = range ? { start: range.start, end: range.end + 1 } : { start: 0, end: job.trace_size }
  const bytes = traceBytes({ db, objects: deps.objects }, { jobId: job.id, size: job.trace_size }, { start, end })
  return {
    body: Readable.from(bytes, { objectMode: false }),
    status: range ? 206 : 200,
    headers: {
      'content-type': MEDIA_TYPE,
      'content-length': String(end - start),
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      ...(range && { 'content-range': `bytes ${start}-${end - 1}/${job.trace_size}` }),
    },
  }
}
