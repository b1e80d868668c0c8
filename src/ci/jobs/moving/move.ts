/** The one way in which jobs move from state to state. */
import { type OperationNodeSource, sql } from 'kysely'
import { anyOf } from '../../../db/any.ts'
import type { Db } from '../../../db/connection.ts'
import { recordEvents } from '../../../events/events.ts'
import { enqueue } from '../../../events/worker.ts'
import type { Context } from '../../../kernel/context.ts'
import { movesOf } from '../../../kernel/machine.ts'
import { followDeployment } from '../../deploying/follow.ts'
import type { JobRow } from '../queries.ts'
import { followMove } from './follow.ts'
import { completed, type JobEvent, type JobStatus, jobMachine } from './states.ts'

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
export const moveJobs = (ctx: Moving, ids: readonly number[], event: JobEvent, changes: JobChanges = {}): Promise<JobRow[]> =>
  moveAll(ctx, ids, event, { changes, isInTurn: false })

/** The same for processing itself, which goes on with those that it has moved and needs no note of them. */
export const moveInTurn = (ctx: Moving, ids: readonly number[], event: JobEvent): Promise<JobRow[]> =>
  moveAll(ctx, ids, event, { changes: {}, isInTurn: true })

interface Manner {
  readonly changes: JobChanges
  readonly isInTurn: boolean
}

async function moveAll(ctx: Moving, ids: readonly number[], event: JobEvent, { changes, isInTurn }: Manner): Promise<JobRow[]> {
  const { db, now, actor } = ctx
  if (ids.length === 0) return []
  const moved: JobRow[] = []
  for (const [status, from] of movesOf(jobMachine, event)) {
    const update = moving(db, ids, from)
      .set({ ...entering(status, now), ...changes, status, updated_at: now })
      .returningAll('jobs')
    const rows = await (isInTurn || !givesTurns.includes(status) ? update.execute() : noted(db, update))
    moved.push(...(rows as unknown as JobRow[]))
  }
  moved.sort((a, b) => a.id - b.id)
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

/** States by which a job, or others, may have their turn: where jobs wait for it, where it is over, and where it may be left out. */
const givesTurns: readonly JobStatus[] = ['created', 'manual', ...completed]

/** Runs an update of jobs and notes those that it has moved, for the processing of their pipeline (pipelines/processing/ready.ts). One statement. */
async function noted(db: Db, update: OperationNodeSource): Promise<readonly unknown[]> {
  const { rows } = await sql`
    with moved as (${update}),
         noted as (insert into unprocessed_jobs (job_id, pipeline_id) select id, pipeline_id from moved on conflict do nothing)
    select * from moved`.execute(db)
  return rows
}

/**
 * An update of those of these jobs that are in one of these states. What somebody else moves meanwhile is waited for and looked at
 * again; several are taken hold of in the order of their ids, so that two who move the same ones do not wait for each other.
 */
function moving(db: Db, ids: readonly number[], from: readonly JobStatus[]) {
  if (ids.length === 1) return db.updateTable('jobs').where('jobs.id', '=', ids[0]!).where('jobs.status', '=', anyOf(from))
  const held = db
    .selectFrom('jobs')
    .select('id')
    .where('id', '=', anyOf(ids))
    .where('status', '=', anyOf(from))
    .orderBy('id')
    .forNoKeyUpdate()
  return db
    .with('held', () => held)
    .updateTable('jobs')
    .where('jobs.id', 'in', query => query.selectFrom('held').select('held.id'))
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

/**
 * Has the pipeline of a pending job that was taken processed, unless it runs already: then nothing follows from a job that runs instead of
 * being pending. Late in the transaction, since those who ask for the same pipeline wait for each other from here on.
 * @param pipeline as it was read after the job was held (processing looks whether somebody was faster: pipelines/processing/process.ts)
 */
export async function followTaking(db: Db, { id, status }: { readonly id: number; readonly status: JobStatus }): Promise<void> {
  if (status !== 'running') await askForProcessing(db, id)
}

/** Has a pipeline processed as soon as the transaction is over; asked for several times, it is done once. */
export const askForProcessing = (db: Db, pipeline_id: number): Promise<void> =>
  enqueue(db, 'process_pipeline', { pipeline_id }, { jobKey: `process_pipeline:${pipeline_id}` })
