/** Stars of projects (document 3 "Projects"). */

import { sql } from 'kysely'
import { showsActivity } from '../../identity/users/activity/private_profile.ts'
import { inUser } from '../../identity/users/scope.ts'
import { endpoint, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import { shortListParams } from '../projects/attributes/params.ts'
import { ProjectWithLicense, simpleOrFull } from '../projects/entity.ts'
import { projectsMatching } from '../projects/queries.ts'
import { inProject } from '../projects/scope.ts'
import * as commands from './commands.ts'
import { Starrer } from './entity.ts'
import { isStarredBy, starrersOf } from './queries.ts'

export const starProject = endpoint({
  route: 'POST /projects/:id/star',
  summary: 'Star a project',
  scope: inProject,
  can: 'star_project',
  // Contract: 304 if the requested state already holds; else the project with its licence (document 3 "Project").
  answers: one(ProjectWithLicense),
  errors: ['not_modified'],
  run: ctx => commands.starProject(ctx, ctx.project),
})

export const unstarProject = endpoint({
  route: 'POST /projects/:id/unstar',
  summary: 'Take one’s star from a project',
  scope: inProject,
  can: 'star_project',
  answers: one(ProjectWithLicense),
  errors: ['not_modified'],
  run: ctx => commands.unstarProject(ctx, ctx.project),
})

export const listStarrers = endpoint({
  route: 'GET /projects/:id/starrers',
  summary: 'List who has starred a project',
  scope: inProject,
  can: 'read_project',
  params: { search: optional(text('Part of the name or username', { maxLength: 255 })) },
  answers: pageOf(Starrer),
  run: ({ db, actor, project, params }) => starrersOf(db, actor, project.id, params.search),
})

export const listStarredProjects = endpoint({
  route: 'GET /users/:user_id/starred_projects',
  summary: 'List the projects that a user has starred',
  scope: inUser,
  can: 'read_user',
  params: shortListParams,
  answers: pageOf(simpleOrFull),
  run: ({ db, actor, user, params }) =>
    projectsMatching(db, actor, params).where(showsActivity(actor, user) ? isStarredBy(user.id) : sql<boolean>`false`),
})
