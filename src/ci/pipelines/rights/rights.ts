/** Who may act on an existing pipeline. */
import { allows } from '../../../platform/access/abilities.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { forbidden } from '../../../platform/kernel/errors.ts'
import { type ProjectWithRole, projectSubject } from '../../../spaces/projects/scope.ts'
import { fullRefOf, type PipelineRow } from '../queries.ts'
import { isOfMergeRequest, rightsOnRefOf, verdictsOnRefs } from './ref_rights.ts'

/**
 * Why the actor may neither run nor cancel the jobs of a pipeline, in the words of the API, as far as the protection of its branch or tag, or of the
 * source branch of its merge request, is concerned: as it is now, since a run tells others that it is of the reference. The jobs of a pipeline that was
 * protected when it was made get secrets, so they are not opened with the reference.
 */
export async function refusalOnPipeline(ctx: Context, project: ProjectWithRole, pipeline: PipelineRow): Promise<string | undefined> {
  const { merge_request_id } = pipeline
  const { refusal, isProtected } = await rightsOnRefOf(ctx, project, { ref: fullRefOf(pipeline), merge_request_id })
  if (refusal !== undefined || isProtected || !pipeline.protected) return refusal
  return isMaintainer(ctx, project)
    ? undefined
    : 'The branch or tag of this pipeline was protected when it was made: Maintainers run its jobs'
}

const isMaintainer = ({ actor }: Context, project: ProjectWithRole): boolean =>
  allows(actor, 'set_restricted_variables', projectSubject(project)) === 'yes'

/** The ids of those pipelines of a project for which `refusalOnPipeline` finds nothing: a fixed number of statements for all. */
export async function runnableAmong(ctx: Context, project: ProjectWithRole, pipelines: readonly PipelineRow[]): Promise<Set<number>> {
  if (pipelines.length === 0) return new Set()
  const verdictOn = await verdictsOnRefs(ctx, project)
  const ofMergeRequests = pipelines.filter(({ ref, merge_request_id }) => merge_request_id !== undefined && isOfMergeRequest(ref))
  const ids = ofMergeRequests.flatMap(({ merge_request_id }) => merge_request_id ?? [])
  const rows =
    ids.length === 0 ? [] : await ctx.db.selectFrom('merge_requests').select(['id', 'source_branch']).where('id', 'in', ids).execute()
  const sources = new Map(rows.map(({ id, source_branch }) => [id, source_branch]))
  const isOpen = (pipeline: PipelineRow): boolean => {
    const { mayRun, isProtected } = verdictOn(fullRefOf(pipeline))
    if (!mayRun) return false
    if (isOfMergeRequest(pipeline.ref)) {
      const source = sources.get(pipeline.merge_request_id ?? 0)
      // Of a merge request that was deleted the branch is not known any more.
      if (source === undefined ? !isMaintainer(ctx, project) : !verdictOn(`refs/heads/${source}`).mayRun) return false
    }
    return isProtected || !pipeline.protected || isMaintainer(ctx, project)
  }
  return new Set(pipelines.filter(isOpen).map(({ id }) => id))
}

/**
 * 403 for users who may neither push to nor merge into the protected branch of a pipeline, or create its protected tag: they may not
 * run its jobs, nor cancel them (pipeline security on protected branches, public documentation at 14.0).
 */
export async function requireRightsOnPipeline(ctx: Context, project: ProjectWithRole, pipeline: PipelineRow): Promise<void> {
  const refusal = await refusalOnPipeline(ctx, project, pipeline)
  if (refusal !== undefined) throw forbidden(refusal)
}
