/** A group as JSON (document 3 "Group"). */

import Type from 'typebox'
import { idsOf } from '../../identity/users/queries.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../platform/kernel/context.ts'
import { DateTime, Day, Nullable, onTier } from '../../platform/kernel/types.ts'
import type { Secret } from '../../platform/secret.ts'
import { runnersTokensOf } from '../runners_tokens/commands.ts'
import { sharedWithGroups } from '../shares/entity.ts'
import { type SharedGroup, sharedGroupsOf } from '../shares/queries.ts'
import { type GroupRow, type GroupStatistics, ownedAmong, statisticsByGroup } from './queries.ts'

const groupFields = {
  id: Type.Integer(),
  web_url: Type.String(),
  name: Type.String(),
  path: Type.String(),
  description: Type.String(),
  visibility: Type.String(),
  share_with_group_lock: Type.Boolean(),
  require_two_factor_authentication: Type.Boolean(),
  two_factor_grace_period: Type.Integer(),
  project_creation_level: Type.String(),
  auto_devops_enabled: Nullable(Type.Boolean()),
  subgroup_creation_level: Type.String(),
  emails_disabled: Nullable(Type.Boolean()),
  mentions_disabled: Nullable(Type.Boolean()),
  lfs_enabled: Type.Boolean(),
  default_branch_protection: Type.Integer(),
  avatar_url: Nullable(Type.String()),
  request_access_enabled: Type.Boolean(),
  full_name: Type.String(),
  full_path: Type.String(),
  created_at: DateTime(),
  parent_id: Nullable(Type.Integer()),
  file_template_project_id: onTier('premium', Nullable(Type.Integer())),
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
  storage_size: Type.Integer(),
  repository_size: Type.Integer(),
  wiki_size: Type.Integer(),
  lfs_objects_size: Type.Integer(),
  job_artifacts_size: Type.Integer(),
  packages_size: Type.Integer(),
  snippets_size: Type.Integer(),
}

/** A group with the storage statistics of its whole tree, for administrators on request. */
export const GroupWithStatistics = entity({
  name: 'GroupWithStatistics',
  schema: Type.Object({ ...groupFields, statistics: Type.Object(sizes) }),
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
    shared_with_groups: sharedWithGroups,
    runners_token: Type.Optional(Type.String()),
    membership_lock: onTier('premium', Type.Boolean()),
    prevent_forking_outside_group: onTier('premium', Nullable(Type.Boolean())),
    shared_runners_setting: Type.String(),
    shared_runners_minutes_limit: onTier('premium', Nullable(Type.Integer())),
    extra_shared_runners_minutes_limit: onTier('premium', Nullable(Type.Integer())),
    marked_for_deletion_on: onTier('premium', Nullable(Day())),
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
