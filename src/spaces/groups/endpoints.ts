/** Groups (document 3 "Groups"). */
import Type, { type TProperties } from 'typebox'
import { avatarParam } from '../../identity/avatars/params.ts'
import { orWithCustomAttributes } from '../../identity/custom_attributes/entity.ts'
import { customAttributeParams, withCustomAttributesParam } from '../../identity/custom_attributes/params.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import { choice } from '../../platform/kernel/answer/entity.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/endpoint.ts'
import { inInstance } from '../../platform/kernel/scope.ts'
import { CommaList, Nullable, OneOf, onTier, takes } from '../../platform/kernel/types.ts'
import { createGroup, transferGroup, updateGroup } from './commands.ts'
import { detailsOrWithProjects } from './details.ts'
import { Group, GroupDetails, GroupWithStatistics } from './entity.ts'
import { descendantsOf, type GroupRow, groupsMatching, subgroupsOf } from './queries.ts'
import { removeGroup } from './removal.ts'
import { inGroup } from './scope.ts'

const listParams = {
  ...customAttributeParams,
  skip_groups: Type.Optional(CommaList(Type.Integer(), { description: 'Leave these groups out' })),
  all_available: Type.Optional(Type.Boolean({ description: 'All groups one may see, not only one’s own' })),
  search: Type.Optional(Type.String({ maxLength: 255, description: 'Part of the name or path' })),
  order_by: Type.Optional(OneOf(['name', 'path', 'id'])),
  sort: Type.Optional(OneOf(['asc', 'desc'])),
  owned: Type.Optional(Type.Boolean({ description: 'Only groups that one owns' })),
  min_access_level: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 100, description: 'Only groups where one has at least this access level' }),
  ),
  statistics: Type.Optional(Type.Boolean({ description: 'With what their projects store; administrators only' })),
} satisfies TProperties

const attributes = {
  ...avatarParam,
  description: Type.Optional(Type.String({ maxLength: 500 })),
  visibility: Type.Optional(OneOf(['private', 'internal', 'public'])),
  share_with_group_lock: Type.Optional(Type.Boolean()),
  require_two_factor_authentication: Type.Optional(Type.Boolean()),
  two_factor_grace_period: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
  shared_runners_setting: Type.Optional(OneOf(['enabled', 'disabled_with_override', 'disabled_and_unoverridable'])),
  project_creation_level: Type.Optional(OneOf(['noone', 'maintainer', 'developer'])),
  subgroup_creation_level: Type.Optional(OneOf(['owner', 'maintainer'])),
  auto_devops_enabled: Type.Optional(Type.Boolean()),
  emails_disabled: Type.Optional(Type.Boolean()),
  mentions_disabled: Type.Optional(Type.Boolean()),
  lfs_enabled: Type.Optional(Type.Boolean()),
  request_access_enabled: Type.Optional(Type.Boolean()),
  default_branch_protection: Type.Optional(Type.Integer({ minimum: 0, maximum: 3 })),
  membership_lock: onTier('premium', Type.Optional(Type.Boolean())),
  prevent_forking_outside_group: onTier('premium', Type.Optional(Type.Boolean())),
  // Contract: may be null again (decision 53).
  file_template_project_id: onTier('premium', Type.Optional(Nullable(Type.Integer()))),
  shared_runners_minutes_limit: onTier('premium', Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 }))),
  extra_shared_runners_minutes_limit: onTier('premium', Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 }))),
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
  params: { ...listParams, top_level_only: Type.Optional(Type.Boolean({ description: 'Only groups without a parent' })) },
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
    with_projects: Type.Optional(Type.Boolean({ description: 'With its projects, 100 at most (default)', deprecated: true })),
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

export const createGroupEndpoint = endpoint({
  route: 'POST /groups',
  summary: 'Create a group',
  scope: inInstance,
  can: 'use_instance',
  params: {
    name: Type.String({ minLength: 1, maxLength: 255, examples: ['Blue team'] }),
    path: Type.String({ minLength: 1, maxLength: 255, examples: ['blue-team'] }),
    parent_id: Type.Optional(Type.Integer({ description: 'The group to create it in' })),
    ...attributes,
  },
  answers: one(GroupDetails),
  run: ctx => createGroup(ctx, ctx.params),
})

export const updateGroupEndpoint = endpoint({
  route: 'PUT /groups/:id',
  summary: 'Update a group',
  scope: inGroup,
  can: 'admin_group',
  params: {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    path: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    ...attributes,
    // Only administrators set minute limits.
    shared_runners_minutes_limit: takes('admin_group_minutes', attributes.shared_runners_minutes_limit, 'ignored'),
    extra_shared_runners_minutes_limit: takes('admin_group_minutes', attributes.extra_shared_runners_minutes_limit, 'ignored'),
  },
  answers: one(detailsOrWithProjects),
  run: ctx => updateGroup(ctx, ctx.group, ctx.params),
})

export const transferGroupEndpoint = endpoint({
  route: 'POST /groups/:id/transfer',
  summary: 'Move a group into another group, or to the top',
  scope: inGroup,
  can: 'admin_group',
  params: { group_id: Type.Optional(Type.Integer({ description: 'The group to move it into; to the top unless given' })) },
  answers: one(GroupDetails),
  run: ctx => transferGroup(ctx, ctx.group, ctx.params.group_id),
})

export const deleteGroup = endpoint({
  route: 'DELETE /groups/:id',
  summary: 'Delete a group with everything in it',
  scope: inGroup,
  can: 'admin_group',
  answers: nothing,
  run: ctx => removeGroup(ctx, ctx.group),
})
