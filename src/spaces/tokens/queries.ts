/** Reads of tokens: personal, impersonation, project and group access tokens are rows of one table. */
import { sql } from 'kysely'
import { endDayOf } from '../../platform/access/credentials/lifetimes.ts'
import type { TokenScope } from '../../platform/access/credentials/token_scopes.ts'
import type { Place } from '../../platform/access/places.ts'
import type { Db } from '../../platform/db/connection.ts'

const columns = ['id', 'user_id', 'name', 'scopes', 'impersonation', 'revoked', 'created_at', 'last_used_at'] as const
const qualified = columns.map(column => `personal_access_tokens.${column}` as const)

/** The expiry day of a token: its own, or that of the longest lifetime. */
const endDay = endDayOf('personal_access_tokens.digest', 'personal_access_tokens')

/** A token without its secret, which cannot be read back. */
export interface TokenRow {
  readonly id: number
  readonly user_id: number
  readonly name: string
  readonly scopes: TokenScope[]
  readonly impersonation: boolean
  readonly revoked: boolean
  readonly created_at: string
  /** The expiry day. */
  readonly expires_at: string | null
  readonly last_used_at: string | null
}

/** An access token of a project or group with the level of its bot there. */
export interface BotTokenRow extends TokenRow {
  readonly access_level: number
}

/** Is the token valid? On the day it expires it is not. */
export const isActiveToken = (token: Pick<TokenRow, 'revoked' | 'expires_at'>, now: Date): boolean =>
  !token.revoked && (token.expires_at === null || token.expires_at > now.toISOString().slice(0, 10))

const tokens = (db: Db) =>
  db
    .selectFrom('personal_access_tokens')
    .select([...qualified, endDay.as('expires_at')])
    .$narrowType<{ scopes: TokenScope[] }>()

/** Personal access tokens: of one user, or of all. */
export const personalTokens = (db: Db, userId?: number) =>
  tokens(db)
    .where('impersonation', '=', false)
    .$if(userId !== undefined, query => query.where('user_id', '=', userId as number))
    .orderBy('id')

/** The token with this id, of any kind. */
export const tokenById = (db: Db, id: number) => tokens(db).where('id', '=', id).executeTakeFirst()

/** The impersonation tokens of a user, by their state at `now`. */
export const impersonationTokens = (db: Db, userId: number, state: 'all' | 'active' | 'inactive', now: Date) => {
  const active = sql<boolean>`(not revoked and coalesce(${endDay} > ${now}::timestamptz::date, true))`
  return tokens(db)
    .where('impersonation', '=', true)
    .where('user_id', '=', userId)
    .$if(state === 'active', query => query.where(active))
    .$if(state === 'inactive', query => query.where(sql<boolean>`not ${active}`))
    .orderBy('id')
}

/** The access tokens of a project or group: those of its bots. */
export const botTokens = (db: Db, place: Place) =>
  tokens(db)
    .innerJoin('bots', 'bots.user_id', 'personal_access_tokens.user_id')
    .leftJoin('members', join =>
      join
        .onRef('members.user_id', '=', 'bots.user_id')
        .on(({ or, eb }) =>
          or([eb('members.project_id', '=', eb.ref('bots.project_id')), eb('members.namespace_id', '=', eb.ref('bots.namespace_id'))]),
        ),
    )
    .select(({ fn, lit }) => fn.coalesce('members.access_level', lit(0)).as('access_level'))
    .where(({ eb }) =>
      'project_id' in place ? eb('bots.project_id', '=', place.project_id) : eb('bots.namespace_id', '=', place.namespace_id),
    )
    .where('personal_access_tokens.revoked', '=', false)
    .orderBy('personal_access_tokens.id')
