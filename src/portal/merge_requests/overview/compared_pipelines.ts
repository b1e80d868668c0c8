/** The pipelines whose reports a merge request shows: that of its newest commit, beside that of the commit where the change begins. */
import { allows } from '../../../platform/access/abilities.ts'
import { basePipelineOf, headPipelinesOf } from '../../../review/merge_request_pipelines/queries.ts'
import { latestSpan } from '../../../review/merge_requests/versions/queries.ts'
import { type ProjectWithRole, projectAllowing, projectSubject } from '../../../spaces/projects/scope.ts'
import type { Caller } from '../page.ts'

/** A pipeline whose jobs the caller may read. */
export interface ReportingPipeline {
  /** A fork, where its source branch is there. */
  readonly project: ProjectWithRole
  readonly pipelineId: number
}

export interface ComparedPipelines {
  readonly head: ReportingPipeline
  readonly base: ReportingPipeline | undefined
}

/** What the caller may read of them; undefined where there is no pipeline, or it may not be read. At most five statements. */
export async function comparedPipelines(ctx: Caller): Promise<ComparedPipelines | undefined> {
  const { db, actor, project, mergeRequest } = ctx
  const head = (await headPipelinesOf(db, [mergeRequest])).get(mergeRequest.id)
  if (!head) return undefined
  const isOwn = head.project_id === project.id
  const place = isOwn ? project : await projectAllowing(ctx, String(head.project_id), 'read_job')
  const isOpen = (of: ProjectWithRole) => allows(actor, 'read_job', projectSubject(of)) === 'yes'
  if (!place || !isOpen(place)) return undefined
  const span = latestSpan(mergeRequest)
  const base = span && isOpen(project) ? await basePipelineOf(db, mergeRequest, span.base_commit_sha) : undefined
  return { head: { project: place, pipelineId: head.id }, base: base && { project, pipelineId: base.id } }
}
