/** Projects (document 3 "Projects"). */
import Type from 'typebox'
import { withCustomAttributesParam } from '../../identity/custom_attributes/params.ts'
import { UserSummary } from '../../identity/users/entity.ts'
import { inUser } from '../../identity/users/scope.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { CommaList, flag, integer, optional, text } from '../../platform/kernel/declaration/types.ts'
import { allMembersOf } from '../members/queries.ts'
import { inProjectPlace } from '../members/scope.ts'
import { projectAttributes, projectChanges, projectListParams, requestedFieldParams, userListParams } from './attributes/params.ts'
import * as commands from './commands.ts'
import { Project, ProjectWithLicense, simpleOrFull } from './entity.ts'
import * as deletion from './lifecycle/deletion.ts'
import * as transfer from './lifecycle/transfer.ts'
import { projectList } from './list.ts'
import { projectsMatching } from './queries.ts'
import { inProject } from './scope.ts'

export const listProjects = endpoint({
  route: 'GET /projects',
  summary: 'List the projects that the caller may see',
  scope: inInstance,
  can: 'read_instance',
  params: projectListParams,
  // Contract: offset pages end at 50,000 rows (document 1 "Limits"; decision 5).
  answers: pageOf(simpleOrFull, { cap: 50_000, keyset: 'projects.id' }),
  run: ({ db, actor, params }) => projectList(db, actor, params),
})

export const getProject = endpoint({
  route: 'GET /projects/:id',
  summary: 'Get a project',
  scope: inProject,
  can: 'read_project',
  params: { ...requestedFieldParams, ...withCustomAttributesParam },
  answers: one(simpleOrFull),
  run: ({ project }) => project,
})

export const createProject = endpoint({
  route: 'POST /projects',
  summary: 'Create a project',
  scope: inInstance,
  can: 'use_instance',
  params: {
    ...projectAttributes,
    namespace_id: optional(integer('The group or personal namespace to create it in; one’s own unless given')),
    initialize_with_readme: optional(flag('Begin with a commit that holds a README.md')),
    template_name: optional(
      text('A built-in project template, whose files the first commit has: `nodejs`, `python`, `go`, `rust`, `java` or `ruby`', {
        maxLength: 255,
      }),
    ),
  },
  answers: one(Project),
  errors: ['not_found', 'conflict'],
  run: ctx => commands.createProject(ctx, ctx.params),
})

export const createProjectForUser = endpoint({
  route: 'POST /projects/user/:user_id',
  summary: 'Create a project in the personal namespace of a user',
  scope: inUser,
  can: 'admin_user',
  params: { ...projectAttributes, initialize_with_readme: optional(flag('Creates the first commit, with a README')) },
  answers: one(Project),
  run: ctx => commands.createProject(ctx, ctx.params, ctx.user.id),
})

export const updateProject = endpoint({
  route: 'PUT /projects/:id',
  summary: 'Update a project',
  scope: inProject,
  can: 'admin_project',
  params: projectChanges,
  present: ({ project }) => ({ visibility: project.visibility, path: project.path, emails_disabled: project.emails_disabled }),
  answers: one(Project),
  errors: ['conflict'],
  writes: 'own',
  run: ctx => commands.updateProject(ctx, ctx.project, ctx.params),
})

export const deleteProject = endpoint({
  route: 'DELETE /projects/:id',
  summary: 'Delete a project',
  scope: inProject,
  can: 'remove_project',
  answers: nothing,
  run: ctx => deletion.deleteProject(ctx, ctx.project),
})

export const restoreProject = endpoint({
  route: 'POST /projects/:id/restore',
  summary: 'Restore a project that is marked for deletion',
  scope: inProject,
  can: 'remove_project',
  tier: 'premium',
  answers: one(Project),
  run: ctx => deletion.restoreProject(ctx, ctx.project),
})

export const archiveProject = endpoint({
  route: 'POST /projects/:id/archive',
  summary: 'Archive a project',
  scope: inProject,
  can: 'archive_project',
  answers: one(ProjectWithLicense),
  run: ctx => commands.setArchived(ctx, ctx.project, true),
})

export const unarchiveProject = endpoint({
  route: 'POST /projects/:id/unarchive',
  summary: 'Unarchive a project',
  scope: inProject,
  can: 'archive_project',
  answers: one(ProjectWithLicense),
  run: ctx => commands.setArchived(ctx, ctx.project, false),
})

export const transferProject = endpoint({
  route: 'PUT /projects/:id/transfer',
  summary: 'Move a project to another namespace',
  scope: inProject,
  can: 'transfer_project',
  params: {
    namespace: Type.Union([Type.Integer(), Type.String()], {
      description: 'ID or path of a group or personal namespace',
      examples: ['other-group'],
    }),
  },
  answers: one(Project),
  errors: ['conflict'],
  run: ctx => transfer.transferProject(ctx, ctx.project, String(ctx.params.namespace)),
})

export const listProjectUsers = endpoint({
  route: 'GET /projects/:id/users',
  summary: 'List the people of a project, those of the groups above included',
  scope: inProjectPlace,
  can: 'read_project_members',
  params: {
    search: optional(text('Part of the name or username', { maxLength: 255 })),
    skip_users: Type.Optional(CommaList(Type.Integer(), { maxItems: 1000, description: 'Not these users' })),
  },
  answers: pageOf(UserSummary),
  run: ({ db, place, params }) => allMembersOf(db, place, { query: params.search, skip_users: params.skip_users }),
})

export const listUserProjects = endpoint({
  route: 'GET /users/:user_id/projects',
  summary: 'List the projects that a user owns',
  scope: inUser,
  can: 'read_user',
  params: userListParams,
  answers: pageOf(simpleOrFull, { cap: 50_000, keyset: 'projects.id' }),
  run: ({ db, actor, user, params }) => projectsMatching(db, actor, params).where('namespaces.owner_id', '=', user.id),
})
