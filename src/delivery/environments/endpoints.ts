/** Environments of a project (document 2 "Environments"). */
import Type from 'typebox'
import { plain } from '../../platform/kernel/answer/entity.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { DateTime, described, Nullable, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { exclusive, type Rule } from '../../platform/kernel/request/params.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { stopWithAction } from '../job_deployments/stop.ts'
import * as commands from './commands.ts'
import { Environment } from './entity.ts'
import { EnvironmentInFull } from './full_entity.ts'
import { EnvironmentName } from './params.ts'
import { environmentsOf } from './queries.ts'
import { inEnvironment } from './scope.ts'
import { environmentMachine } from './states.ts'
import { deploymentTiers } from './tiers.ts'

const attributes = {
  external_url: Type.Optional(Nullable(Type.String({ maxLength: 255 }), { description: 'Where what is deployed can be seen' })),
  tier: Type.Optional(OneOf(deploymentTiers, { description: 'What it is for; as its name says unless given' })),
  slug: Type.Optional(Type.Unknown({ description: 'Refused: it is made from the name' })),
}

/** Contract: a request that sets the slug is refused with this message (public behaviour). */
const slugIsMade: Rule = {
  says: 'slug is not to be given',
  check: params => (params.slug === undefined ? undefined : { slug: ['is automatically generated and cannot be changed'] }),
}

export const listEnvironments = endpoint({
  route: 'GET /projects/:id/environments',
  summary: 'List the environments of a project',
  scope: inProject,
  can: 'read_environment',
  params: {
    name: optional(text('Exact name')),
    search: optional(text('Part of the name', { maxLength: 255 })),
    states: optional(OneOf(environmentMachine.states as ['available', 'stopped'], { description: 'Only environments in these states' })),
  },
  rules: [exclusive('name', 'search')],
  answers: pageOf(Environment),
  run: ({ db, project, params }) => environmentsOf(db, project.id, params),
})

export const getEnvironment = endpoint({
  route: 'GET /projects/:id/environments/:environment_id',
  summary: 'Get an environment with its last deployment',
  scope: inEnvironment,
  can: 'read_environment',
  answers: one(EnvironmentInFull),
  run: ({ environment }) => environment,
})

export const createEnvironment = endpoint({
  route: 'POST /projects/:id/environments',
  summary: 'Create an environment',
  scope: inProject,
  can: 'admin_environment',
  params: { name: EnvironmentName({ examples: ['review/fix-typo'] }), ...attributes },
  rules: [slugIsMade],
  answers: one(Environment),
  run: ctx => commands.createEnvironment(ctx, ctx.project, ctx.params),
})

export const updateEnvironment = endpoint({
  route: 'PUT /projects/:id/environments/:environment_id',
  summary: 'Change an environment',
  scope: inEnvironment,
  can: 'admin_environment',
  params: { name: optional(described('Name', EnvironmentName())), ...attributes },
  rules: [slugIsMade],
  answers: one(Environment),
  run: ctx => commands.updateEnvironment(ctx, ctx.project, ctx.environment, ctx.params),
})

export const removeEnvironment = endpoint({
  route: 'DELETE /projects/:id/environments/:environment_id',
  summary: 'Delete an environment with its deployments',
  scope: inEnvironment,
  can: 'admin_environment',
  answers: nothing,
  run: ctx => commands.removeEnvironment(ctx, ctx.project, ctx.environment),
})

export const stopEnvironment = endpoint({
  route: 'POST /projects/:id/environments/:environment_id/stop',
  summary: 'Stop an environment',
  scope: inEnvironment,
  can: 'admin_environment',
  // Decision 14.
  answers: one(Environment, 200),
  run: ctx => stopWithAction(ctx, ctx.project, ctx.environment),
})

// Newer than 14.0 as a part of the API; pages of the platform have long had it.
export const cancelAutoStop = endpoint({
  route: 'POST /projects/:id/environments/:environment_id/cancel_auto_stop',
  summary: 'Keep an environment that would be stopped by the clock',
  scope: inEnvironment,
  can: 'admin_environment',
  answers: one(EnvironmentInFull, 200),
  run: ctx => commands.cancelAutoStop(ctx, ctx.project, ctx.environment),
})

const Asked = plain('StaleStopAsked', Type.Object({ message: text('What happened, in words') }))

// Newer than 14.0; libraries of today call it.
export const stopStaleEnvironments = endpoint({
  route: 'POST /projects/:id/environments/stop_stale',
  summary: 'Stop the environments that were neither changed nor deployed to for long, in the background; not those that are protected',
  scope: inProject,
  can: 'admin_environment',
  params: { before: DateTime('The time since which they were not used: at least a week ago', { examples: ['2025-01-01T00:00:00Z'] }) },
  answers: one(Asked, 200),
  async run(ctx) {
    await commands.stopStale(ctx, ctx.project, new Date(ctx.params.before))
    return { message: '200 OK' }
  },
})
