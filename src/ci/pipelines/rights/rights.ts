/** Who may act on an existing pipeline. */
import { allows } from '../../../platform/access/abilities.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { forbidden } from '../../../platform/kernel/errors.ts'
import { type ProjectWithRole, projectSubject } from '../../../spaces/projects/scope.ts'
import { fullRefOf, type PipelineRow } from '../queries.ts'
import { rightsOnRefsOf } from './ref_rights.ts'

/**
 * Why the actor may neither run nor cancel the jobs of a pipeline, in the words of the API, as far as the protection of its branch or tag, or of the
 * source branch of its merge request, is concerned: as it is now, since a run tells others that it is of the reference. The jobs of a pipeline that was
 * protected when it was made get secrets, so they are not opened with the reference.
 */
export async function refusalOnPipeline(ctx: Context, project: ProjectWithRole, pipeline: PipelineRow): Promise<string | undefined> {
  const [refusal] = await refusalsOn(ctx, project, [pipeline])
  return refusal
}

/** The same for many pipelines of a project, in their order: a fixed number of statements for all. */
async function refusalsOn(ctx: Context, project: ProjectWithRole, pipelines: readonly PipelineRow[]): Promise<(string | undefined)[]> {
  const wanted = pipelines.map(pipeline => ({ ref: fullRefOf(pipeline), merge_request_id: pipeline.merge_request_id }))
  const rights = await rightsOnRefsOf(ctx, project, wanted)
  const isMaintainer = allows(ctx.actor, 'set_restricted_variables', projectSubject(project)) === 'yes'
  return rights.map(({ refusal, isProtected }, index) => {
    if (refusal !== undefined || isProtected || isMaintainer || !pipelines[index]?.protected) return refusal
    return 'The branch or tag of this pipeline was protected when it was made: Maintainers run its jobs'
  })
}

/** The ids of those pipelines of a project whose jobs the actor may run. */
export async function runnableAmong(ctx: Context, project: ProjectWithRole, pipelines: readonly PipelineRow[]): Promise<Set<number>> {
  const refusals = await refusalsOn(ctx, project, pipelines)
  return new Set(pipelines.filter((_, index) => refusals[index] === undefined).map(({ id }) => id))
}

/**
 * 403 for users who may neither push to nor merge into the protected branch of a pipeline, or create its protected tag: they may not
 * run its jobs, nor cancel them (pipeline security on protected branches, public documentation at 14.0).
 */
export async function requireRightsOnPipeline(ctx: Context, project: ProjectWithRole, pipeline: PipelineRow): Promise<void> {
  const refusal = await refusalOnPipeline(ctx, project, pipeline)
  if (refusal !== undefined) throw forbidden(refusal)
}
