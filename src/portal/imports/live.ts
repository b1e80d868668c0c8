/** Exports, imports and migrations as topics. They are looked at seldom and are short, so their parts are fetched once more when a stream opens. */
import { inMigration } from '../../integrations/bulk_imports/scope.ts'
import type { Ability } from '../../platform/access/abilities.ts'
import { openBy, type Topic, type TopicKind } from '../../platform/pages/live/topics.ts'
import { inGroup } from '../../spaces/groups/scope.ts'
import { inProject } from '../../spaces/projects/scope.ts'

const hasChanged = async () => true

const topicIn = (within: Parameters<typeof openBy>[0], can: Ability): TopicKind => ({
  isOpen: openBy(within, can, id => ({ id: String(id) })),
  hasChanged,
})

/** The kinds of topics, with the id of the project, group or migration. */
export const archiveTopics = {
  project_export: topicIn(inProject, 'admin_project'),
  group_export: topicIn(inGroup, 'admin_group'),
  project_import: topicIn(inProject, 'read_project'),
  group_import: topicIn(inGroup, 'admin_group'),
  migration: { isOpen: openBy(inMigration, 'update_own', id => ({ import_id: id })), hasChanged },
} satisfies Readonly<Record<string, TopicKind>>

/** The topic of one export, import or migration. */
export const archiveTopic = (kind: keyof typeof archiveTopics, id: number): Topic => `${kind}:${id}`
