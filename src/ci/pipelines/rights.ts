/** Who may act on a pipeline that there is. */
import type { Context } from '../../platform/kernel/context.ts'
import { forbidden } from '../../platform/kernel/errors.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { fullRefOf, type PipelineRow } from './queries.ts'
import { rightsOnRef } from './ref_rights.ts'

/**
 * 403 for whoever may neither push to nor merge into the protected branch of a pipeline, or create its protected tag: they may not
 * have its jobs run, nor cancel them (pipeline security on protected branches, public documentation at 14.0).
 */
export async function requireRightsOnPipeline(ctx: Context, project: ProjectWithRole, pipeline: PipelineRow): Promise<void> {
  if (!pipeline.protected) return
  const { refusal } = await rightsOnRef(ctx, project, fullRefOf(pipeline))
  if (refusal !== undefined) throw forbidden(refusal)
}
