/** Reads of deploy tokens. */
import { sql } from 'kysely'
import { endOf, isInForce } from '../../platform/access/credentials/lifetimes.ts'
import type { Db } from '../../platform/db/connection.ts'

/** When a token expires: by its own expiry, or by the longest lifetime. */
const end = endOf('deploy_tokens.digest', 'deploy_tokens')

const deployTokens = (db: Db) =>
  db
    .selectFrom('deploy_tokens')
    .select(['id', 'project_id', 'group_id', 'name', 'username', 'scopes', 'created_by', 'created_at'])
    .select(end.as('expires_at'))
    .orderBy('id', 'desc')

export type DeployTokenRow = Awaited<ReturnType<ReturnType<typeof deployTokens>['executeTakeFirstOrThrow']>>

/** The place of a deploy token. */
export type DeployTokenPlace = { readonly project_id: number } | { readonly group_id: number }

/** Only expired ones, or only valid ones; both if undefined. */
export interface DeployTokenFilters {
  readonly active?: boolean | undefined
}

/** All deploy tokens of the instance, the newest first. */
export function allDeployTokens(db: Db, now: Date, { active }: DeployTokenFilters) {
  const query = deployTokens(db)
  if (active === undefined) return query
  return active ? query.where(isInForce('deploy_tokens.digest', 'deploy_tokens', now)) : query.where(sql<boolean>`${end} <= ${now}`)
}

/** The deploy tokens of a project or group itself, the newest first. */
export const deployTokensOf = (db: Db, place: DeployTokenPlace, now: Date, filters: DeployTokenFilters) =>
  allDeployTokens(db, now, filters).where(({ and }) => and(place))

/** One deploy token of a project or group. */
export const deployTokenOf = (db: Db, place: DeployTokenPlace, id: number) =>
  deployTokens(db)
    .where(({ and }) => and(place))
    .where('id', '=', id)
    .executeTakeFirst()

/** The deploy token with this digest that has not expired; if a username is given, only where it belongs to it. */
export const deployTokenByDigest = (db: Db, digest: string, username: string | undefined, now: Date) =>
  deployTokens(db)
    .where('digest', '=', digest)
    .where(({ eb, lit }) => (username === undefined ? lit(true) : eb('username', '=', username)))
    .where(isInForce('deploy_tokens.digest', 'deploy_tokens', now))
    .executeTakeFirst()
