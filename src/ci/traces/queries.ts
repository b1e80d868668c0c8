/** Reads of logs: of a live one from its parts, of an archived one from the object store. */
import type { Db } from '../../platform/db/connection.ts'
import type { ObjectStore } from '../../platform/object_store/store.ts'
import { artifacts } from '../jobs/entities/artifacts.ts'

/** Parts that are read by one statement. Runners send at most a megabyte in each. */
const BATCH = 4

/** The object of an archived log. */
export const storedTrace = (db: Db, jobId: number) =>
  artifacts(db).where('job_artifacts.job_id', '=', jobId).where('job_artifacts.file_type', '=', 'trace').executeTakeFirst()

/** A live log, stored in parts. */
export interface Trace {
  readonly jobId: number
  /** Bytes to read: the log may grow meanwhile. */
  readonly size: number
}

/** A requested part no longer exists: the log was erased. */
export class TraceGone extends Error {
  override name = 'TraceGone'
}

/**
 * The bytes of a log from `start` to before `end`, a few parts at a time. If the log is archived meanwhile, the rest comes from the object.
 * @throws TraceGone
 */
export async function* traceBytes(
  { db, objects }: { readonly db: Db; readonly objects: ObjectStore },
  { jobId, size }: Trace,
  { start = 0, end = size }: { readonly start?: number; readonly end?: number } = {},
): AsyncGenerator<Buffer> {
  let at = start
  while (at < end) {
    const parts = await partsFrom(db, jobId, at)
    if (parts.length === 0) {
      const stored = await storedTrace(db, jobId)
      if (!stored || stored.size < end) throw new TraceGone(`the log of job ${jobId} has no byte ${at}`)
      yield* (await objects.read(stored.key, { start: at, end: end - 1 })) as AsyncIterable<Buffer>
      return
    }
    for (const { start: first, bytes } of parts) {
      const piece = bytes.subarray(at - first, Math.min(bytes.length, end - first))
      at += piece.length
      if (piece.length > 0) yield piece
    }
  }
}

/** The parts from the one that holds a byte on. */
async function partsFrom(db: Db, jobId: number, at: number): Promise<{ start: number; bytes: Buffer }[]> {
  const holding = db
    .selectFrom('job_trace_chunks')
    .select('start')
    .where('job_id', '=', jobId)
    .where('start', '<=', at)
    .orderBy('start', 'desc')
    .limit(1)
  const parts = await db
    .selectFrom('job_trace_chunks')
    .select(['start', 'bytes'])
    .where('job_id', '=', jobId)
    .where('start', '>=', holding)
    .orderBy('start')
    .limit(BATCH)
    .execute()
  // Parts are contiguous, so that one that does not reach the byte is the last one.
  const [first] = parts
  return first && first.start + first.bytes.length > at ? parts : []
}
