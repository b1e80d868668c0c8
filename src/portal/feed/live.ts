/** Pages of what was done in a project follow it. */
import { changedIn, openBy, type Topic, type TopicKind } from '../../platform/pages/live/topics.ts'
import { inProject } from '../../spaces/projects/scope.ts'

/** The topic of what is done in a project. */
export const activityIn = ({ id }: { readonly id: number }): Topic => `activity:${id}`

/** `activity:<project id>` */
export const activityTopic: TopicKind = {
  isOpen: openBy(inProject, 'read_project', id => ({ id: String(id) })),
  hasChanged: changedIn('feed_entries', 'project_id', 'created_at'),
}
