/** Writes of logs: parts are appended while the job runs, one row each, and never changed. */
import { crc32 } from 'node:zlib'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { removeStoredTraces } from '../artifacts/commands.ts'
import { type GrowingTrace, growingTrace, resetTraces } from '../jobs/commands.ts'
import type { JobRow } from '../jobs/queries.ts'

/** How often the time of a runner's last report on a job is written, in milliseconds. */
const NOTED_EVERY = 20_000

/** Is the last recorded contact with the job's runner old enough for another write? */
export const isNoteworthy = ({ contacted_at }: Pick<JobRow, 'contacted_at'>, now: Date): boolean =>
  contacted_at === null || now.getTime() - Date.parse(contacted_at) >= NOTED_EVERY

/** A job whose log is written. */
export type TracedJob = GrowingTrace & Pick<JobRow, 'contacted_at'>

/**
 * Appends to the log of a running job; false if the log has another length than `job` says, or the job is not running: a concurrent
 * write came first. One statement, so that the check and the write are atomic.
 */
export async function appendTrace(db: Db, job: TracedJob, bytes: Buffer, now: Date): Promise<boolean> {
  const checksum = crc32(bytes, Number(job.trace_checksum))
  const grown = growingTrace(job, { length: bytes.length, checksum, now, contactedAt: isNoteworthy(job, now) ? now : undefined })
  const { rows } = await sql`
    with grown as (${grown})
    insert into job_trace_chunks (job_id, start, bytes) select id, ${job.trace_size}, ${bytes} from grown returning job_id`.execute(db)
  return rows.length === 1
}

/** Removes the logs of jobs, including archived ones. The sweeper removes their objects from the store. */
export async function eraseTraces(db: Db, jobIds: readonly number[]): Promise<void> {
  if (jobIds.length === 0) return
  // Jobs first: a concurrent append or archiving waits for the lock, or finds the log changed.
  await resetTraces(db, jobIds)
  await db.deleteFrom('job_trace_chunks').where('job_id', '=', anyOf(jobIds)).execute()
  await removeStoredTraces(db, jobIds)
}
