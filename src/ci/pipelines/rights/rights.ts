/** Who may act on an existing pipeline. */
import type { Context } from '../../../platform/kernel/context.ts'
import { forbidden } from '../../../platform/kernel/errors.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { fullRefOf, type PipelineRow } from '../queries.ts'
import { rightsOnRef } from './ref_rights.ts'

/**
 * 403 for users who may neither push to nor merge into the protected branch of a pipeline, or create its protected tag: they may not
 * run its jobs, nor cancel them (pipeline security on protected branches, public documentation at 14.0).
 */
export async function requireRightsOnPipeline(ctx: Context, project: ProjectWithRole, pipeline: PipelineRow): Promise<void> {
  if (!pipeline.protected) return
  const { refusal } = await rightsOnRef(ctx, project, fullRefOf(pipeline))
  if (refusal !== undefined) throw forbidden(refusal)
}
