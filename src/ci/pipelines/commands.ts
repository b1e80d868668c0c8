/** Writes of pipeline rows. `locks.ts` writes which of them keep their artifacts. */
import { type Insertable, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { Pipelines } from '../../platform/db/schema.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { completed, type JobStatus } from '../states.ts'

/** Inserts a pipeline, and returns its id. */
export async function insertPipeline(db: Db, row: Insertable<Pipelines>): Promise<number> {
  const { id } = await db.insertInto('pipelines').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Writes the status of a pipeline, with the timestamps that follow from its jobs. */
export const writeStatus = (db: Db, id: number, status: JobStatus, now: Date) => {
  const isOver = completed.includes(status)
  return db
    .updateTable('pipelines')
    .set({
      status,
      updated_at: now,
      started_at: sql<string>`coalesce(started_at, ${firstStart(id)})`,
      queued_duration: sql<number>`coalesce(queued_duration, extract(epoch from ${firstStart(id)} - created_at)::integer)`,
      finished_at: isOver ? now : null,
      ...(isOver && { duration: timeRunning(id) }),
    })
    .where('id', '=', id)
    .execute()
}

const firstStart = (pipelineId: number) =>
  sql<string>`(select min(started_at) from jobs where pipeline_id = ${pipelineId} and kind <> 'bridge')`

/** Seconds in which at least one of its jobs ran: concurrent jobs count once. */
const timeRunning = (pipelineId: number) => sql<number>`(
  select extract(epoch from sum(upper(span) - lower(span)))::integer
    from unnest((
      select range_agg(tstzrange(started_at, greatest(finished_at, started_at)))
        from jobs where pipeline_id = ${pipelineId} and kind <> 'bridge' and not retried and started_at is not null and finished_at is not null
    )) as span)`

/** Records the pipeline that has made these redundant. */
export const noteRedundant = (db: Db, ids: readonly number[], auto_canceled_by_id: number) =>
  db.updateTable('pipelines').set({ auto_canceled_by_id }).where('id', '=', anyOf(ids)).execute()

/** Names a pipeline, or takes its name away. */
export const namePipeline = (db: Db, id: number, name: string | null, now: Date) =>
  db.updateTable('pipelines').set({ name, updated_at: now }).where('id', '=', id).execute()

/** Deletes pipelines with their jobs. */
export const deletePipelines = (db: Db, ids: readonly number[]) => db.deleteFrom('pipelines').where('id', '=', anyOf(ids)).execute()
