/**
 * What job tokens reach (job token scope API, added after 14.0). A job token acts as the user of the job, never
 * as an administrator. It always reaches its own project. Other projects are subject to these settings:
 *
 * - `inbound_enabled` of a project: jobs of another project reach it only where that project, or a group above it, is on its allowlist.
 * - `outbound_enabled` of a project: its jobs reach only what is on its outbound allowlist. `ci_job_token_scope_enabled` of the project or
 *   the feature flag `ci_job_token_scope` switches it on.
 *
 * Both are off by default. A private or internal project out of reach is 404 for the token; a public one is readable as it is
 * for anonymous callers. Bridges (`trigger: project`) and `needs` of other projects have the same reach; an `include` has that of the user.
 */
import Type from 'typebox'
import { isConfined } from '../../platform/access/credentials/credentials.ts'
import { plain } from '../../platform/kernel/answer/entity.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { flag, integer, OneOf } from '../../platform/kernel/declaration/types.ts'
import { Group } from '../../spaces/groups/entity.ts'
import { setInboundJobTokenScope } from '../../spaces/projects/commands.ts'
import { SimpleProject } from '../../spaces/projects/entity.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { listGroup, listProject, unlistGroup, unlistProject } from './commands.ts'
import { directions, listedGroups, listedProjects } from './queries.ts'
import { inListedGroup, inListedProject } from './scope.ts'

const path = '/projects/:id/job_token_scope' as const

const direction = OneOf(directions, {
  default: 'inbound',
  description: '`inbound`: whose jobs reach the project; `outbound`: what the jobs of the project reach',
})

export const getJobTokenScope = endpoint({
  route: `GET ${path}`,
  summary: 'Tell whether the reach of job tokens is limited, to a project and from it',
  scope: inProject,
  can: 'admin_project',
  answers: one(
    plain(
      'JobTokenScope',
      Type.Object({
        inbound_enabled: flag('Whether job tokens of other projects reach this project only if they are listed'),
        outbound_enabled: flag('Whether job tokens of this project reach only listed projects'),
      }),
    ),
  ),
  run: async ({ db, project }) => ({
    inbound_enabled: project.ci_inbound_job_token_scope_enabled,
    outbound_enabled: await isConfined(db, project.id),
  }),
})

export const updateJobTokenScope = endpoint({
  route: `PATCH ${path}`,
  summary: 'Limit the job tokens of other projects to those on the allowlist of a project, or end that',
  scope: inProject,
  can: 'admin_project',
  params: { enabled: flag('Whether the limit holds (`inbound_enabled`)', { examples: [true] }) },
  answers: nothing,
  run: ctx => setInboundJobTokenScope(ctx, ctx.project, ctx.params.enabled),
})

export const listAllowedProjects = endpoint({
  route: `GET ${path}/allowlist`,
  summary: 'List the projects that the job token scope of a project names, itself included',
  scope: inProject,
  can: 'admin_project',
  params: { direction },
  answers: pageOf(SimpleProject),
  run: ({ db, project, params }) => listedProjects(db, project.id, params.direction),
})

export const addAllowedProject = endpoint({
  route: `POST ${path}/allowlist`,
  summary: 'Add a project to the job token scope of a project',
  scope: inProject,
  can: 'admin_project',
  params: { target_project_id: integer('ID of the project', { examples: [1] }), direction },
  answers: one(
    plain(
      'JobTokenScopeProject',
      Type.Object({ source_project_id: integer('ID of the source project'), target_project_id: integer('ID of the target project') }),
    ),
  ),
  run: ctx => listProject(ctx, ctx.project, ctx.params),
})

export const removeAllowedProject = endpoint({
  route: `DELETE ${path}/allowlist/:target_project_id`,
  summary: 'Remove a project from the job token scope of a project',
  scope: inListedProject,
  can: 'admin_project',
  params: { direction },
  answers: nothing,
  run: ctx => unlistProject(ctx, ctx.project, ctx.targetId, ctx.params.direction),
})

export const listAllowedGroups = endpoint({
  route: `GET ${path}/groups_allowlist`,
  summary: 'List the groups whose jobs the job token scope of a project lets in',
  scope: inProject,
  can: 'admin_project',
  answers: pageOf(Group),
  run: ({ db, project }) => listedGroups(db, project.id),
})

export const addAllowedGroup = endpoint({
  route: `POST ${path}/groups_allowlist`,
  summary: 'Let the jobs of a group and of the groups below it in to a project',
  scope: inProject,
  can: 'admin_project',
  params: { target_group_id: integer('ID of the group', { examples: [1] }) },
  answers: one(
    plain(
      'JobTokenScopeGroup',
      Type.Object({ source_project_id: integer('ID of the source project'), target_group_id: integer('ID of the target group') }),
    ),
  ),
  run: ctx => listGroup(ctx, ctx.project, ctx.params.target_group_id),
})

export const removeAllowedGroup = endpoint({
  route: `DELETE ${path}/groups_allowlist/:target_group_id`,
  summary: 'Let the jobs of a group in to a project no longer',
  scope: inListedGroup,
  can: 'admin_project',
  answers: nothing,
  run: ctx => unlistGroup(ctx, ctx.project, ctx.target),
})
