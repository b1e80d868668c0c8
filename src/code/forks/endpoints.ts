/** Forks of projects (document 3 "Projects": fork, forks and the relation between them). */
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { shortListParams } from '../../spaces/projects/attributes/params.ts'
import { Project, simpleOrFull } from '../../spaces/projects/entity.ts'
import { projectsMatching } from '../../spaces/projects/queries.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import * as commands from './commands.ts'
import { forkParams } from './params.ts'
import { isForkOf } from './queries.ts'
import { inForkSource } from './scope.ts'

export const forkProject = endpoint({
  route: 'POST /projects/:id/fork',
  summary: 'Fork a project; its repository is copied in the background',
  scope: inProject,
  can: 'fork_project',
  params: forkParams,
  answers: one(Project),
  errors: ['conflict'],
  run: ctx => commands.forkProject(ctx, ctx.project, ctx.params),
})

export const listForks = endpoint({
  route: 'GET /projects/:id/forks',
  summary: 'List the forks of a project that the caller may see',
  scope: inProject,
  can: 'read_project',
  params: shortListParams,
  answers: pageOf(simpleOrFull),
  run: ({ db, actor, project, params }) => projectsMatching(db, actor, params).where(isForkOf(project.id)),
})

export const linkFork = endpoint({
  route: 'POST /projects/:id/fork/:forked_from_id',
  summary: 'Make a project a fork of another one',
  scope: inForkSource,
  can: 'admin_project',
  answers: one(Project),
  errors: ['conflict'],
  run: ctx => commands.linkFork(ctx, ctx.project, ctx.source),
})

export const unlinkFork = endpoint({
  route: 'DELETE /projects/:id/fork',
  summary: 'Remove the fork relation of a project',
  scope: inProject,
  can: 'remove_fork_relation',
  answers: nothing,
  errors: ['not_modified'],
  run: ctx => commands.unlinkFork(ctx, ctx.project),
})
