/** Pages of what was done in a project follow it. */
import { openBy, type Topic, type TopicKind } from '../../platform/pages/live/topics.ts'
import { inProject } from '../../spaces/projects/scope.ts'

/** The topic of what is done in a project. */
export const activityIn = ({ id }: { readonly id: number }): Topic => `activity:${id}`

/** `activity:<project id>` */
export const activityTopic: TopicKind = {
  isOpen: openBy(inProject, 'read_project', id => ({ id: String(id) })),
  async hasChanged({ db }, id, since) {
    const found = await db
      .selectFrom('feed_entries')
      .select('id')
      .where('project_id', '=', id)
      .where('created_at', '>=', since.toISOString())
      .limit(1)
      .executeTakeFirst()
    return found !== undefined
  },
}
