/** What an application is sent: the flags of its environment. */
import { sql } from 'kysely'
import { fitsName } from '../../../code/protected_branches/branch_rights.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { type FlagStrategy, flagsOf } from '../queries.ts'
import { usersOfLists } from '../size.ts'
import type { StrategyName } from '../strategies.ts'

/** The project that an address of Unleash names, by its ID or full path; its flags may be switched off for all. */
export function unleashProject(db: Db, id: string) {
  const query = db
    .selectFrom('projects')
    .innerJoin('routes', 'routes.project_id', 'projects.id')
    .select(['projects.id', 'projects.operations_access_level'])
    .where('projects.deleting', '=', false)
  return (
    /^\d{1,15}$/.test(id) ? query.where('projects.id', '=', Number(id)) : query.where(sql<boolean>`lower(routes.path) = lower(${id})`)
  ).executeTakeFirst()
}

/** A strategy as Unleash's clients know it: a list of users is sent as its users. None for a list that has gone meanwhile. */
function sent({ name, parameters, user_list }: FlagStrategy, users: ReadonlyMap<number, string>) {
  if (!user_list) return [{ name, parameters: { ...parameters } }]
  const userIds = users.get(user_list.id)
  return userIds === undefined ? [] : [{ name: 'userWithId' as StrategyName, parameters: { userIds } }]
}

/**
 * The flags that have a strategy for this environment, with those strategies, oldest first.
 * @throws Refusal 429 or 503 while there is no room in memory for the answer
 */
export async function unleashFeatures(ctx: Context, projectId: number, environment: string) {
  const rows = await flagsOf(ctx.db, projectId).execute()
  const flags = rows
    .sort((a, b) => a.id - b.id)
    .flatMap(flag => {
      const here = flag.strategies.filter(({ scopes }) => scopes.some(({ environment_scope }) => fitsName(environment_scope, environment)))
      return here.length === 0 ? [] : [{ ...flag, strategies: here }]
    })
  const users = await usersOfLists(
    ctx,
    flags.flatMap(({ strategies }) => strategies),
  )
  return flags.map(({ name, description, active, strategies }) => ({
    name,
    ...(description !== null && { description }),
    enabled: active,
    strategies: strategies.flatMap(strategy => sent(strategy, users)),
  }))
}
