/** Who may have the jobs of a pipeline run. */
import type { Context } from '../../../kernel/context.ts'
import { forbidden } from '../../../kernel/errors.ts'
import type { ProjectWithRole } from '../../../projects/scope.ts'
import { requireDeployRights } from '../../deploying/rights.ts'
import { rightsOnRef } from '../../pipelines/creation/rights.ts'
import { fullRefOf, pipelineById } from '../../pipelines/queries.ts'
import type { JobRow } from '../queries.ts'

/** 403 for whoever may not have this job run: by its branch or tag, or by its environment. */
export async function requireRightsToRun(ctx: Context, project: ProjectWithRole, job: JobRow): Promise<void> {
  await requireRightsOnRef(ctx, project, job)
  await requireDeployRights(ctx, project, job)
}

/** 403 for whoever may not run pipelines of the branch or tag: a job of a protected one is given secrets, by whomever it is started. */
async function requireRightsOnRef(ctx: Context, project: ProjectWithRole, job: Pick<JobRow, 'pipeline_id' | 'protected'>): Promise<void> {
  const pipeline = job.protected ? await pipelineById(ctx.db, job.pipeline_id) : undefined
  if (!pipeline) return
  const { refusal } = await rightsOnRef(ctx, project, fullRefOf(pipeline))
  if (refusal !== undefined) throw forbidden(refusal)
}
