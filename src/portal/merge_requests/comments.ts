/** What people write on a merge request's page. */
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { mergeRequestApi } from '../../review/merge_requests/item_kind/noteable.ts'
import { type InItem, itemComments } from '../items/comments.ts'
import { besideChanges } from './review/addresses.ts'
import { followUpPath, inMergeRequestPage, MERGE_REQUEST, mayFollowUp } from './scope.ts'

export const {
  frameOf,
  commentSection,
  endpoints: mergeRequestComments,
} = itemComments({
  route: MERGE_REQUEST,
  scope: inMergeRequestPage as unknown as Scope<InItem>,
  api: mergeRequestApi,
  resolvable: true,
  tab: 'merge_requests',
  sigil: '!',
  readInternal: 'read_internal_note',
  update: 'update_merge_request',
  followUp(ctx) {
    const { project, noteable } = ctx
    if (!project || !mayFollowUp(ctx.actor, project)) return undefined
    return thread => followUpPath({ project, mergeRequest: noteable.item }, thread)
  },
  linesOf: thread => `/diffs/threads/${thread}`,
  elsewhere: ({ project, noteable, ...ctx }, thread) =>
    project && besideChanges({ ...ctx, project, mergeRequest: noteable.item }, thread === undefined ? undefined : `thread-${thread}`),
})
