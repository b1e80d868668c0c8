/** A group as JSON (document 3 "Group"). */
import Type from 'typebox'
import { entity } from '../kernel/answer/entity.ts'
import type { Facts } from '../kernel/context.ts'
import { DateTime, Day, Nullable, onTier } from '../kernel/types.ts'
import type { GroupRow } from './queries.ts'

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

/** A single group, with what only details show. */
export const GroupDetails = entity({
  name: 'GroupDetails',
  schema: Type.Object({
    ...groupFields,
    membership_lock: onTier('premium', Type.Boolean()),
    prevent_forking_outside_group: onTier('premium', Nullable(Type.Boolean())),
    shared_runners_setting: Type.String(),
    shared_runners_minutes_limit: onTier('premium', Nullable(Type.Integer())),
    extra_shared_runners_minutes_limit: onTier('premium', Nullable(Type.Integer())),
    marked_for_deletion_on: onTier('premium', Nullable(Day())),
  }),
  present: (row: GroupRow, _loaded: undefined, facts) => ({
    ...group(row, facts),
    membership_lock: row.membership_lock,
    prevent_forking_outside_group: row.prevent_forking_outside_group,
    shared_runners_setting: row.shared_runners_setting,
    shared_runners_minutes_limit: row.shared_runners_minutes_limit,
    extra_shared_runners_minutes_limit: row.extra_shared_runners_minutes_limit,
    marked_for_deletion_on: row.marked_for_deletion_on,
  }),
})
