/** Groups (document 3 "Groups"). */
import Type, { type TProperties } from 'typebox'
import { orWithCustomAttributes } from '../../identity/custom_attributes/entity.ts'
import { customAttributeParams, withCustomAttributesParam } from '../../identity/custom_attributes/params.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import { choice } from '../../platform/kernel/answer/entity.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { CommaList, flag, integer, OneOf, optional, requiresAbility, text } from '../../platform/kernel/declaration/types.ts'
import { groupAttributes } from './attributes.ts'
import * as commands from './commands.ts'
import { detailsOrWithProjects } from './details.ts'
import { Group, GroupDetails, GroupWithStatistics } from './entity.ts'
import * as deletion from './lifecycle/deletion.ts'
import { descendantsOf, type GroupRow, groupList, subgroupsOf } from './queries.ts'
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
  run: ({ db, actor, params }) => groupList(db, actor, params),
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
    ...groupAttributes,
    // Only administrators set minute limits.
    shared_runners_minutes_limit: requiresAbility('admin_instance', groupAttributes.shared_runners_minutes_limit, 'ignored'),
    extra_shared_runners_minutes_limit: requiresAbility('admin_instance', groupAttributes.extra_shared_runners_minutes_limit, 'ignored'),
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
    ...groupAttributes,
    // Only administrators set minute limits.
    shared_runners_minutes_limit: requiresAbility('admin_group_minutes', groupAttributes.shared_runners_minutes_limit, 'ignored'),
    extra_shared_runners_minutes_limit: requiresAbility(
      'admin_group_minutes',
      groupAttributes.extra_shared_runners_minutes_limit,
      'ignored',
    ),
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
  run: ctx => deletion.deleteGroup(ctx, ctx.group),
})

export const restoreGroup = endpoint({
  route: 'POST /groups/:id/restore',
  summary: 'Restore a group that is marked for deletion',
  scope: inGroup,
  can: 'admin_group',
  tier: 'premium',
  answers: one(GroupDetails),
  run: ctx => deletion.restoreGroup(ctx, ctx.group),
})
