/** The one way in which jobs move from state to state. */

import type { Db } from '../../../platform/db/connection.ts'
import { queueDeliveries } from '../../../platform/events/events.ts'
import { enqueue } from '../../../platform/events/worker.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { JobEvent, JobStatus } from '../../states.ts'
import { jobHooks } from '../hooks.ts'
import type { JobRow } from '../queries.ts'
import { followTransition } from './follow.ts'
import { givesTurns, type JobChanges, type MovedRow, movesByEvent, writeTransition } from './write.ts'

/** What a move is made with. `db` must be a transaction. */
export type TransitionContext = Context

/**
 * Moves a job, and has its pipeline processed, by the note that the move leaves or else by a task; undefined where the event is impossible in the job's state, or the job is gone. The row
 * is held until the transaction ends.
 */
export async function moveJob(ctx: TransitionContext, id: number, event: JobEvent, changes: JobChanges = {}): Promise<JobRow | undefined> {
  const [job] = await moveJobs(ctx, [id], event, changes)
  if (job && !givesTurns(job.status)) await notifyPipelineWorker(ctx.db, job.pipeline_id)
  return job
}

/**
 * Moves those of these jobs for which the event is possible, in a number of statements that does not depend on theirs, and answers them.
 * The rows are held until the transaction ends. Moves that leave a note (write.ts) have their pipelines processed; of others that is the
 * caller's affair.
 */
export const moveJobs = (ctx: TransitionContext, ids: readonly number[], event: JobEvent, changes: JobChanges = {}): Promise<JobRow[]> =>
  moveAll(ctx, ids, event, { changes, isInTurn: false })

/** The same for processing itself, which goes on with those that it has moved and needs no note of them. */
export const moveScheduled = (ctx: TransitionContext, ids: readonly number[], event: JobEvent): Promise<JobRow[]> =>
  moveAll(ctx, ids, event, { changes: {}, isInTurn: true })

interface Manner {
  readonly changes: JobChanges
  readonly isInTurn: boolean
}

async function moveAll(ctx: TransitionContext, ids: readonly number[], event: JobEvent, { changes, isInTurn }: Manner): Promise<JobRow[]> {
  const { db, now, actor } = ctx
  if (ids.length === 0) return []
  const moved: MovedRow[] = []
  for (const move of movesByEvent[event])
    moved.push(...(await writeTransition(db, { ...move, ids, now, actorId: actor.user?.id, changes, isNoted: !isInTurn })))
  moved.sort((a, b) => a.job.id - b.job.id)
  await queueDeliveries(
    db,
    moved.map(({ recorded }) => recorded),
  )
  const followed: JobRow[] = []
  for (const { job } of moved) followed.push(await follow(ctx, job))
  return followed
}

/** Has follow what depends on a job; answers the job as it is then, for it may be one of those that must not go on. */
async function follow(ctx: TransitionContext, job: JobRow): Promise<JobRow> {
  await followTransition(ctx, job)
  const dropped = await jobHooks.value.onMoved(ctx, job)
  if (!dropped || dropped.ids.length === 0) return job
  const { ids, failure_reason } = dropped
  const failed = await moveJobs(ctx, ids, 'drop', { failure_reason })
  return failed.find(({ id }) => id === job.id) ?? job
}

/**
 * Has the pipeline of a pending job that was taken processed, unless it runs already: then nothing follows from a job that runs instead of
 * being pending. Late in the transaction, since those who ask for the same pipeline wait for each other from here on.
 * @param pipeline as it was read after the job was held (processing looks whether somebody was faster: pipeline_processing/process.ts)
 */
export async function followTaking(db: Db, { id, status }: { readonly id: number; readonly status: JobStatus }): Promise<void> {
  if (status !== 'running') await notifyPipelineWorker(db, id)
}

/** Has a pipeline processed as soon as the transaction is over; asked for several times, it is done once. */
export const notifyPipelineWorker = (db: Db, pipeline_id: number): Promise<void> =>
  enqueue(db, 'process_pipeline', { pipeline_id }, { jobKey: `process_pipeline:${pipeline_id}` })
