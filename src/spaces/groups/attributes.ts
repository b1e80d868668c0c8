/** The parameters that POST and PUT of groups share (document 3 "Groups"). */
import type { TProperties } from 'typebox'
import { avatarParam } from '../../identity/avatars/params.ts'
import { flag, integer, Nullable, OneOf, onTier, optional, text } from '../../platform/kernel/declaration/types.ts'

/** The attributes of a group. */
export const groupAttributes = {
  ...avatarParam,
  description: optional(text('Description', { maxLength: 500 })),
  visibility: optional(OneOf(['private', 'internal', 'public'], { description: 'Who may see it: `private`, `internal` or `public`' })),
  share_with_group_lock: optional(flag('Whether projects of the group cannot be shared with other groups')),
  require_two_factor_authentication: optional(flag('Whether members of the group and of its subgroups must have a second factor')),
  two_factor_grace_period: optional(
    integer('Hours that they have for setting it up, from their first visit on', { minimum: 0, maximum: 100_000 }),
  ),
  shared_runners_setting: optional(
    OneOf(['enabled', 'disabled_with_override', 'disabled_and_unoverridable'], {
      description: 'Whether shared runners may be used: `enabled`, `disabled_with_override` or `disabled_and_unoverridable`',
    }),
  ),
  project_creation_level: optional(
    OneOf(['noone', 'maintainer', 'developer'], { description: 'Who may create projects: `noone`, `maintainer` or `developer`' }),
  ),
  subgroup_creation_level: optional(OneOf(['owner', 'maintainer'], { description: 'Who may create subgroups: `owner` or `maintainer`' })),
  auto_devops_enabled: optional(flag('Whether Auto DevOps is on')),
  emails_disabled: optional(flag('Whether email notifications are off')),
  mentions_disabled: optional(flag('Whether the group cannot be mentioned')),
  lfs_enabled: optional(flag('Whether Git LFS is on')),
  request_access_enabled: optional(flag('Whether users may request access')),
  default_branch_protection: optional(
    integer('Protection of default branches of new projects: 0 none, 1 partial, 2 full, 3 push by Maintainers', { minimum: 0, maximum: 3 }),
  ),
  membership_lock: onTier('premium', optional(flag('Whether members cannot be added to projects of the group'))),
  prevent_forking_outside_group: onTier('premium', optional(flag('Whether projects can be forked within the group only'))),
  // Contract: may be null again (decision 53).
  file_template_project_id: onTier('premium', optional(Nullable(integer('ID of the project with templates of files')))),
  shared_runners_minutes_limit: onTier('premium', optional(integer('CI minutes of a month', { minimum: 0, maximum: 2_147_483_647 }))),
  extra_shared_runners_minutes_limit: onTier('premium', optional(integer('Additional CI minutes', { minimum: 0, maximum: 2_147_483_647 }))),
} satisfies TProperties
