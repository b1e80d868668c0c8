/** Running a job again (decision 24). */
import type { Context } from '../../../platform/kernel/context.ts'
import { forbidden } from '../../../platform/kernel/errors.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { type JobRow, jobById } from '../queries.ts'
import { moveJobs, notifyPipelineWorker } from '../transitions/move.ts'
import { cloneJobs } from './clone.ts'
import { requireRightsOnJob } from './rights.ts'

/**
 * Creates a new job in the place of a finished one. It is `pending` (or waits for its resource), and jobs that were skipped after the
 * old one are scheduled again. `ctx.db` is a transaction.
 * @throws Refusal 403 for a job that is not over, or has been retried; 403 where the branch or tag is protected against the actor
 */
export async function retryJob(ctx: Context, project: ProjectWithRole, job: JobRow): Promise<JobRow> {
  await requireRightsOnJob(ctx, project, job)
  const [made] = await cloneJobs(ctx, [job.id], { userId: ctx.actor.user?.id })
  if (!made) {
    const present = await jobById(ctx.db, job.id)
    throw forbidden(
      present?.retried ? 'The job has been retried already' : `A job that is ${present?.status ?? job.status} cannot be retried`,
    )
  }
  return startAgain(ctx, made)
}

/** Enqueues a job that was created again, and schedules the jobs that were skipped after it. */
export async function startAgain(ctx: Context, job: JobRow): Promise<JobRow> {
  const [moved] = await moveJobs(ctx, [job.id], job.resource_group_id === null ? 'enqueue' : 'wait')
  await rescheduleFollowers(ctx, job)
  return moved ?? job
}

/** Gives the skipped jobs that come after this one another turn, and has the pipeline processed. */
export async function rescheduleFollowers(ctx: Context, job: Pick<JobRow, 'pipeline_id' | 'stage_position'>): Promise<void> {
  const skipped = await ctx.db
    .selectFrom('jobs')
    .select('id')
    .where('pipeline_id', '=', job.pipeline_id)
    .where('retried', '=', false)
    .where('status', '=', 'skipped')
    .where(({ or, eb }) => or([eb('stage_position', '>', job.stage_position), eb('scheduling', '=', 'dag')]))
    .execute()
  await scheduleSkipped(
    ctx,
    skipped.map(({ id }) => id),
  )
  await notifyPipelineWorker(ctx.db, job.pipeline_id)
}

/**
 * Resets skipped jobs to `created`. They run for the user who gives them their turn: with the rights of the one before, they would deploy where this
 * one may not. What the instance does by itself leaves them their user.
 */
export const scheduleSkipped = (ctx: Context, ids: readonly number[]): Promise<JobRow[]> =>
  moveJobs(ctx, ids, 'process', { user_id: ctx.actor.user?.id })
