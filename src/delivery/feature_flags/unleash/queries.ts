/** What an application is sent: the flags of its environment. */
import { sql } from 'kysely'
import { fitsName } from '../../../code/protected_branches/branch_rights.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { type FlagRow, flagsOf } from '../queries.ts'
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

/** A strategy as Unleash's clients know it: a list of users is sent as its users. */
const sent = ({ name, parameters, user_list }: FlagRow['strategies'][number]) =>
  user_list ? { name: 'userWithId' as StrategyName, parameters: { userIds: user_list.user_xids } } : { name, parameters: { ...parameters } }

/** The flags that have a strategy for this environment, with those strategies, oldest first. */
export async function unleashFeatures(db: Db, projectId: number, environment: string) {
  const rows = await flagsOf(db, projectId).execute()
  return rows
    .sort((a, b) => a.id - b.id)
    .flatMap(({ name, description, active, strategies }) => {
      const here = strategies.filter(({ scopes }) => scopes.some(({ environment_scope }) => fitsName(environment_scope, environment)))
      if (here.length === 0) return []
      return [{ name, ...(description !== null && { description }), enabled: active, strategies: here.map(sent) }]
    })
}
