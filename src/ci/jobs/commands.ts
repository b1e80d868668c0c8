/** Writes to columns of jobs other than their state, which transitions/ writes. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import type { JobRow } from './queries.ts'

/** Links jobs to the environment that they name. */
export const assignEnvironment = (db: Db, jobIds: readonly number[], environment_id: number) =>
  db.updateTable('jobs').set({ environment_id }).where('id', '=', anyOf(jobIds)).execute()

/** Sets when the artifacts of a job expire; null for never. */
export const expireArtifactsAt = (db: Db, jobId: number, artifacts_expire_at: Date | null) =>
  db.updateTable('jobs').set({ artifacts_expire_at }).where('id', '=', jobId).execute()

/** Records a request of a job's runner. */
export const noteContact = (db: Db, jobId: number, contacted_at: Date) =>
  db.updateTable('jobs').set({ contacted_at }).where('id', '=', jobId).execute()

/** Records since when the log of a job differs from its runner's. */
export const noteDispute = (db: Db, jobId: number, disputed_at: Date) =>
  db.updateTable('jobs').set({ disputed_at }).where('id', '=', jobId).execute()

/** Records that the log of a job may show all of its variables. */
export const noteDebugTrace = (db: Db, jobId: number) =>
  db.updateTable('jobs').set({ debug_trace: true }).where('id', '=', jobId).where('debug_trace', '=', false).execute()

/** Records who erased a job, and that it has no artifacts any more. */
export const noteErased = (db: Db, jobId: number, { by, now }: { readonly by: number | null; readonly now: Date }) =>
  db
    .updateTable('jobs')
    .set({ erased_at: now, erased_by_id: by, artifacts_expire_at: null, updated_at: now })
    .where('id', '=', jobId)
    .execute()

/** The attributes of a reported status. */
export interface ReportedFacts {
  readonly target_url?: string
  readonly description?: string
  readonly coverage?: number
}

/** Updates the attributes of a reported status. */
export const noteReported = (db: Db, id: number, said: ReportedFacts, now: Date) =>
  db
    .updateTable('jobs')
    .set({ ...said, updated_at: now })
    .where('id', '=', id)
    .execute()

/** Resets the log columns of jobs to empty. */
export const resetTraces = (db: Db, jobIds: readonly number[]) =>
  db.updateTable('jobs').set({ trace_size: 0, trace_checksum: 0 }).where('id', '=', anyOf(jobIds)).execute()

/** A job whose log grows, as the caller has read it. */
export type GrowingTrace = Pick<JobRow, 'id' | 'token_digest' | 'trace_size' | 'trace_checksum'>

/**
 * The part of a statement that extends the log of a job; it returns the job's `id`, and no row if the job is not running any more or
 * its log has changed.
 */
export const growingTrace = (
  job: GrowingTrace,
  {
    length,
    checksum,
    now,
    contactedAt,
  }: { readonly length: number; readonly checksum: number; readonly now: Date; readonly contactedAt: Date | undefined },
): RawBuilder<unknown> => sql`
      update jobs set trace_size = trace_size + ${length}, trace_checksum = ${checksum}, updated_at = ${now} ${contactedAt ? sql`, contacted_at = ${contactedAt}` : sql``}
       where id = ${job.id} and status = 'running' and token_digest = ${job.token_digest}
         and trace_size = ${job.trace_size} and trace_checksum = ${job.trace_checksum}
      returning id`
