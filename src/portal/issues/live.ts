/** The pages of issues follow them: its attributes, what is said, and the reactions. */

import { visibleIssuesById } from '../../planning/issues/queries.ts'
import { changedIn, openBy, type Topic, type TopicKind } from '../../platform/pages/live/topics.ts'
import { inProject } from '../../spaces/projects/scope.ts'

/** The topic of an issue. */
export const issueTopicOf = ({ id }: { readonly id: number }): Topic => `issue:${id}`

/** `issue:<id>`. A new comment is a change of its issue. */
export const issueTopic: TopicKind = {
  isOpen: async ({ db, actor }, id) => (await visibleIssuesById(db, actor, [id], null)).has(id),
  hasChanged: changedIn('issues', 'id'),
}

/** The topic of a project's issues. */
export const issuesTopicOf = ({ id }: { readonly id: number }): Topic => `issues:${id}`

/** `issues:<project id>` */
export const issuesTopic: TopicKind = {
  isOpen: openBy(inProject, 'read_issue', id => ({ id: String(id) })),
  hasChanged: changedIn('issues', 'project_id'),
}
