/** Project aliases (document 3 "Project aliases"): short names of projects in git addresses, managed by administrators. */
import Type from 'typebox'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import * as commands from './commands.ts'
import { ProjectAlias } from './entity.ts'
import { projectAliases } from './queries.ts'
import { inProjectAlias } from './scope.ts'

export const listProjectAliases = endpoint({
  route: 'GET /project_aliases',
  summary: 'List the aliases of all projects',
  scope: inInstance,
  can: 'admin_instance',
  tier: 'premium',
  answers: pageOf(ProjectAlias),
  run: ({ db }) => projectAliases(db),
})

export const getProjectAlias = endpoint({
  route: 'GET /project_aliases/:name',
  summary: 'Get an alias',
  scope: inProjectAlias,
  can: 'admin_instance',
  tier: 'premium',
  answers: one(ProjectAlias),
  run: ({ alias }) => alias,
})

export const createProjectAlias = endpoint({
  route: 'POST /project_aliases',
  summary: 'Give a project an alias',
  scope: inInstance,
  can: 'admin_instance',
  tier: 'premium',
  params: {
    project_id: Type.Union([Type.Integer(), Type.String()], {
      description: 'ID or path of the project',
      examples: ['public-group/public-project'],
    }),
    name: text('The alias', { minLength: 1, maxLength: 255, examples: ['tool'] }),
  },
  answers: one(ProjectAlias),
  errors: ['not_found'],
  run: ctx => commands.createProjectAlias(ctx, String(ctx.params.project_id), ctx.params.name),
})

export const deleteProjectAlias = endpoint({
  route: 'DELETE /project_aliases/:name',
  summary: 'Take an alias away',
  scope: inProjectAlias,
  can: 'admin_instance',
  tier: 'premium',
  answers: nothing,
  run: ctx => commands.deleteProjectAlias(ctx, ctx.alias),
})
