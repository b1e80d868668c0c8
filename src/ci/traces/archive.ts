/** Archives the logs of finished jobs: moves them from the database into the object store, as artifacts of type `trace`. */
import { Readable } from 'node:stream'
import { type RawBuilder, sql } from 'kysely'
import { transact } from '../../platform/db/transact.ts'
import { enqueue, enqueuing } from '../../platform/events/worker.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { addArtifact } from '../artifacts/commands.ts'
import { completed } from '../states.ts'
import { storedTrace, traceBytes } from './queries.ts'

/** The file name of the artifact. */
const FILENAME = 'job.log'

/** Queues the archiving of a job's log in the transaction. */
export const queueTraceArchiving = (db: Deps['database']['db'], job_id: number): Promise<void> =>
  enqueue(db, 'archive_trace', { job_id }, { jobKey: `archive_trace:${job_id}` })

/** The same as an expression of a statement, for the job of this id. */
export const archivingOf = (id: RawBuilder<number>): RawBuilder<number> =>
  enqueuing('archive_trace', sql`json_build_object('job_id', ${id})`, sql`'archive_trace:' || ${id}`)

/** Archives the log of one job. Idempotent; a log that changes meanwhile stays where it is. */
export async function archiveTrace({ database, objects, now: clock }: Deps, { job_id }: { readonly job_id: number }): Promise<void> {
  const { db } = database
  const job = await db.selectFrom('jobs').select(['project_id', 'status', 'trace_size']).where('id', '=', job_id).executeTakeFirst()
  if (!job || !completed.includes(job.status) || job.trace_size === 0) return
  const { project_id, trace_size: size } = job
  if (await storedTrace(db, job_id)) return
  const stored = await objects.put(Readable.from(traceBytes({ db, objects }, { jobId: job_id, size }), { objectMode: false }), { size })
  await transact(db, async tx => {
    const now = await tx.selectFrom('jobs').select(['status', 'trace_size']).where('id', '=', job_id).forNoKeyUpdate().executeTakeFirst()
    if (!now || !completed.includes(now.status) || now.trace_size !== size) return
    // The job is locked: parts that were missing before the lock may have arrived until then.
    if (await storedTrace(tx, job_id)) return
    const artifact = { file_type: 'trace', file_format: 'raw', filename: FILENAME, expires_at: null } as const
    await addArtifact({ db: tx, now: clock() }, { id: job_id, project_id }, stored, artifact)
    await tx.deleteFrom('job_trace_chunks').where('job_id', '=', job_id).execute()
  })
}

/** Jobs per sweep. */
const BATCH = 500

/** Minimum age in milliseconds of the ends of jobs whose logs a sweep archives: their runners send no more parts. */
const GRACE = 60_000

/** Finds logs of finished jobs that were not queued for archiving: a long one may still be on its way. */
export async function archiveTraces({ database, now }: Deps): Promise<void> {
  const before = new Date(now().getTime() - GRACE)
  const { rows } = await sql<{ id: number }>`
    with recursive written(job_id) as (
      (select job_id from job_trace_chunks order by job_id limit 1)
       union all
      select (select c.job_id from job_trace_chunks c where c.job_id > written.job_id order by c.job_id limit 1)
        from written where written.job_id is not null)
    select jobs.id from written join jobs on jobs.id = written.job_id
     where jobs.status = any(${completed}) and jobs.finished_at < ${before}
           and not exists (select from graphile_worker.jobs asked where asked.key = 'archive_trace:' || jobs.id) order by jobs.id limit ${sql.lit(BATCH)}`.execute(
    database.db,
  )
  for (const { id } of rows) await queueTraceArchiving(database.db, id)
}
