/** A feature flag of a project as JSON (feature flags API at 14.0). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime, described, flag, integer, Nullable, OneOf, text } from '../../platform/kernel/declaration/types.ts'
import type { FlagRow, FlagStrategy } from './queries.ts'
import { usersOfLists } from './size.ts'
import { strategyNames } from './strategies.ts'

const Scope = Type.Object({
  id: integer('ID of the scope'),
  environment_scope: text('Name of an environment, in which `*` stands for any text'),
})

const Strategy = Type.Object({
  id: integer('ID of the strategy'),
  name: OneOf(strategyNames, { description: 'Whom the flag is on for' }),
  parameters: Type.Record(Type.String(), Type.String(), { description: 'What the strategy is given' }),
  scopes: Type.Array(Scope, { description: 'Where it applies' }),
  user_list: Nullable(
    described(
      'The list of `gitlabUserList`; null for other strategies',
      Type.Object({
        id: integer('ID of the list'),
        iid: integer('Number within the project'),
        name: text('Name of the list'),
        user_xids: text('Ids of users, separated by commas'),
      }),
    ),
  ),
})

/** Null for one that has gone meanwhile, too. */
function withUsers(list: FlagStrategy['user_list'], users: ReadonlyMap<number, string>) {
  const user_xids = list && users.get(list.id)
  return list && user_xids !== undefined && user_xids !== null ? { ...list, user_xids } : null
}

export const FeatureFlag = entity({
  // `Feature` is a flag of the instance.
  name: 'FeatureFlag',
  schema: Type.Object({
    name: text('Name of the flag'),
    description: Nullable(text('What it is for; null where that is not said')),
    active: flag('Whether it is on; if not, it is off for all'),
    version: OneOf(['new_version_flag'], { description: 'Always `new_version_flag`' }),
    created_at: DateTime('When it was created'),
    updated_at: DateTime('When it was last changed'),
    scopes: Type.Array(Scope, { description: 'Always empty: scopes belong to strategies' }),
    strategies: Type.Array(Strategy, { description: 'Whom it is on for; one that fits is enough' }),
  }),
  load: (ctx, rows: readonly FlagRow[]) =>
    usersOfLists(
      ctx,
      rows.flatMap(({ strategies }) => strategies),
    ),
  present: ({ name, description, active, created_at, updated_at, strategies }: FlagRow, users) => ({
    name,
    description,
    active,
    version: 'new_version_flag' as const,
    created_at,
    updated_at,
    scopes: [],
    strategies: strategies.map(({ id, name, parameters, scopes, user_list }) => ({
      id,
      name,
      parameters: { ...parameters },
      scopes: scopes.map(scope => ({ ...scope })),
      user_list: withUsers(user_list, users),
    })),
  }),
})
