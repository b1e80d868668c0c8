/** The pages of epics follow them: their attributes, what is in them, what is said, and the reactions. */
import { visibleEpicsById } from '../../planning/epics/queries.ts'
import { changedIn, openBy, type Topic, type TopicKind } from '../../platform/pages/live/topics.ts'
import { inGroup } from '../../spaces/groups/scope.ts'

/** The topic of an epic. */
export const epicTopicOf = ({ id }: { readonly id: number }): Topic => `epic:${id}`

/** `epic:<id>`. A new comment is a change of its epic, and so is a change of what is in it. */
export const epicTopic: TopicKind = {
  isOpen: async ({ db, actor }, id) => (await visibleEpicsById(db, actor, [id])).has(id),
  hasChanged: changedIn('epics', 'id'),
}

/** The topic of the epics of a group and of those below it. */
export const epicsTopicOf = ({ id }: { readonly id: number }): Topic => `epics:${id}`

/** `epics:<group id>` */
export const epicsTopic: TopicKind = {
  isOpen: openBy(inGroup, 'read_epic', id => ({ id: String(id) })),
  hasChanged: changedIn('epics', 'namespace_id'),
}
