/** Feature flags: list and set them (features API of the v4 level 14.0). */
import Type from 'typebox'
import { flags } from '../../platform/access/feature_flags.ts'
import { slicesOf } from '../../platform/kernel/answer/page.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance, scope } from '../../platform/kernel/declaration/scope.ts'
import { CommaList, flag, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import * as commands from './commands.ts'
import { definitionOf, Feature, FeatureDefinition } from './entity.ts'
import { features } from './queries.ts'

/** `:name` is a flag, known or not: any can be set. */
export const inFeature = scope({
  name: 'inFeature',
  path: { name: text('Name of a feature flag', { maxLength: 255 }) },
  load: async (_ctx, { name }) => ({ name }),
  subject: () => ({ on: 'instance' as const }),
})

const names = (description: string) => Type.Optional(CommaList(Type.String({ maxLength: 1_000 }), { maxItems: 100, description }))

export const listFeatures = endpoint({
  route: 'GET /features',
  summary: 'List the feature flags that were set',
  scope: inInstance,
  can: 'admin_instance',
  answers: pageOf(Feature),
  run: ({ db }) => features(db),
})

export const listFeatureDefinitions = endpoint({
  route: 'GET /features/definitions',
  summary: 'List the feature flags that this server asks about',
  scope: inInstance,
  can: 'admin_instance',
  answers: pageOf(FeatureDefinition),
  run: () => slicesOf(Object.keys(flags).flatMap(name => definitionOf(name) ?? [])),
})

export const setFeature = endpoint({
  route: 'POST /features/:name',
  summary: 'Set a feature flag, for everybody or for some',
  scope: inFeature,
  can: 'admin_instance',
  params: {
    value: Type.Union([Type.Integer({ minimum: 0, maximum: 100 }), Type.Boolean()], {
      description: '`true`, `false`, or a percentage',
      examples: ['true'],
    }),
    key: Type.Optional(
      OneOf(['percentage_of_time', 'percentage_of_actors'], { description: 'What a percentage is of; of the time unless given' }),
    ),
    feature_group: optional(text('Name of a feature group', { maxLength: 255 })),
    user: names('Usernames'),
    group: names('Full paths of groups'),
    project: names('Full paths of projects'),
    force: optional(flag('Accepted: flags that this server does not ask about can be set anyway')),
  },
  answers: one(Feature),
  run(ctx) {
    const { force: _, ...setting } = ctx.params
    return commands.setFeature(ctx, ctx.name, setting)
  },
})

export const removeFeature = endpoint({
  route: 'DELETE /features/:name',
  summary: 'Forget what a feature flag was set to',
  scope: inFeature,
  can: 'admin_instance',
  answers: nothing,
  run: ctx => commands.removeFeature(ctx, ctx.name),
})
