/** Reads of the feature flags of projects. */
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Db } from '../../platform/db/connection.ts'
import type { StrategyName } from './strategies.ts'

/** Where a strategy applies: an environment, or those that a pattern with `*` fits. */
export interface FlagScope {
  readonly id: number
  readonly environment_scope: string
}

/** Whom a flag is on for, in its scopes. */
export interface FlagStrategy {
  readonly id: number
  readonly name: StrategyName
  readonly parameters: Readonly<Record<string, string>>
  /** Without its users: several strategies may name one list, which can be large (size.ts). */
  readonly user_list: { readonly id: number; readonly iid: number; readonly name: string } | null
  readonly scopes: readonly FlagScope[]
}

/** Flags with their strategies, by name. */
const flags = (db: Db) =>
  db
    .selectFrom('project_flags')
    .selectAll('project_flags')
    .select(({ selectFrom }) =>
      jsonArrayFrom(
        selectFrom('project_flag_strategies as strategies')
          .select(['strategies.id', 'strategies.name', 'strategies.parameters'])
          .select(inner => [
            jsonObjectFrom(
              inner
                .selectFrom('flag_user_lists as lists')
                .select(['lists.id', 'lists.iid', 'lists.name'])
                .whereRef('lists.id', '=', 'strategies.user_list_id'),
            ).as('user_list'),
            jsonArrayFrom(
              inner
                .selectFrom('project_flag_scopes as scopes')
                .select(['scopes.id', 'scopes.environment_scope'])
                .whereRef('scopes.strategy_id', '=', 'strategies.id')
                .orderBy('scopes.id'),
            ).as('scopes'),
          ])
          .whereRef('strategies.flag_id', '=', 'project_flags.id')
          .orderBy('strategies.id'),
      )
        .$castTo<FlagStrategy[]>()
        .as('strategies'),
    )
    .orderBy('project_flags.name')
    .orderBy('project_flags.id')

export type FlagRow = Awaited<ReturnType<ReturnType<typeof flags>['executeTakeFirstOrThrow']>>

/** The flags of a project, those that are on or off where that is asked. */
export function flagsOf(db: Db, projectId: number, { scope }: { readonly scope?: 'enabled' | 'disabled' | undefined } = {}) {
  const query = flags(db).where('project_id', '=', projectId)
  return scope === undefined ? query : query.where('active', '=', scope === 'enabled')
}

/** The flag of a project with exactly this name. */
export const flagNamed = (db: Db, projectId: number, name: string) => flagsOf(db, projectId).where('name', '=', name).executeTakeFirst()

/** A flag by its id, without its strategies. */
export const flagById = (db: Db, id: number) => db.selectFrom('project_flags').selectAll().where('id', '=', id).executeTakeFirst()

/** The flag of a project that was changed last, without its strategies. */
export const latestFlagOf = (db: Db, projectId: number) =>
  db
    .selectFrom('project_flags')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** What hooks show of a flag. */
export type BareFlagRow = NonNullable<Awaited<ReturnType<typeof flagById>>>
