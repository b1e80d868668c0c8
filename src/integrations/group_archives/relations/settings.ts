/** What a group says of itself. */
import type { Visibility } from '../../../platform/access/abilities.ts'
import type { GroupAttributes } from '../../../spaces/groups/commands.ts'
import type { GroupRow } from '../../../spaces/groups/queries.ts'
import type { Row } from '../../archives/reading/row.ts'

const visibilities = ['private', 'internal', 'public'] as const
const visibilityLevels = { private: 0, internal: 10, public: 20 } as const
const projectCreation = ['noone', 'maintainer', 'developer'] as const
const subgroupCreation = ['owner', 'maintainer'] as const

const flags = [
  'share_with_group_lock',
  'require_two_factor_authentication',
  'auto_devops_enabled',
  'emails_disabled',
  'mentions_disabled',
  'lfs_enabled',
  'request_access_enabled',
  'membership_lock',
] as const

/** `<id>.json` */
export const exportedGroup = (group: GroupRow): object => ({
  id: group.id,
  name: group.name,
  path: group.path,
  parent_id: group.parent_id,
  type: 'Group',
  description: group.description,
  visibility_level: visibilityLevels[group.visibility],
  ...Object.fromEntries(flags.map(name => [name, group[name]])),
  two_factor_grace_period: group.two_factor_grace_period,
  project_creation_level: projectCreation.indexOf(group.project_creation_level),
  subgroup_creation_level: subgroupCreation.indexOf(group.subgroup_creation_level),
  default_branch_protection: group.default_branch_protection,
})

/** How open a group was. */
export const visibilityIn = (row: Row): Visibility =>
  visibilities[(row.maybeInteger('visibility_level', { max: 20 }) ?? 0) / 10] ?? 'private'

/** Longest description of a group, as the API has it. */
const LONGEST_DESCRIPTION = 500

/** The settings of a group. Runners follow from the place that it comes into. */
export function settingsIn(row: Row): GroupAttributes {
  const projects = projectCreation[row.maybeInteger('project_creation_level', { max: 10 }) ?? -1]
  const subgroups = subgroupCreation[row.maybeInteger('subgroup_creation_level', { max: 10 }) ?? -1]
  const protection = row.maybeInteger('default_branch_protection', { max: 10 })
  const given = {
    description: row.maybeText('description', LONGEST_DESCRIPTION),
    ...Object.fromEntries(flags.map(name => [name, row.maybeFlag(name)])),
    two_factor_grace_period: row.maybeInteger('two_factor_grace_period', { max: 100_000 }),
    project_creation_level: projects,
    subgroup_creation_level: subgroups,
    default_branch_protection: protection !== undefined && protection <= 3 ? protection : undefined,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
