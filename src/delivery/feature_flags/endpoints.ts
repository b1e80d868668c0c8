/** Feature flags of projects (feature flags API at 14.0). Those of the instance itself are in `src/spaces/features`. */
import Type from 'typebox'
import { endpoint, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { flag, integer, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import * as commands from './commands.ts'
import { FeatureFlag } from './entity.ts'
import { flagsOf } from './queries.ts'
import { inFeatureFlag } from './scope.ts'
import { strategyNames } from './strategies.ts'

const path = '/projects/:id/feature_flags' as const

const name = text('Name of the flag', {
  minLength: 2,
  maxLength: 63,
  pattern: '^[a-z]([-_a-z0-9]*[a-z0-9])?$',
  message: "can contain only lowercase letters, digits, '_' and '-'. Must start with a letter, and cannot end with '-' or '_'",
  examples: ['new_checkout'],
})
const description = optional(text('What it is for', { maxLength: 255 }))
const active = (standard: string) => optional(flag(`Whether it is on${standard}`))

const EnvironmentScope = text('Name of an environment, in which `*` stands for any text', {
  minLength: 1,
  maxLength: 255,
  pattern: '^[a-zA-Z0-9_/\\\\$\\{\\}. *-]+$',
  message: "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', '*' and spaces",
})
const parameters = Type.Optional(
  Type.Unknown({ description: 'What the strategy is given: `{"groupId": "default", "percentage": "25"}`; an object, or JSON' }),
)
const user_list_id = optional(integer('ID of a user list of the project, for `gitlabUserList`'))
const scopesOf = (fields: string) => ({ maxItems: 100, description: `Where it applies: hashes with ${fields}` })
const strategiesOf = (fields: string, examples: readonly unknown[]) => ({
  maxItems: 100,
  description: `Whom it is on for: hashes with ${fields}`,
  examples: [examples],
})

const NewStrategies = Type.Array(
  Type.Object({
    name: OneOf(strategyNames, { description: 'Name of the strategy' }),
    parameters,
    user_list_id,
    scopes: Type.Optional(Type.Array(Type.Object({ environment_scope: EnvironmentScope }), scopesOf('`environment_scope`'))),
  }),
  strategiesOf('`name`, `parameters`, `scopes` and `user_list_id`', [
    { name: 'default', parameters: {}, scopes: [{ environment_scope: 'production' }] },
  ]),
)

const destroy = (what: string) => optional(flag(`Takes the ${what} away`))

const ChangedStrategies = Type.Array(
  Type.Object({
    id: optional(integer('ID of a strategy of the flag; without it, it is new')),
    name: optional(OneOf(strategyNames, { description: 'Name of the strategy' })),
    parameters,
    user_list_id,
    _destroy: destroy('strategy'),
    scopes: Type.Optional(
      Type.Array(
        Type.Object({
          id: optional(integer('ID of a scope of the strategy; without it, it is new')),
          environment_scope: optional(EnvironmentScope),
          _destroy: destroy('scope'),
        }),
        scopesOf('`id`, `environment_scope` and `_destroy`'),
      ),
    ),
  }),
  strategiesOf('`id`, `name`, `parameters`, `scopes`, `user_list_id` and `_destroy`', [
    { name: 'gradualRolloutUserId', parameters: { groupId: 'default', percentage: '25' }, scopes: [{ environment_scope: 'staging' }] },
  ]),
)

export const listFeatureFlags = endpoint({
  route: `GET ${path}`,
  summary: 'List the feature flags of a project',
  scope: inProject,
  can: 'read_feature_flag',
  params: { scope: optional(OneOf(['enabled', 'disabled'], { description: 'Only those that are on, or off' })) },
  answers: pageOf(FeatureFlag),
  run: ({ db, project, params }) => flagsOf(db, project.id, params),
})

export const getFeatureFlag = endpoint({
  route: `GET ${path}/:feature_flag_name`,
  summary: 'Get a feature flag',
  scope: inFeatureFlag,
  can: 'read_feature_flag',
  answers: one(FeatureFlag),
  run: ({ featureFlag }) => featureFlag,
})

export const createFeatureFlag = endpoint({
  route: `POST ${path}`,
  summary: 'Create a feature flag',
  scope: inProject,
  can: 'admin_feature_flag',
  params: {
    name,
    description,
    active: active('; true unless given'),
    // Contract: flags of the former version have not been made since 14.0 (feature flags API).
    version: optional(text('`new_version_flag`, and nothing else', { examples: ['new_version_flag'] })),
    strategies: Type.Optional(NewStrategies),
  },
  answers: one(FeatureFlag),
  run: ctx => commands.createFlag(ctx, ctx.project.id, ctx.params),
})

export const updateFeatureFlag = endpoint({
  route: `PUT ${path}/:feature_flag_name`,
  summary: 'Change a feature flag',
  scope: inFeatureFlag,
  can: 'admin_feature_flag',
  params: { name: optional(name), description, active: active(''), strategies: Type.Optional(ChangedStrategies) },
  answers: one(FeatureFlag),
  run: ctx => commands.updateFlag(ctx, ctx.featureFlag, ctx.params),
})

export const deleteFeatureFlag = endpoint({
  route: `DELETE ${path}/:feature_flag_name`,
  summary: 'Delete a feature flag, and answer what it was',
  scope: inFeatureFlag,
  can: 'admin_feature_flag',
  // Contract: 200 with what was deleted, and not 204 (feature flags API).
  answers: one(FeatureFlag, 200),
  async run(ctx) {
    await commands.removeFlag(ctx, ctx.featureFlag)
    return ctx.featureFlag
  },
})
