/** Groups (document 3 "Groups"). */
import Type, { type TProperties } from 'typebox'
import { avatarParam } from '../../identity/avatars/params.ts'
import { orWithCustomAttributes } from '../../identity/custom_attributes/entity.ts'
import { customAttributeParams, withCustomAttributesParam } from '../../identity/custom_attributes/params.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import { choice } from '../../platform/kernel/answer/entity.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import {
  CommaList,
  flag,
  integer,
  Nullable,
  OneOf,
  onTier,
  optional,
  requiresAbility,
  text,
} from '../../platform/kernel/declaration/types.ts'
import * as commands from './commands.ts'
import { detailsOrWithProjects } from './details.ts'
import { Group, GroupDetails, GroupWithStatistics } from './entity.ts'
import { descendantsOf, type GroupRow, groupsMatching, subgroupsOf } from './queries.ts'
import { removeGroup } from './removal.ts'
import { inGroup } from './scope.ts'

const listParams = {
  ...customAttributeParams,
  skip_groups: Type.Optional(CommaList(Type.Integer(), { description: 'Leave these groups out' })),
  all_available: optional(flag('All groups one may see, not only one’s own')),
  search: optional(text('Part of the name or path', { maxLength: 255 })),
  order_by: optional(OneOf(['name', 'path', 'id'], { description: 'What the list is ordered by' })),
  sort: optional(OneOf(['asc', 'desc'], { description: '`asc` or `desc`' })),
  owned: optional(flag('Only groups that one owns')),
  min_access_level: optional(integer('Only groups where one has at least this access level', { minimum: 0, maximum: 100 })),
  statistics: optional(flag('With what their projects store; administrators only')),
} satisfies TProperties

const attributes = {
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

// Contract: `statistics` does not exist for users other than administrators (document 3; decision 48).
const group = orWithCustomAttributes<GroupRow>(
  'namespace_id',
  choice([Group, GroupWithStatistics], ({ actor }, { statistics }) => (statistics && isAdmin(actor) ? GroupWithStatistics : Group)),
)
const groupDetails = orWithCustomAttributes<GroupRow>('namespace_id', detailsOrWithProjects)

export const listGroups = endpoint({
  route: 'GET /groups',
  summary: 'List the groups that the caller may see',
  scope: inInstance,
  can: 'read_instance',
  params: { ...listParams, top_level_only: optional(flag('Only groups without a parent')) },
  answers: pageOf(group),
  run: ({ db, actor, params }) => groupsMatching(db, actor, params),
})

export const getGroup = endpoint({
  route: 'GET /groups/:id',
  summary: 'Get a group',
  scope: inGroup,
  can: 'read_group',
  params: {
    ...withCustomAttributesParam,
    with_projects: optional(flag('With its projects, 100 at most (default)', { deprecated: true })),
  },
  answers: one(groupDetails),
  run: ({ group }) => group,
})

export const listSubgroups = endpoint({
  route: 'GET /groups/:id/subgroups',
  summary: 'List the groups directly below a group',
  scope: inGroup,
  can: 'read_group',
  params: listParams,
  answers: pageOf(group),
  run: ({ db, actor, group, params }) => subgroupsOf(db, actor, group.id, params),
})

export const listDescendantGroups = endpoint({
  route: 'GET /groups/:id/descendant_groups',
  summary: 'List the groups below a group at any depth',
  scope: inGroup,
  can: 'read_group',
  params: listParams,
  answers: pageOf(group),
  run: ({ db, actor, group, params }) => descendantsOf(db, actor, group.id, params),
})

export const createGroup = endpoint({
  route: 'POST /groups',
  summary: 'Create a group',
  scope: inInstance,
  can: 'use_instance',
  params: {
    name: text('Name of the group', { minLength: 1, maxLength: 255, examples: ['Blue team'] }),
    path: text('Last part of the path', { minLength: 1, maxLength: 255, examples: ['blue-team'] }),
    parent_id: optional(integer('The group to create it in')),
    ...attributes,
    // Only administrators set minute limits.
    shared_runners_minutes_limit: requiresAbility('admin_instance', attributes.shared_runners_minutes_limit, 'ignored'),
    extra_shared_runners_minutes_limit: requiresAbility('admin_instance', attributes.extra_shared_runners_minutes_limit, 'ignored'),
  },
  answers: one(GroupDetails),
  errors: ['not_found', 'conflict'],
  run: ctx => commands.createGroup(ctx, ctx.params),
})

export const updateGroup = endpoint({
  route: 'PUT /groups/:id',
  summary: 'Update a group',
  scope: inGroup,
  can: 'admin_group',
  params: {
    name: optional(text('Name of the group', { minLength: 1, maxLength: 255 })),
    path: optional(text('Last part of the path', { minLength: 1, maxLength: 255 })),
    ...attributes,
    // Only administrators set minute limits.
    shared_runners_minutes_limit: requiresAbility('admin_group_minutes', attributes.shared_runners_minutes_limit, 'ignored'),
    extra_shared_runners_minutes_limit: requiresAbility('admin_group_minutes', attributes.extra_shared_runners_minutes_limit, 'ignored'),
  },
  answers: one(detailsOrWithProjects),
  errors: ['conflict'],
  run: ctx => commands.updateGroup(ctx, ctx.group, ctx.params),
})

export const transferGroup = endpoint({
  route: 'POST /groups/:id/transfer',
  summary: 'Move a group into another group, or to the top',
  scope: inGroup,
  can: 'admin_group',
  params: { group_id: optional(integer('The group to move it into; to the top unless given')) },
  answers: one(GroupDetails),
  run: ctx => commands.transferGroup(ctx, ctx.group, ctx.params.group_id),
})

export const deleteGroup = endpoint({
  route: 'DELETE /groups/:id',
  summary: 'Delete a group with everything in it',
  scope: inGroup,
  can: 'admin_group',
  answers: nothing,
  run: ctx => removeGroup(ctx, ctx.group),
})
