/** Merge requests by the addresses of their pages. */
import { inRepositoryPage } from '../../code/repository/scope.ts'
import { allows } from '../../platform/access/abilities.ts'
import type { Actor } from '../../platform/access/actor.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { noteableMergeRequest } from '../../review/merge_requests/item_kind/noteable.ts'
import { findMergeRequest, isOwnMergeRequest } from '../../review/merge_requests/scope.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'

/** The path of every page of a merge request. */
export const MERGE_REQUEST = '/:project_path/-/merge_requests/:merge_request_iid'

/** `:merge_request_iid` becomes a merge request of the project, with the repository, or 404. */
export const inMergeRequestPage = within(inRepositoryPage, {
  name: 'inMergeRequestPage',
  path: { merge_request_iid: integer('Number of a merge request within its project') },
  async load(ctx, { merge_request_iid }) {
    // What hangs on a merge request is for those who may read it, whatever ability a page names.
    if (allows(ctx.actor, 'read_merge_request', projectSubject(ctx.project)) !== 'yes') throw notFound('Merge Request')
    const mergeRequest = await findMergeRequest(ctx, ctx.project, merge_request_iid)
    return {
      mergeRequest,
      isOwn: isOwnMergeRequest(mergeRequest, ctx.actor.user?.id),
      noteable: noteableMergeRequest(ctx, ctx.project, mergeRequest),
    }
  },
  subject: ({ project, isOwn }) => ({ ...projectSubject(project), own: isOwn }),
})

interface Addressed {
  readonly project: { readonly full_path: string }
  readonly mergeRequest: { readonly iid: number }
}

/** The path of a merge request's page. Pure. */
export const mergeRequestPath = ({ project, mergeRequest }: Addressed, rest = ''): string =>
  projectPath(project, `/-/merge_requests/${mergeRequest.iid}${rest}`)

/** May the caller open issues that follow up the threads of merge requests? */
export const mayFollowUp = (actor: Actor, project: ProjectWithRole): boolean =>
  allows(actor, 'create_issue', projectSubject(project)) === 'yes'

/** The path of the form of an issue that follows up the open threads of a merge request, or one of them. Pure. */
export const followUpPath = ({ project, mergeRequest }: Addressed, thread?: string): string =>
  projectPath(
    project,
    `/-/issues/new?${new URLSearchParams({
      ...(thread !== undefined && { discussion_to_resolve: thread }),
      merge_request_to_resolve_discussions_of: String(mergeRequest.iid),
    })}`,
  )

/** Where a merge request of a branch is opened. `targetId`: of another project that it goes to. Pure. */
export const newMergeRequestPath = (project: { readonly full_path: string }, source: string, target?: string, targetId?: number): string =>
  `${projectPath(project, '/-/merge_requests/new')}?${new URLSearchParams({
    'merge_request[source_branch]': source,
    ...(target !== undefined && { 'merge_request[target_branch]': target }),
    ...(targetId !== undefined && { 'merge_request[target_project_id]': String(targetId) }),
  })}`
