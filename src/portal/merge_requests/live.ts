/** The page of a merge request follows it: its attributes, its pipeline, its approvals and what is said. */

import { changedIn, openBy, type Topic, type TopicKind } from '../../platform/pages/live/topics.ts'
import { inProject } from '../../spaces/projects/scope.ts'

/** The topic of a merge request. */
export const mergeRequestTopicOf = ({ id }: { readonly id: number }): Topic => `merge_request:${id}`

/** `merge_request:<id>` */
export const mergeRequestTopic: TopicKind = {
  async isOpen(ctx, id) {
    const row = await ctx.db.selectFrom('merge_requests').select('project_id').where('id', '=', id).executeTakeFirst()
    return row !== undefined && mergeRequestsTopic.isOpen(ctx, row.project_id)
  },
  hasChanged: async (ctx, id, since) =>
    (await changedIn('merge_requests', 'id')(ctx, id, since)) ||
    changedIn('merge_requests', 'id', 'merge_state_changed_at')(ctx, id, since),
}

/** The topic of a project's merge requests. */
export const mergeRequestsTopicOf = ({ id }: { readonly id: number }): Topic => `merge_requests:${id}`

/** `merge_requests:<project id>` */
export const mergeRequestsTopic: TopicKind = {
  isOpen: openBy(inProject, 'read_merge_request', id => ({ id: String(id) })),
  hasChanged: changedIn('merge_requests', 'project_id'),
}
