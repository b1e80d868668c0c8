/** The one way in which jobs move from state to state. */
import { sql } from 'kysely'
import { anyOf } from '../../db/any.ts'
import type { Db } from '../../db/connection.ts'
import { recordEvents } from '../../events/events.ts'
import { enqueue } from '../../events/worker.ts'
import type { Context } from '../../kernel/context.ts'
import { next } from '../../kernel/machine.ts'
import { followDeployment } from '../deploying/follow.ts'
import { followMove } from './follow.ts'
import type { JobRow } from './queries.ts'
import { type JobEvent, type JobStatus, jobMachine } from './states.ts'

/** What is written together with a move. */
export interface JobChanges {
  readonly failure_reason?: string | null
  readonly exit_code?: number | null
  readonly allow_failure?: boolean
  readonly runner_id?: number | null
  readonly token_digest?: string | null
  readonly handed_out_digest?: string
  readonly user_id?: number | null
  readonly timeout?: number | null
  readonly coverage?: number | null
  readonly mirrored_pipeline_id?: number | null
}

/** What a move is made with. `db` must be a transaction. */
export type Moving = Context

/** The instants that a state writes. A job that is over has no token any more. */
function entering(status: JobStatus, now: Date) {
  switch (status) {
    case 'created':
      return { queued_at: null, started_at: null, finished_at: null }
    case 'pending':
      return { queued_at: now, started_at: null, finished_at: null }
    case 'running':
      return { started_at: now, contacted_at: now, finished_at: null }
    case 'success':
    case 'failed':
    case 'canceled':
      return { finished_at: now, token_digest: null }
    case 'scheduled':
      return {
        scheduled_at: sql<string>`${now}::timestamptz + make_interval(secs => coalesce((options ->> 'start_in')::double precision, 0))`,
      }
    default:
      return {}
  }
}

/**
 * Moves a job, and has its pipeline processed; undefined where the event is impossible in the job's state, or the job is gone. The row
 * is held until the transaction ends.
 */
export async function moveJob(ctx: Moving, id: number, event: JobEvent, changes: JobChanges = {}): Promise<JobRow | undefined> {
  const [job] = await moveJobs(ctx, [id], event, changes)
  if (job) await askForProcessing(ctx.db, job.pipeline_id)
  return job
}

/**
 * Moves those of these jobs for which the event is possible, in a number of statements that does not depend on theirs, and answers them.
 * The rows are held until the transaction ends. Whoever calls it has the pipelines processed.
 */
export async function moveJobs(ctx: Moving, ids: readonly number[], event: JobEvent, changes: JobChanges = {}): Promise<JobRow[]> {
  const { db, now, actor } = ctx
  if (ids.length === 0) return []
  const found = await db.selectFrom('jobs').select(['id', 'status']).where('id', '=', anyOf(ids)).orderBy('id').forNoKeyUpdate().execute()
  const moved: JobRow[] = []
  for (const [status, rows] of Map.groupBy(found, row => next(jobMachine, row.status, event))) {
    if (status === undefined) continue
    const updated = await db
      .updateTable('jobs')
      .set({ ...entering(status, now), ...changes, status, updated_at: now })
      .where('id', '=', anyOf(rows.map(row => row.id)))
      .returningAll()
      .execute()
    moved.push(...(updated as unknown as JobRow[]).toSorted((a, b) => a.id - b.id))
  }
  await recordEvents(
    db,
    moved.map(({ id, status, project_id }) => ({
      kind: 'job.updated',
      payload: { job_id: id, status },
      actorId: actor.user?.id,
      projectId: project_id,
    })),
  )
  const followed: JobRow[] = []
  for (const job of moved) followed.push(await follow(ctx, job))
  return followed
}

/** Has follow what depends on a job; answers the job as it is then, for it may be one of those that must not go on. */
async function follow(ctx: Moving, job: JobRow): Promise<JobRow> {
  await followMove(ctx, job)
  const dropped = await followDeployment(ctx, job)
  if (!dropped || dropped.ids.length === 0) return job
  const { ids, failure_reason } = dropped
  const failed = await moveJobs(ctx, ids, 'drop', { failure_reason })
  for (const pipelineId of new Set(failed.map(({ pipeline_id }) => pipeline_id))) await askForProcessing(ctx.db, pipelineId)
  return failed.find(({ id }) => id === job.id) ?? job
}

/** Has a pipeline processed as soon as the transaction is over; asked for several times, it is done once. */
export const askForProcessing = (db: Db, pipeline_id: number): Promise<void> =>
  enqueue(db, 'process_pipeline', { pipeline_id }, { jobKey: `process_pipeline:${pipeline_id}` })
