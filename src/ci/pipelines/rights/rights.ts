/** Who may act on an existing pipeline. */
import { allows } from '../../../platform/access/abilities.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { forbidden } from '../../../platform/kernel/errors.ts'
import { type ProjectWithRole, projectSubject } from '../../../spaces/projects/scope.ts'
import { fullRefOf, type PipelineRow } from '../queries.ts'
import { rightsOnRefOf } from './ref_rights.ts'

/**
 * Why the actor may neither run nor cancel the jobs of a pipeline, in the words of the API, as far as the protection of its branch or tag, or of the
 * source branch of its merge request, is concerned: as it is now, since a run tells others that it is of the reference. The jobs of a pipeline that was
 * protected when it was made get secrets, so they are not opened with the reference.
 */
export async function refusalOnPipeline(ctx: Context, project: ProjectWithRole, pipeline: PipelineRow): Promise<string | undefined> {
  const { merge_request_id } = pipeline
  const { refusal, isProtected } = await rightsOnRefOf(ctx, project, { ref: fullRefOf(pipeline), merge_request_id })
  if (refusal !== undefined || isProtected || !pipeline.protected) return refusal
  return allows(ctx.actor, 'set_restricted_variables', projectSubject(project)) === 'yes'
    ? undefined
    : 'The branch or tag of this pipeline was protected when it was made: Maintainers run its jobs'
}

/**
 * 403 for users who may neither push to nor merge into the protected branch of a pipeline, or create its protected tag: they may not
 * run its jobs, nor cancel them (pipeline security on protected branches, public documentation at 14.0).
 */
export async function requireRightsOnPipeline(ctx: Context, project: ProjectWithRole, pipeline: PipelineRow): Promise<void> {
  const refusal = await refusalOnPipeline(ctx, project, pipeline)
  if (refusal !== undefined) throw forbidden(refusal)
}
