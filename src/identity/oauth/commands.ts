/** Writes of codes and tokens. Their secrets are sent once; only digests are stored. */

import type { ApplicationScope } from '../../platform/access/credentials/token_scopes.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { digestOf, newLongToken } from '../../platform/kernel/secrets.ts'
import type { Secret } from '../../platform/secret.ts'
import { authenticateClient, type ClientParams } from './clients.ts'
import { oauthRefusal } from './dialect.ts'
import { grantEnd, type OAuthLifetimes } from './grants/lifetimes.ts'
import { tokenByEither } from './queries.ts'

/** Lifetime of a code in seconds (RFC 6749 section 4.1.2 recommends at most ten minutes). */
export const CODE_LIFETIME = 10 * 60

export interface NewCode {
  readonly code: Secret
  readonly application_id: number
  readonly user_id: number
  readonly redirect_uri: string
  readonly scopes: readonly ApplicationScope[]
  readonly code_challenge: string | null
  readonly code_challenge_method: string | null
  /** Comes back in the id token. */
  readonly nonce: string | null
  /** When the user proved who they are. */
  readonly auth_time: Date
}

/** Stores a code that a user has granted to an application; deletes their codes that expired long ago. */
export async function saveCode({ db, now }: Context, { code, scopes, ...columns }: NewCode): Promise<void> {
  const yesterday = new Date(now.getTime() - 24 * 60 * 60 * 1000).toISOString()
  await db.deleteFrom('oauth_authorization_codes').where('user_id', '=', columns.user_id).where('expires_at', '<', yesterday).execute()
  await db
    .insertInto('oauth_authorization_codes')
    .values({
      ...columns,
      digest: digestOf(code),
      scopes: [...scopes],
      expires_at: new Date(now.getTime() + CODE_LIFETIME * 1000),
      created_at: now,
    })
    .execute()
}

/** Marks a locked code as used. */
export const consumeCode = ({ db, now }: Context, id: number) =>
  db.updateTable('oauth_authorization_codes').set({ used_at: now }).where('id', '=', id).execute()

export interface NewToken {
  readonly application_id: number | null
  readonly user_id: number | null
  readonly scopes: readonly ApplicationScope[]
  /** Whether it has a refresh token. */
  readonly refreshable: boolean
  /** The family of its predecessor code or token; default: a new one. */
  readonly family_id?: string | undefined
  /** When the user consented; default: now. */
  readonly granted_at?: string | undefined
  /** When the user proved who they are; for id tokens. */
  readonly auth_time?: string | Date | null | undefined
}

/** A token with its secrets, which are known only at this moment. */
export interface FreshToken {
  readonly access_token: Secret
  readonly refresh_token: Secret | undefined
  /** What OpenID Connect adds for the scope `openid`. */
  readonly id_token?: Secret | undefined
  readonly scopes: readonly ApplicationScope[]
  readonly created_at: Date
  /** Lifetime of the access token in seconds. */
  readonly lifetime: number
}

/** Creates a token. */
export async function createToken(
  { db, now }: Context,
  { refreshable, scopes, family_id, granted_at, ...columns }: NewToken,
  settings: OAuthLifetimes,
): Promise<FreshToken> {
  const ends = Math.min(now.getTime() + settings.oauth_access_token_lifetime * 1000, grantEnd(granted_at ?? now, settings))
  const access_token = newLongToken()
  const refresh_token = refreshable ? newLongToken() : undefined
  await db
    .insertInto('oauth_access_tokens')
    .values({
      ...columns,
      ...(family_id === undefined ? {} : { family_id }),
      digest: digestOf(access_token),
      refresh_digest: refresh_token === undefined ? null : digestOf(refresh_token),
      scopes: [...scopes],
      expires_at: new Date(ends),
      granted_at: granted_at ?? now,
      created_at: now,
    })
    .execute()
  return { access_token, refresh_token, scopes, created_at: now, lifetime: Math.floor((ends - now.getTime()) / 1000) }
}

/** Revokes a token and its refresh token; false if it has ended already. */
export async function endToken({ db, now }: Context, id: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oauth_access_tokens')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Revokes the token of this secret, access or refresh; an unknown one is no error (RFC 7009 section 2.2). Only the application of a token
 * may revoke it.
 * @throws Refusal 401 `invalid_client`, 403 `unauthorized_client`
 */
export async function revokeToken(ctx: Context, { token, ...client }: ClientParams & { token: string }): Promise<void> {
  const application = await authenticateClient(ctx, client)
  const row = await tokenByEither(ctx.db, digestOf(token))
  if (!row) return
  if (row.application_id !== (application?.id ?? null))
    throw oauthRefusal('forbidden', 'unauthorized_client', 'The token belongs to another client')
  if (!(await endToken(ctx, row.id))) return
  const named = { id: row.application_id ?? 0, name: row.application_name ?? 'Password' }
  await recordEvent(ctx, { kind: 'oauth_token.revoked', payload: { ...named, user_id: row.user_id }, actorId: ctx.actor.user?.id })
}
