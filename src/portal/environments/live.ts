/** The pages of environments follow them and what is deployed there. */
import { changedIn, openBy, type Topic, type TopicKind } from '../../platform/pages/live/topics.ts'
import { inProject } from '../../spaces/projects/scope.ts'

/** The topic of a project's environments and their deployments. */
export const environmentsTopicOf = ({ id }: { readonly id: number }): Topic => `environments:${id}`

const moved = [changedIn('environments', 'project_id'), changedIn('deployments', 'project_id')] as const

/** `environments:<project id>` */
export const environmentsTopic: TopicKind = {
  isOpen: openBy(inProject, 'read_environment', id => ({ id: String(id) })),
  async hasChanged(ctx, id, since) {
    for (const has of moved) if (await has(ctx, id, since)) return true
    return false
  },
}
