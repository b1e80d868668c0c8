/** Projects (document 3 "Projects"). */
import Type from 'typebox'
import { choice } from '../kernel/answer/entity.ts'
import { endpoint, nothing, one, pageOf } from '../kernel/endpoint.ts'
import { inInstance } from '../kernel/scope.ts'
import { inUser } from '../users/scope.ts'
import { createProject, setArchived, updateProject } from './commands.ts'
import { Project, SimpleProject } from './entity.ts'
import { projectAttributes, projectListParams } from './params.ts'
import { type ProjectRow, projectsMatching } from './queries.ts'
import { removeProject } from './removal.ts'
import { inProject } from './scope.ts'

/** Contract: whoever has not signed in gets the simple fields, `simple` or not (document 3). */
export const simpleOrFull = choice<ProjectRow>([Project, SimpleProject], ({ actor }, { simple }) =>
  simple || !actor.user ? SimpleProject : Project,
)

export const listProjects = endpoint({
  route: 'GET /projects',
  summary: 'List the projects that the caller may see',
  scope: inInstance,
  can: 'read_instance',
  params: projectListParams,
  // Contract: offset pages end at 50,000 rows (document 1 "Limits"; decision 5).
  answers: pageOf(simpleOrFull, { cap: 50_000, keyset: 'projects.id' }),
  run: ({ db, actor, params }) => projectsMatching(db, actor, params),
})

export const getProject = endpoint({
  route: 'GET /projects/:id',
  summary: 'Get a project',
  scope: inProject,
  can: 'read_project',
  answers: one(simpleOrFull),
  run: ({ project }) => project,
})

export const createProjectEndpoint = endpoint({
  route: 'POST /projects',
  summary: 'Create a project',
  scope: inInstance,
  can: 'use_instance',
  params: {
    ...projectAttributes,
    namespace_id: Type.Optional(Type.Integer({ description: 'The group or personal namespace to create it in; one’s own unless given' })),
    initialize_with_readme: Type.Optional(Type.Boolean({ description: 'Begin with a commit that holds a README.md' })),
  },
  answers: one(Project),
  run: ctx => createProject(ctx, ctx.params),
})

export const createProjectForUser = endpoint({
  route: 'POST /projects/user/:user_id',
  summary: 'Create a project in the personal namespace of a user',
  scope: inUser,
  can: 'admin_user',
  params: { ...projectAttributes, initialize_with_readme: Type.Optional(Type.Boolean()) },
  answers: one(Project),
  run: ctx => createProject(ctx, ctx.params, ctx.user.id),
})

export const updateProjectEndpoint = endpoint({
  route: 'PUT /projects/:id',
  summary: 'Update a project',
  scope: inProject,
  can: 'admin_project',
  params: projectAttributes,
  answers: one(Project),
  writes: 'own',
  run: ctx => updateProject(ctx, ctx.project, ctx.params),
})

export const deleteProject = endpoint({
  route: 'DELETE /projects/:id',
  summary: 'Delete a project',
  scope: inProject,
  can: 'remove_project',
  answers: nothing,
  run: ctx => removeProject(ctx, ctx.project),
})

export const archiveProject = endpoint({
  route: 'POST /projects/:id/archive',
  summary: 'Archive a project',
  scope: inProject,
  can: 'archive_project',
  answers: one(Project),
  run: ctx => setArchived(ctx, ctx.project, true),
})

export const unarchiveProject = endpoint({
  route: 'POST /projects/:id/unarchive',
  summary: 'Unarchive a project',
  scope: inProject,
  can: 'archive_project',
  answers: one(Project),
  run: ctx => setArchived(ctx, ctx.project, false),
})

export const listUserProjects = endpoint({
  route: 'GET /users/:user_id/projects',
  summary: 'List the projects that a user owns',
  scope: inUser,
  can: 'read_user',
  params: projectListParams,
  answers: pageOf(simpleOrFull, { cap: 50_000, keyset: 'projects.id' }),
  run: ({ db, actor, user, params }) => projectsMatching(db, actor, params).where('namespaces.owner_id', '=', user.id),
})
