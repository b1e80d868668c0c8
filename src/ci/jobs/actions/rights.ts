/** Who may act on the jobs of a pipeline: run, retry and cancel them. One rule for all, so that none is forgotten in one of them. */

import type { Context } from '../../../platform/kernel/context.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { pipelineById } from '../../pipelines/queries.ts'
import { requireRightsOnPipeline } from '../../pipelines/rights/rights.ts'
import { jobHooks } from '../hooks.ts'
import type { JobRow } from '../queries.ts'

/** 403 if the actor may not run or cancel this job: because of its branch or tag, or of its environment. */
export async function requireRightsOnJob(ctx: Context, project: ProjectWithRole, job: JobRow): Promise<void> {
  await requireRightsOnRef(ctx, project, job)
  await jobHooks.value.requireRightsToRun(ctx, project, job)
}

/** 403 if the actor may not act on the pipeline of a job, because of its branch or tag, or of the source branch of its merge request. */
async function requireRightsOnRef(ctx: Context, project: ProjectWithRole, job: JobRow): Promise<void> {
  const pipeline = await pipelineById(ctx.db, job.pipeline_id)
  if (pipeline) await requireRightsOnPipeline(ctx, project, pipeline)
}
