/** Who may act on an existing pipeline. */
import type { Context } from '../../../platform/kernel/context.ts'
import { forbidden } from '../../../platform/kernel/errors.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { fullRefOf, type PipelineRow } from '../queries.ts'
import { isOfMergeRequest, rightsOnRefOf } from './ref_rights.ts'

/**
 * Why the actor may neither run nor cancel the jobs of a pipeline, in the words of the API, as far as the protection of its branch or tag, or of the
 * source branch of its merge request, is concerned.
 */
export async function refusalOnPipeline(ctx: Context, project: ProjectWithRole, pipeline: PipelineRow): Promise<string | undefined> {
  if (!pipeline.protected && !isOfMergeRequest(pipeline.ref)) return undefined
  const { merge_request_id } = pipeline
  return (await rightsOnRefOf(ctx, project, { ref: fullRefOf(pipeline), merge_request_id })).refusal
}

/**
 * 403 for users who may neither push to nor merge into the protected branch of a pipeline, or create its protected tag: they may not
 * run its jobs, nor cancel them (pipeline security on protected branches, public documentation at 14.0).
 */
export async function requireRightsOnPipeline(ctx: Context, project: ProjectWithRole, pipeline: PipelineRow): Promise<void> {
  const refusal = await refusalOnPipeline(ctx, project, pipeline)
  if (refusal !== undefined) throw forbidden(refusal)
}
