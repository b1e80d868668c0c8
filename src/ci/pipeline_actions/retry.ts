/** Retries the failed and canceled jobs of a pipeline. */
import type { Context } from '../../platform/kernel/context.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { cloneJobs } from '../jobs/actions/clone.ts'
import { scheduleSkipped } from '../jobs/actions/retry.ts'
import { processJobs } from '../pipeline_processing/process.ts'
import { type PipelineRow, pipelineById } from '../pipelines/queries.ts'
import { requireRightsOnPipeline } from '../pipelines/rights/rights.ts'

/**
 * Creates new jobs in the place of failed and canceled ones, and schedules them and the skipped ones.
 * `ctx.db` is a transaction.
 * @throws Refusal 403 where the branch or tag is protected against the actor
 */
export async function retryPipeline(ctx: Context, project: ProjectWithRole, pipeline: PipelineRow): Promise<PipelineRow> {
  const { db } = ctx
  const { id } = pipeline
  await requireRightsOnPipeline(ctx, project, pipeline)
  const over = await db
    .selectFrom('jobs')
    .select(['id', 'status'])
    .where('pipeline_id', '=', id)
    .where('retried', '=', false)
    .where('kind', '<>', 'external')
    .where('status', 'in', ['failed', 'canceled', 'skipped'])
    .orderBy('id')
    .execute()
  const idsOf = (isSkipped: boolean) => over.filter(({ status }) => (status === 'skipped') === isSkipped).map(job => job.id)
  await cloneJobs(ctx, idsOf(false), { userId: ctx.actor.user?.id })
  await scheduleSkipped(ctx, idsOf(true))
  await processJobs(ctx, id)
  return (await pipelineById(db, id)) as PipelineRow
}
