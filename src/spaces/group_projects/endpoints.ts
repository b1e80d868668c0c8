/** The projects of a group (document 3 "Groups"), and the groups of a project. */
import Type, { type TProperties } from 'typebox'
import { withCustomAttributesParam } from '../../identity/custom_attributes/params.ts'
import { featureEnabled } from '../../platform/access/feature_flags.ts'
import { endpoint, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { CommaList, flag, integer, OneOf, type Options, onTier, optional, text } from '../../platform/kernel/declaration/types.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { Group, GroupDetails } from '../groups/entity.ts'
import { inGroup } from '../groups/scope.ts'
import { simpleOrFull } from '../projects/entity.ts'
import { transferProject } from '../projects/lifecycle/transfer.ts'
import { findProject, inProject } from '../projects/scope.ts'
import { groupDestinations, invitedGroups, invitedRelations, projectDestinations, shareLocations } from './destinations.ts'
import { GroupOfProject, groupsOfProject } from './groups_of_project.ts'
import { projectsOfGroup, projectsSharedWith } from './queries.ts'

const optionalFlag = (options: Options = {}) => Type.Optional(Type.Boolean(options))
const orders = ['id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at'] as const

/** The common parameters of both lists. */
const commonParams = {
  ...withCustomAttributesParam,
  archived: optional(flag('Only archived projects, or only others')),
  min_access_level: optional(integer('Only those where the caller has this level or more', { minimum: 0, maximum: 100 })),
  search: optional(text('Part of the name or path', { maxLength: 255 })),
  simple: optionalFlag({ description: 'Only the simple fields' }),
  sort: optional(OneOf(['asc', 'desc'], { description: '`asc` or `desc`' })),
  starred: optionalFlag({ description: 'Only projects that one has starred' }),
  visibility: optional(OneOf(['private', 'internal', 'public'], { description: 'Only projects with this visibility' })),
  with_issues_enabled: optional(flag('Only projects with issues')),
  with_merge_requests_enabled: optional(flag('Only projects with merge requests')),
} satisfies TProperties

export const listGroupProjects = endpoint({
  route: 'GET /groups/:id/projects',
  summary: 'List the projects of a group',
  scope: inGroup,
  can: 'read_group',
  params: {
    ...commonParams,
    include_subgroups: optionalFlag({ description: 'Those of the groups below it too' }),
    order_by: optional(OneOf([...orders, 'similarity'], { description: 'What the list is ordered by' })),
    owned: optionalFlag({ description: 'Only projects that one owns' }),
    with_security_reports: onTier('ultimate', optionalFlag({ description: 'Only projects with reports about security' })),
    with_shared: optionalFlag({ description: 'Those that are shared with it too (default)' }),
  },
  answers: pageOf(simpleOrFull),
  async run({ db, actor, group, params }) {
    // Contract: `similarity` does not exist while its flag is off (decision 49).
    if (params.order_by === 'similarity' && !(await featureEnabled(db, 'similarity_search', { user: actor.user, group })))
      throw invalid({ order_by: ['does not have a valid value'] })
    return projectsOfGroup(db, actor, group, params)
  },
})

export const listSharedProjects = endpoint({
  route: 'GET /groups/:id/projects/shared',
  summary: 'List the projects that are shared with a group',
  scope: inGroup,
  can: 'read_group',
  // Contract: `similarity` is refused here (decision 49).
  params: { ...commonParams, order_by: optional(OneOf(orders, { description: 'What the list is ordered by' })) },
  answers: pageOf(simpleOrFull),
  run: ({ db, actor, group, params }) => projectsSharedWith(db, actor, group, params),
})

export const listGroupsOfProject = endpoint({
  route: 'GET /projects/:id/groups',
  summary: 'List the groups that hold a project, and those it is shared with',
  scope: inProject,
  can: 'read_project',
  params: {
    search: optional(text('Part of the name or path', { maxLength: 255 })),
    skip_groups: Type.Optional(CommaList(Type.Integer(), { maxItems: 1000, description: 'Not these groups' })),
    with_shared: optional(flag('Those it is shared with too')),
    shared_min_access_level: optional(integer('Only shares with at least this level', { minimum: 0, maximum: 100 })),
  },
  answers: pageOf(GroupOfProject),
  run: ({ db, actor, project, params }) => groupsOfProject(db, actor, project, params),
})

export const transferProjectIntoGroup = endpoint({
  route: 'POST /groups/:id/projects/:project_id',
  summary: 'Move a project into a group',
  scope: inGroup,
  // Contract: administrators alone; others move a project from the project’s side (groups API at 14.0).
  can: 'move_projects_into_group',
  params: { project_id: text('ID or URL-encoded full path of a project') },
  answers: one(GroupDetails),
  errors: ['conflict'],
  async run(ctx) {
    await transferProject(ctx, await findProject(ctx.db, ctx.actor, ctx.params.project_id), String(ctx.group.id))
    return ctx.group
  },
})

const searchParam = { search: optional(text('Part of the name or path', { maxLength: 255 })) }

const invitedParams = {
  ...searchParam,
  min_access_level: optional(integer('Only groups where the caller has this level or more', { minimum: 0, maximum: 100 })),
  relation: Type.Optional(
    CommaList(OneOf(invitedRelations), { maxItems: 2, description: 'Those that it is shared with itself, or by a group around it' }),
  ),
} satisfies TProperties

export const listInvitedGroupsOfProject = endpoint({
  route: 'GET /projects/:id/invited_groups',
  summary: 'List the groups that a project is shared with',
  scope: inProject,
  can: 'read_project',
  params: invitedParams,
  answers: pageOf(Group),
  run: ({ db, actor, project, params }) => invitedGroups(db, actor, { project_id: project.id }, project.namespace_traversal_ids, params),
})

export const listInvitedGroupsOfGroup = endpoint({
  route: 'GET /groups/:id/invited_groups',
  summary: 'List the groups that a group is shared with',
  scope: inGroup,
  can: 'read_group',
  params: invitedParams,
  answers: pageOf(Group),
  run: ({ db, actor, group, params }) => invitedGroups(db, actor, { namespace_id: group.id }, group.traversal_ids.slice(0, -1), params),
})

export const listShareLocations = endpoint({
  route: 'GET /projects/:id/share_locations',
  summary: 'List the groups that a project can be shared with',
  scope: inProject,
  can: 'admin_project',
  params: searchParam,
  answers: pageOf(GroupOfProject),
  run: ({ db, actor, project, params }) =>
    shareLocations(db, actor, { project_id: project.id }, project.namespace_traversal_ids, params.search),
})

export const listProjectTransferLocations = endpoint({
  route: 'GET /projects/:id/transfer_locations',
  summary: 'List the groups that a project can be moved to',
  scope: inProject,
  can: 'transfer_project',
  params: searchParam,
  answers: pageOf(GroupOfProject),
  run: ({ db, actor, project, params }) => projectDestinations(db, actor, project.namespace_id, params.search),
})

export const listGroupTransferLocations = endpoint({
  route: 'GET /groups/:id/transfer_locations',
  summary: 'List the groups that a group can be moved to',
  scope: inGroup,
  can: 'admin_group',
  params: searchParam,
  answers: pageOf(GroupOfProject),
  run: ({ db, actor, group, params }) => groupDestinations(db, actor, group, params.search),
})
