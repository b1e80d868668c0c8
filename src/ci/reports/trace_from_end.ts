/** Reads the log of a job backwards: the coverage stands near its end. */
import type { Context } from '../../platform/kernel/context.ts'
import { bytesAt, objectSource } from '../artifacts/zip/index.ts'
import { artifacts } from '../jobs/entities/artifacts.ts'

/** Bytes of a chunk of an archived log. */
const PIECE = 256 * 1024
/** Parts of a live log that are read by one statement. */
const PIECES = 4

/** The chunks of a log, the last first: of the archived log, or else of the parts written so far. */
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
