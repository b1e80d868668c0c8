/** Reads of codes and tokens, by their digests. */
import { type NotNull, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'

/**
 * A code with the state of its user, locked because it may be used once. The user's row is locked first: a transaction that changes the
 * password or blocks the account holds that lock, and ends the codes and tokens that it finds (revocation.ts).
 */
export const lockedCode = (db: Db, digest: string) =>
  db
    .selectFrom('oauth_authorization_codes as c')
    .innerJoin('users', 'users.id', 'c.user_id')
    .selectAll('c')
    .select('users.state')
    .where('c.digest', '=', digest)
    .forShare('users')
    .forUpdate('c')
    .executeTakeFirst()

/** A token by its refresh token, with the state of its user; locked like a code, because it may be refreshed once. */
export const lockedRefreshToken = (db: Db, digest: string) =>
  db
    .selectFrom('oauth_access_tokens as t')
    .innerJoin('users', 'users.id', 't.user_id')
    .selectAll('t')
    .select('users.state')
    .where('t.refresh_digest', '=', digest)
    .forShare('users')
    .forUpdate('t')
    .executeTakeFirst()

/** The user with this password digest, locked as for a code; undefined if the password has been changed. */
export const lockedPerson = (db: Db, { id, password_digest }: { readonly id: number; readonly password_digest: string | null }) =>
  db
    .selectFrom('users')
    .select(['id', 'state'])
    .where('id', '=', id)
    .where('password_digest', '=', password_digest)
    .forShare()
    .executeTakeFirst()

/** Tokens with their application's client id and their user, valid or not. */
const tokens = (db: Db) =>
  db
    .selectFrom('oauth_access_tokens as t')
    .leftJoin('users', 'users.id', 't.user_id')
    .leftJoin('oauth_applications as a', 'a.id', 't.application_id')
    .selectAll('t')
    .select(['users.state', 'users.username', 'a.uid', 'a.name as application_name'])

export type TokenRow = Awaited<ReturnType<ReturnType<typeof tokens>['executeTakeFirstOrThrow']>>

/** A token by its access token. */
export const tokenByAccess = (db: Db, digest: string) => tokens(db).where('t.digest', '=', digest).executeTakeFirst()

/** A token by its access token or its refresh token. */
export const tokenByEither = (db: Db, digest: string) =>
  tokens(db)
    .where(({ or, eb }) => or([eb('t.digest', '=', digest), eb('t.refresh_digest', '=', digest)]))
    .executeTakeFirst()

/** When a grant ends: with its refresh token, or, if there is none, with its access token. */
const grantEnd = sql<Date>`case when t.refresh_digest is null then t.expires_at
  else least(t.created_at + s.oauth_refresh_token_lifetime * interval '1 day', t.granted_at + s.max_oauth_grant_lifetime * interval '1 day') end`

/**
 * The valid grants of a user, the oldest first; each consent, or exchanged password, is one. Refreshing ends the former token, so a grant
 * has one valid token; its id is that of its first token.
 */
export const grantsOf = (db: Db, userId: number, now: Date) =>
  db
    .with('grants', grants =>
      grants
        .selectFrom('oauth_access_tokens as t')
        .innerJoin('application_settings as s', join => join.onTrue())
        .leftJoin('oauth_applications as a', 'a.id', 't.application_id')
        .select(['t.family_id', 't.user_id', 't.application_id', 'a.uid', 'a.name as application_name', 't.scopes', 't.granted_at'])
        .select(({ selectFrom }) => [
          selectFrom('oauth_access_tokens as f')
            .whereRef('f.family_id', '=', 't.family_id')
            .select(first => first.fn.min<number>('f.id').as('id'))
            .as('id'),
          selectFrom('oauth_access_tokens as f')
            .whereRef('f.family_id', '=', 't.family_id')
            .select(last => last.fn.max('f.last_used_at').as('at'))
            .as('last_used_at'),
          grantEnd.as('expires_at'),
        ])
        .where('t.user_id', '=', userId)
        .where('t.revoked_at', 'is', null)
        .where(sql<boolean>`(${grantEnd} > ${now})`),
    )
    .selectFrom('grants')
    .selectAll()
    .$narrowType<{ id: number; user_id: number; expires_at: NotNull }>()
    .orderBy('id')

export type GrantRow = Awaited<ReturnType<ReturnType<typeof grantsOf>['executeTakeFirstOrThrow']>>

/** One grant of a user; undefined once it has ended. */
export const grantOf = (db: Db, userId: number, id: number, now: Date) => grantsOf(db, userId, now).where('id', '=', id).executeTakeFirst()

/** Has the user a valid grant for the application with all of these scopes? */
export async function hasConsented(db: Db, userId: number, applicationId: number, scopes: readonly string[], now: Date): Promise<boolean> {
  const grant = await grantsOf(db, userId, now)
    .where('application_id', '=', applicationId)
    .where(sql<boolean>`scopes @> ${[...scopes]}::text[]`)
    .executeTakeFirst()
  return grant !== undefined
}
