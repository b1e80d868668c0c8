/** The log of a job, read from its end: what is looked for in it stands there. */
import type { Context } from '../../platform/kernel/context.ts'
import { bytesAt, objectSource } from '../artifacts/zip/source.ts'
import { artifacts } from '../jobs/artifacts.ts'

/** Bytes of a piece of a log that is whole. */
const PIECE = 256 * 1024
/** Pieces of a log that is still written, of one statement. */
const PIECES = 4

/** The pieces of a log, the last first: of the log that is whole, or else of what was written until now. */
export async function* traceFromEnd({ db, deps }: Pick<Context, 'db' | 'deps'>, jobId: number): AsyncGenerator<Buffer> {
  const whole = await artifacts(db).where('job_artifacts.job_id', '=', jobId).where('file_type', '=', 'trace').executeTakeFirst()
  if (whole) {
    const source = objectSource(deps.objects, whole)
    for (let end = whole.size; end > 0; end -= PIECE) yield bytesAt(source, Math.max(0, end - PIECE), Math.min(PIECE, end))
    return
  }
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = await db
      .selectFrom('job_trace_chunks')
      .select(['start', 'bytes'])
      .where('job_id', '=', jobId)
      .where('start', '<', before)
      .orderBy('start', 'desc')
      .limit(PIECES)
      .execute()
    for (const { bytes } of rows) yield bytes
    if (rows.length < PIECES) return
    before = rows.at(-1)?.start ?? 0
  }
}
