/** Writes of logs: parts are appended while the job runs, one row each, and never changed. */
import { crc32 } from 'node:zlib'
import { sql } from 'kysely'
import { anyOf } from '../../platform/db/any.ts'
import type { Db } from '../../platform/db/connection.ts'
import { removeStoredTraces } from '../artifacts/commands.ts'
import type { JobRow } from '../jobs/queries.ts'

/** How often the time of a runner's last word about a job is written down, in milliseconds. */
const NOTED_EVERY = 20_000

/** Has the runner of a job been silent for so long that its word is worth a note? */
export const isNoteworthy = ({ contacted_at }: Pick<JobRow, 'contacted_at'>, now: Date): boolean =>
  contacted_at === null || now.getTime() - Date.parse(contacted_at) >= NOTED_EVERY

/** A job whose log is written. */
export type TracedJob = Pick<JobRow, 'id' | 'token_digest' | 'trace_size' | 'trace_checksum' | 'contacted_at'>

/**
 * Appends to the log of a running job; false where the log is not as long as `job` says any more, or the job does not run: somebody else
 * was faster. One statement, so that nothing is between the check and the write.
 */
export async function appendTrace(db: Db, job: TracedJob, bytes: Buffer, now: Date): Promise<boolean> {
  const checksum = crc32(bytes, Number(job.trace_checksum))
  const { rows } = await sql`
    with grown as (
      update jobs set trace_size = trace_size + ${bytes.length}, trace_checksum = ${checksum} ${isNoteworthy(job, now) ? sql`, contacted_at = ${now}` : sql``}
       where id = ${job.id} and status = 'running' and token_digest = ${job.token_digest}
         and trace_size = ${job.trace_size} and trace_checksum = ${job.trace_checksum}
      returning id)
    insert into job_trace_chunks (job_id, start, bytes) select id, ${job.trace_size}, ${bytes} from grown returning job_id`.execute(db)
  return rows.length === 1
}

/** Removes the logs of jobs, those that are whole included. What the object store has of them is swept. */
export async function eraseTraces(db: Db, jobIds: readonly number[]): Promise<void> {
  if (jobIds.length === 0) return
  // The jobs first: whoever appends to one of them, or puts one away, waits or finds it changed.
  await db.updateTable('jobs').set({ trace_size: 0, trace_checksum: 0 }).where('id', '=', anyOf(jobIds)).execute()
  await db.deleteFrom('job_trace_chunks').where('job_id', '=', anyOf(jobIds)).execute()
  await removeStoredTraces(db, jobIds)
}
