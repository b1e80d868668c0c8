/** Lists of things that follow what others change in the same place. */
import type { Ability } from '../../platform/access/abilities.ts'
import { changedIn, openBy, type TopicKind } from '../../platform/pages/live/topics.ts'
import { inGroup } from '../../spaces/groups/scope.ts'
import { inProject } from '../../spaces/projects/scope.ts'

/** What a list of a table's rows follows: those that were added are found, where they came before the stream did. */
const listOf = (within: Parameters<typeof openBy>[0], can: Ability, table: string, column: string, at: string): TopicKind => ({
  isOpen: openBy(within, can, id => ({ id: String(id) })),
  hasChanged: changedIn(table, column, at),
})

const ofProject = (can: Ability, table: string, at = 'created_at') => listOf(inProject, can, table, 'project_id', at)

/** The kinds of topics, with the id of the project or group. */
export const thingTopics = {
  protected_branches: ofProject('admin_protected_branches', 'protected_branches'),
  protected_tags: ofProject('admin_protected_tags', 'protected_tags'),
  protected_environments: ofProject('admin_protected_environments', 'protected_environments'),
  protected_tiers: listOf(inGroup, 'admin_group_protected_environments', 'protected_environments', 'namespace_id', 'created_at'),
  freeze_periods: ofProject('read_freeze_period', 'freeze_periods', 'updated_at'),
  package_protection_rules: ofProject('admin_package_protection', 'package_protection_rules', 'updated_at'),
  container_protection_rules: ofProject('admin_container_protection', 'container_protection_rules', 'updated_at'),
  container_tag_protection_rules: ofProject('admin_container_protection', 'container_tag_protection_rules', 'updated_at'),
  feature_flags: ofProject('read_feature_flag', 'project_flags', 'updated_at'),
  resource_groups: ofProject('update_job', 'resource_groups', 'updated_at'),
} satisfies Readonly<Record<string, TopicKind>>

export type ThingTopic = keyof typeof thingTopics
