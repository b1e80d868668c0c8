/** The only way in which jobs change their state. */

import type { Db } from '../../../platform/db/connection.ts'
import { queueDeliveries } from '../../../platform/events/events.ts'
import { enqueue } from '../../../platform/events/worker.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { JobEvent, JobStatus } from '../../states.ts'
import { jobHooks } from '../hooks.ts'
import type { JobRow } from '../queries.ts'
import { followTransition } from './follow.ts'
import { type JobChanges, type MovedRow, mayUnblock, movesByEvent, writeTransition } from './write.ts'

/** The context of a transition. `db` must be a transaction. */
export type TransitionContext = Context

/**
 * Moves a job, and has its pipeline processed, by the note that the move leaves or by a task. Undefined if the event is impossible in the
 * job's state, or the job was deleted. The row stays locked until the transaction ends.
 */
export async function moveJob(ctx: TransitionContext, id: number, event: JobEvent, changes: JobChanges = {}): Promise<JobRow | undefined> {
  const [job] = await moveJobs(ctx, [id], event, changes)
  if (job && !mayUnblock(job.status)) await notifyPipelineWorker(ctx.db, job.pipeline_id)
  return job
}

/**
 * Moves those of these jobs for which the event is possible, in a fixed number of statements, and returns them.
 * The rows stay locked until the transaction ends. Moves that leave a note (write.ts) have their pipelines processed; for others the
 * caller must do that.
 */
export const moveJobs = (ctx: TransitionContext, ids: readonly number[], event: JobEvent, changes: JobChanges = {}): Promise<JobRow[]> =>
  moveAll(ctx, ids, event, { changes, isInTurn: false })

/** The same for processing itself, which continues with the jobs that it has moved and needs no note of them. */
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

/** Runs what follows from a job's move; returns the job as it is afterwards, since it may have failed because of the move. */
async function follow(ctx: TransitionContext, job: JobRow): Promise<JobRow> {
  await followTransition(ctx, job)
  const dropped = await jobHooks.value.onMoved(ctx, job)
  if (!dropped || dropped.ids.length === 0) return job
  const { ids, failure_reason } = dropped
  const failed = await moveJobs(ctx, ids, 'drop', { failure_reason })
  return failed.find(({ id }) => id === job.id) ?? job
}

/**
 * Has the pipeline of an assigned job processed, unless it is running already: then nothing follows from a pending job that now runs.
 * Called late in the transaction, since callers for the same pipeline wait for each other from here on.
 * @param pipeline as read after the job was locked (processing detects a concurrent change: pipeline_processing/process.ts)
 */
export async function afterAssignment(db: Db, { id, status }: { readonly id: number; readonly status: JobStatus }): Promise<void> {
  if (status !== 'running') await notifyPipelineWorker(db, id)
}

/** Has a pipeline processed after the commit; several calls in one transaction queue it once. */
export const notifyPipelineWorker = (db: Db, pipeline_id: number): Promise<void> =>
  enqueue(db, 'process_pipeline', { pipeline_id }, { jobKey: `process_pipeline:${pipeline_id}` })
