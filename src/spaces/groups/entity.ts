/** A group as JSON (document 3 "Group"). */

import Type from 'typebox'
import { idsOf } from '../../identity/users/queries.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../platform/kernel/context.ts'
import { DateTime, Day, described, flag, integer, Nullable, onTier, optional, text } from '../../platform/kernel/declaration/types.ts'
import type { Secret } from '../../platform/secret.ts'
import { runnersTokensOf } from '../runners_tokens/commands.ts'
import { sharedWithGroups } from '../shares/entity.ts'
import { type SharedGroup, sharedGroupsOf } from '../shares/queries.ts'
import { type GroupRow, type GroupStatistics, ownedAmong, statisticsByGroup } from './queries.ts'

const groupFields = {
  id: integer('ID, unique on the instance'),
  web_url: text('Address of the page for people'),
  name: text('Name of the group'),
  path: text('Last part of the path, as in addresses'),
  description: text('Description; null or empty where there is none'),
  visibility: text('Who may see it: `private`, `internal` or `public`'),
  share_with_group_lock: flag('Whether projects of the group cannot be shared with other groups'),
  require_two_factor_authentication: flag('Whether members of the group and of its subgroups must have a second factor'),
  two_factor_grace_period: integer('Hours that they have for setting it up, from their first visit on'),
  project_creation_level: text('Who may create projects: `noone`, `maintainer` or `developer`'),
  auto_devops_enabled: Nullable(flag('Whether Auto DevOps is on; null: as the instance says')),
  subgroup_creation_level: text('Who may create subgroups: `owner` or `maintainer`'),
  emails_disabled: Nullable(flag('Whether email notifications are off; null where nobody has chosen')),
  mentions_disabled: Nullable(flag('Whether the group cannot be mentioned; null: as the parent says')),
  lfs_enabled: flag('Whether Git LFS is on'),
  default_branch_protection: integer('Protection of default branches of new projects: 0 none, 1 partial, 2 full, 3 push by Maintainers'),
  avatar_url: Nullable(text('Address of the avatar; null where there is none')),
  request_access_enabled: flag('Whether users may request access'),
  full_name: text('Names of all parents and its own, with ` / ` between'),
  full_path: text('Path with those of all parents'),
  created_at: DateTime('When it was created'),
  parent_id: Nullable(integer('ID of the parent; null at the top')),
  file_template_project_id: onTier('premium', Nullable(integer('ID of the project with templates of files; null where none is set'))),
}

const group = (row: GroupRow, { url }: Facts) => ({
  id: row.id,
  web_url: `${url}/groups/${row.full_path}`,
  name: row.name,
  path: row.path,
  description: row.description,
  visibility: row.visibility,
  share_with_group_lock: row.share_with_group_lock,
  require_two_factor_authentication: row.require_two_factor_authentication,
  two_factor_grace_period: row.two_factor_grace_period,
  project_creation_level: row.project_creation_level,
  auto_devops_enabled: row.auto_devops_enabled,
  subgroup_creation_level: row.subgroup_creation_level,
  emails_disabled: row.emails_disabled,
  mentions_disabled: row.mentions_disabled,
  lfs_enabled: row.lfs_enabled,
  default_branch_protection: row.default_branch_protection,
  avatar_url: row.avatar_url && `${url}${row.avatar_url}`,
  request_access_enabled: row.request_access_enabled,
  full_name: row.full_name,
  full_path: row.full_path,
  created_at: row.created_at,
  parent_id: row.parent_id,
  file_template_project_id: row.file_template_project_id,
})

export const Group = entity({
  name: 'Group',
  schema: Type.Object(groupFields),
  present: (row: GroupRow, _loaded: undefined, facts) => group(row, facts),
})

/** Contract: a group has no `commit_count` among its statistics (document 3 "Group"). */
const sizes = {
  storage_size: integer('Size of all that is stored, in bytes'),
  repository_size: integer('Size of the repository, in bytes'),
  wiki_size: integer('Size of the wiki, in bytes'),
  lfs_objects_size: integer('Size of LFS objects, in bytes'),
  job_artifacts_size: integer('Size of artifacts, and of the archives of sites, in bytes'),
  packages_size: integer('Size of packages, in bytes'),
  snippets_size: integer('Size of snippets, in bytes'),
}

/** A group with the storage statistics of its whole tree, for administrators on request. */
export const GroupWithStatistics = entity({
  name: 'GroupWithStatistics',
  schema: Type.Object({ ...groupFields, statistics: described('Numbers', Type.Object(sizes)) }),
  load: ({ db }: Context, rows: readonly GroupRow[]) => statisticsByGroup(db, idsOf(rows, 'id')),
  present: (row: GroupRow, statistics: Map<number, GroupStatistics>, facts) => ({
    ...group(row, facts),
    statistics: statistics.get(row.id) as GroupStatistics,
  }),
})

interface Loaded {
  readonly sharedGroups: ReadonlyMap<number, SharedGroup[]>
  /** The registration tokens of the groups for which the reader may register runners. */
  readonly runnersTokens: ReadonlyMap<number, Secret>
}

async function loadDetails(ctx: Context, rows: readonly GroupRow[]): Promise<Loaded> {
  const ids = idsOf(rows, 'id')
  const owned = isAdmin(ctx.actor) ? ids : await ownedAmong(ctx.db, ctx.actor, ids)
  return {
    sharedGroups: await sharedGroupsOf(ctx, 'namespace_id', ids),
    // Contract: for Owners and administrators, absent for others (decision 44).
    runnersTokens: await runnersTokensOf(ctx, 'namespace_id', owned),
  }
}

/** A single group, with the fields that only details show. */
export const GroupDetails = entity({
  name: 'GroupDetails',
  schema: Type.Object({
    ...groupFields,
    shared_with_groups: described('Groups that it is shared with', sharedWithGroups),
    runners_token: optional(text('Token that registers runners here; for those who may administer it')),
    membership_lock: onTier('premium', flag('Whether members cannot be added to projects of the group')),
    prevent_forking_outside_group: onTier('premium', Nullable(flag('Whether projects can be forked within the group only; null: no'))),
    shared_runners_setting: text(
      'Whether shared runners may be used: `enabled`, `disabled_and_overridable` or `disabled_and_unoverridable`',
    ),
    shared_runners_minutes_limit: onTier('premium', Nullable(integer('CI minutes of a month; null: as the instance says, 0: no limit'))),
    extra_shared_runners_minutes_limit: onTier('premium', Nullable(integer('Additional CI minutes; null where none were bought'))),
    marked_for_deletion_on: onTier('premium', Nullable(Day('Day on which it was marked for deletion; null where it is not'))),
  }),
  load: loadDetails,
  present: (row: GroupRow, { sharedGroups, runnersTokens }: Loaded, facts) => ({
    ...group(row, facts),
    shared_with_groups: sharedGroups.get(row.id) ?? [],
    ...(runnersTokens.has(row.id) ? { runners_token: (runnersTokens.get(row.id) as Secret).reveal() } : {}),
    membership_lock: row.membership_lock,
    prevent_forking_outside_group: row.prevent_forking_outside_group,
    shared_runners_setting: row.shared_runners_setting,
    shared_runners_minutes_limit: row.shared_runners_minutes_limit,
    extra_shared_runners_minutes_limit: row.extra_shared_runners_minutes_limit,
    marked_for_deletion_on: row.marked_for_deletion_on,
  }),
})
