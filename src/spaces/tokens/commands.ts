/** Writes of tokens. A token's secret is shown once, when it is created; only its digest is stored. */

import { sql } from 'kysely'
import { mailAccount } from '../../identity/account_mails/recipients.ts'
import { tokenAdded } from '../../identity/account_mails/texts.ts'
import { createBot, placeOfBot, removeBot } from '../../identity/users/bots.ts'
import type { Role } from '../../platform/access/abilities.ts'
import { hasScope, isAdmin } from '../../platform/access/actor.ts'
import type { TokenScope } from '../../platform/access/credentials/token_scopes.ts'
import { requireWithin } from '../../platform/application_settings/longest_life.ts'
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import type { Db } from '../../platform/db/connection.ts'
import { inPlace } from '../../platform/events/audit/entry.ts'
import type { TokenSort } from '../../platform/events/audit/kinds.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { badRequest, forbidden, insufficientScope } from '../../platform/kernel/errors.ts'
import { digestOf, newToken } from '../../platform/kernel/secrets.ts'
import type { Secret } from '../../platform/secret.ts'
import { addMember, setMembershipEnd } from '../members/commands.ts'
import type { MemberPlace } from '../members/queries.ts'
import { type BotTokenRow, botTokens, personalTokens, type TokenRow, tokenById } from './queries.ts'

/** The attributes of a token. */
export interface NewToken {
  readonly name: string
  readonly scopes: readonly TokenScope[]
  /** The expiry day, `YYYY-MM-DD`; default: never. */
  readonly expires_at?: string | undefined
}

/** A token with its secret, which is known only at this moment. */
export type FreshToken<Row extends TokenRow = TokenRow> = Row & { readonly token: Secret }

/** A credential without the scope `sudo` must not make one that has it. */
function assertSudo({ actor }: Context, scopes: readonly string[]): void {
  if (scopes.includes('sudo') && !hasScope(actor, ['sudo'])) throw insufficientScope('sudo')
}

/** Creates a token for a user; with `impersonation` one that administrators hold to act as that user. 403 for `sudo` from a caller without it. */
export async function createToken(ctx: Context, userId: number, attributes: NewToken, impersonation = false): Promise<FreshToken> {
  const { name, scopes, expires_at = null } = attributes
  assertSudo(ctx, scopes)
  const { max_personal_access_token_lifetime: longest, personal_access_token_prefix: prefix } = await applicationSettings(ctx.db)
  requireWithin(longest, expires_at, ctx.now)
  const token = newToken(prefix)
  const { id } = await ctx.db
    .insertInto('personal_access_tokens')
    .values({
      user_id: userId,
      name,
      digest: digestOf(token),
      scopes: [...new Set(scopes)],
      expires_at,
      impersonation,
      created_at: ctx.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const made = (await tokenById(ctx.db, id)) as TokenRow
  const payload = { ...(await aboutToken(ctx, made)), scopes: made.scopes, expires_at }
  await recordEvent(ctx, { kind: 'token.created', payload, ...inPlace((await placeOfBot(ctx.db, userId)) ?? {}) })
  if (payload.sort === 'personal')
    await mailAccount(ctx, userId, tokenAdded({ name, scopes: made.scopes, link: `${ctx.url}/-/profile/personal_access_tokens` }))
  return { ...made, token }
}

/** The audit log's description of a token. */
async function aboutToken({ db }: Context, { id, name, user_id, impersonation }: TokenRow) {
  const place = await placeOfBot(db, user_id)
  const sort: TokenSort = impersonation ? 'impersonation' : place === undefined ? 'personal' : 'project_id' in place ? 'project' : 'group'
  return { id, name, user_id, sort }
}

/**
 * Makes a given secret a token of this user, without expiry; a revoked one of theirs becomes valid again. False if it is the token of
 * another user.
 */
export async function ensureToken(db: Db, userId: number, { name, scopes }: NewToken, secret: string): Promise<boolean> {
  // The configuration gives it again, so its lifetime starts again.
  const values = { name, scopes: [...scopes], revoked: false, expires_at: null, created_at: sql<Date>`now()` }
  const ensured = await db
    .insertInto('personal_access_tokens')
    .values({ ...values, user_id: userId, digest: digestOf(secret) })
    .onConflict(conflict => conflict.column('digest').doUpdateSet(values).where('personal_access_tokens.user_id', '=', userId))
    .returning('id')
    .executeTakeFirst()
  return ensured !== undefined
}

/** Deletes a token that `ensureToken` made for a task of the program itself, which has ended. */
export async function forgetToken(db: Db, secret: Secret): Promise<void> {
  await db.deleteFrom('personal_access_tokens').where('digest', '=', digestOf(secret)).execute()
}

/** Creates an impersonation token; 403 where the instance has disabled impersonation (document 1, Authentication rule 5). */
export async function createImpersonationToken(ctx: Context, userId: number, attributes: NewToken): Promise<FreshToken> {
  if (!ctx.deps.config.impersonationEnabled) throw forbidden('Impersonation is disabled')
  return createToken(ctx, userId, attributes, true)
}

/** Creates an access token of a project or group: a new bot becomes a member, and owns the token. */
export async function createPlaceToken(
  ctx: Context,
  place: MemberPlace,
  attributes: NewToken & { readonly access_level: Role },
): Promise<FreshToken<BotTokenRow>> {
  const { access_level, ...token } = attributes
  assertNotBot(ctx)
  if (!isAdmin(ctx.actor) && access_level > place.role) throw forbidden('You cannot give a higher access level than your own')
  const botId = await createBot(ctx, place.key, token.name)
  await addMember(ctx, place.key, { user_id: botId, access_level, expires_at: token.expires_at })
  return { ...(await createToken(ctx, botId, token)), access_level }
}

/** A token of a place must not create, revoke or replace others: its holder would keep access after its end. */
function assertNotBot(ctx: Context): void {
  if (ctx.actor.user?.kind === 'project_bot') throw forbidden()
}

/** Revokes a token immediately. A bot is deleted with the last of its tokens. Begins again where the token was revoked or replaced meanwhile. */
export async function revokeToken(ctx: Context, token: TokenRow): Promise<void> {
  await ctx.db
    .updateTable('personal_access_tokens')
    .set({ revoked: true })
    .where('id', '=', token.id)
    .where('revoked', '=', token.revoked)
    .returning('id')
    .executeTakeFirstOrThrow()
  const place = await placeOfBot(ctx.db, token.user_id)
  await recordEvent(ctx, { kind: 'token.revoked', payload: await aboutToken(ctx, token), ...inPlace(place ?? {}) })
  if (!place) return
  const left = await botTokens(ctx.db, place).where('personal_access_tokens.user_id', '=', token.user_id).executeTakeFirst()
  if (!left) await removeBot(ctx, token.user_id)
}

/** Revokes the personal access tokens of a user. */
export async function revokePersonalTokensOf(ctx: Context, userId: number): Promise<void> {
  for (const token of await personalTokens(ctx.db, userId).where('revoked', '=', false).execute()) await revokeToken(ctx, token)
}

/** Revokes an access token of a project or group. */
export async function revokePlaceToken(ctx: Context, token: TokenRow): Promise<void> {
  assertNotBot(ctx)
  await revokeToken(ctx, token)
}

/** Default lifetime of a rotated token in days (personal access tokens API). */
const ROTATED_DAYS = 7

/**
 * Replaces a token by a new one with the same name and scopes; the old one is invalid immediately. 400 if it was already invalid. 403 for
 * bots, and if the caller would gain the scope `sudo` without having it.
 */
export async function rotateToken<Row extends TokenRow>(ctx: Context, token: Row, expiresAt: string | undefined): Promise<FreshToken<Row>> {
  assertNotBot(ctx)
  assertSudo(ctx, token.scopes)
  const revoked = await ctx.db
    .updateTable('personal_access_tokens')
    .set({ revoked: true })
    .where('id', '=', token.id)
    .where('revoked', '=', false)
    .returning('id')
    .executeTakeFirst()
  if (!revoked) throw badRequest('the token is revoked')
  const place = (await placeOfBot(ctx.db, token.user_id)) ?? {}
  await recordEvent(ctx, { kind: 'token.rotated', payload: await aboutToken(ctx, token), ...inPlace(place) })
  const { name, scopes, impersonation } = token
  const { max_personal_access_token_lifetime: longest } = await applicationSettings(ctx.db)
  const days = Math.min(ROTATED_DAYS, longest ?? ROTATED_DAYS)
  const expires_at = expiresAt ?? new Date(ctx.now.getTime() + days * 86_400_000).toISOString().slice(0, 10)
  return { ...token, ...(await createToken(ctx, token.user_id, { name, scopes, expires_at }, impersonation)) }
}

/** Rotates an access token of a project or group; its bot stays the same, and a member for as long as the new token. */
export async function rotatePlaceToken(
  ctx: Context,
  place: MemberPlace,
  token: BotTokenRow,
  expiresAt: string | undefined,
): Promise<FreshToken<BotTokenRow>> {
  const fresh = await rotateToken(ctx, token, expiresAt)
  await setMembershipEnd(ctx, place.key, token.user_id, fresh.expires_at)
  return fresh
}
