/** Reads of codes and tokens, by their digests. */
import type { Db } from '../db/connection.ts'

/** A code with the state of the person who gave it; locked, for it may be used once. */
export const lockedCode = (db: Db, digest: string) =>
  db
    .selectFrom('oauth_authorization_codes as c')
    .innerJoin('users', 'users.id', 'c.user_id')
    .selectAll('c')
    .select('users.state')
    .where('c.digest', '=', digest)
    .forUpdate('c')
    .executeTakeFirst()

/** A token by its refresh token, with the state of its user, if it has one; locked, for it may be refreshed once. */
export const lockedRefreshToken = (db: Db, digest: string) =>
  db
    .selectFrom('oauth_access_tokens as t')
    .leftJoin('users', 'users.id', 't.user_id')
    .selectAll('t')
    .select('users.state')
    .where('t.refresh_digest', '=', digest)
    .forUpdate('t')
    .executeTakeFirst()

/** Tokens with their application's client id and their user, alive or not. */
const tokens = (db: Db) =>
  db
    .selectFrom('oauth_access_tokens as t')
    .leftJoin('users', 'users.id', 't.user_id')
    .leftJoin('oauth_applications as a', 'a.id', 't.application_id')
    .selectAll('t')
    .select(['users.state', 'users.username', 'a.uid'])

export type TokenRow = Awaited<ReturnType<ReturnType<typeof tokens>['executeTakeFirstOrThrow']>>

/** A token by its access token. */
export const tokenByAccess = (db: Db, digest: string) => tokens(db).where('t.digest', '=', digest).executeTakeFirst()

/** A token by either of its secrets. */
export const tokenByEither = (db: Db, digest: string) =>
  tokens(db)
    .where(({ or, eb }) => or([eb('t.digest', '=', digest), eb('t.refresh_digest', '=', digest)]))
    .executeTakeFirst()
