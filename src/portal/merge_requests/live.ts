/** The page of a merge request follows it: its attributes, its pipeline, its approvals and what is said. */

import type { Context } from '../../platform/kernel/context.ts'
import { openBy, type Topic, type TopicKind } from '../../platform/pages/live/topics.ts'
import { inProject } from '../../spaces/projects/scope.ts'

/** The topic of a merge request. */
export const mergeRequestTopicOf = ({ id }: { readonly id: number }): Topic => `merge_request:${id}`

const mayRead = (projectId: number) => openBy(inProject, 'read_merge_request', () => ({ id: String(projectId) }))

const rowOf = ({ db }: Pick<Context, 'db'>, id: number) =>
  db.selectFrom('merge_requests').select(['project_id', 'updated_at']).where('id', '=', id).executeTakeFirst()

/** `merge_request:<id>` */
export const mergeRequestTopic: TopicKind = {
  async isOpen(ctx, id) {
    const row = await rowOf(ctx, id)
    return row !== undefined && mayRead(row.project_id)(ctx, row.project_id)
  },
  async hasChanged(ctx, id, since) {
    const row = await rowOf(ctx, id)
    return row !== undefined && new Date(row.updated_at).getTime() >= since.getTime()
  },
}

/** The topic of a project's merge requests. */
export const mergeRequestsTopicOf = ({ id }: { readonly id: number }): Topic => `merge_requests:${id}`

/** `merge_requests:<project id>` */
export const mergeRequestsTopic: TopicKind = {
  isOpen: openBy(inProject, 'read_merge_request', id => ({ id: String(id) })),
  async hasChanged({ db }, id, since) {
    const found = await db
      .selectFrom('merge_requests')
      .select('id')
      .where('project_id', '=', id)
      .where('updated_at', '>=', since.toISOString())
      .limit(1)
      .executeTakeFirst()
    return found !== undefined
  },
}
