/** The device authorization grant (RFC 8628): a device asks, a user answers on another one, and the device gets its token. */

import { sql } from 'kysely'
import type { ApplicationScope } from '../../../platform/access/credentials/token_scopes.ts'
import { applicationSettings } from '../../../platform/application_settings/queries.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { transactOnce } from '../../../platform/db/transact.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { whyInactive } from '../../../platform/kernel/request/authenticate.ts'
import { digestOf, newLongToken } from '../../../platform/kernel/secrets.ts'
import type { Secret } from '../../../platform/secret.ts'
import { authenticateClient, type Client, type ClientParams, clientOf, invalidClient } from '../clients.ts'
import { createToken, type FreshToken } from '../commands.ts'
import { type OAuthErrorCode, oauthRefusal } from '../dialect.ts'
import { recordGrant } from '../grants/revocation.ts'
import { authTimeOf } from '../openid/demand.ts'
import { idTokenOf } from '../openid/id_token.ts'
import { grantedScopes } from '../provider.ts'
import { newUserCode, userCodeDigest } from './codes.ts'
import type { DeviceRequest } from './queries.ts'

/** Seconds in which a user has to answer, and between the questions of a device. */
const LIFETIME = 10 * 60
const INTERVAL = 5

/** The codes of a request, which are known only at this moment. */
export interface FreshDeviceGrant {
  readonly device_code: Secret
  readonly user_code: string
  readonly expires_in: number
  readonly interval: number
}

/**
 * Begins a request of a device.
 * @throws Refusal 401 `invalid_client`, 400 `invalid_scope`
 */
export async function beginDeviceGrant(
  ctx: Context,
  params: ClientParams & { readonly scope?: string | undefined },
): Promise<FreshDeviceGrant> {
  const application = await authenticateClient(ctx, params)
  if (!application) throw invalidClient(ctx)
  const words = params.scope?.split(' ').filter(word => word !== '')
  const scopes = grantedScopes(words?.length ? words : undefined, clientOf(application).scopes)
  if (!scopes) throw oauthRefusal('bad_request', 'invalid_scope', 'The application cannot have these scopes')
  const device_code = newLongToken()
  const user_code = newUserCode()
  await ctx.db
    .insertInto('oauth_device_grants')
    .values({
      application_id: application.id,
      device_digest: digestOf(device_code),
      user_code_digest: userCodeDigest(ctx.deps.secrets, user_code),
      scopes,
      interval_seconds: INTERVAL,
      expires_at: new Date(ctx.now.getTime() + LIFETIME * 1000),
      created_at: ctx.now,
    })
    .execute()
  return { device_code, user_code, expires_in: LIFETIME, interval: INTERVAL }
}

/** Keeps what a user decided about a request; false where it was answered already. */
export async function decideDeviceGrant(
  { db, actor, now }: Context,
  { id }: DeviceRequest,
  userId: number,
  agreed: boolean,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oauth_device_grants')
    .set({ user_id: userId, decision: agreed ? 'allowed' : 'denied', auth_time: authTimeOf(actor, now) })
    .where('id', '=', id)
    .where('decision', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Why a device gets no token (RFC 8628 section 3.5), in words. */
const words = {
  authorization_pending: 'The user has not answered yet',
  slow_down: 'The device asks too often: five seconds more between its questions from now on',
  access_denied: 'The user did not agree',
  expired_token: 'The codes are no longer valid',
  invalid_grant: 'The device code is unknown, or of another client',
} as const satisfies Partial<Record<OAuthErrorCode, string>>

/**
 * The token of a device whose user has agreed. Opens its own transaction: a refused question is counted.
 * @throws Refusal in the form of OAuth
 */
export async function exchangeDeviceCode(ctx: Context, client: Client, deviceCode: string): Promise<FreshToken> {
  const outcome = await transactOnce(ctx.deps.database.db, db => answerTo({ ...ctx, db }, client, deviceCode))
  if (typeof outcome === 'string') throw oauthRefusal('bad_request', outcome, words[outcome])
  return outcome
}

/** The row of a request with the state of its user, both locked: in the order of codes (queries.ts). */
async function lockedGrant(db: Db, digest: string) {
  const found = await db.selectFrom('oauth_device_grants').select('user_id').where('device_digest', '=', digest).executeTakeFirst()
  if (!found) return undefined
  const user =
    found.user_id === null
      ? undefined
      : await db.selectFrom('users').select(['id', 'state']).where('id', '=', found.user_id).forShare().executeTakeFirst()
  const row = await db.selectFrom('oauth_device_grants').selectAll().where('device_digest', '=', digest).forUpdate().executeTakeFirst()
  // Answered meanwhile: the device asks again.
  return row && { row: row.user_id === found.user_id ? row : { ...row, decision: null }, user }
}

async function answerTo(ctx: Context, { application }: Client, deviceCode: string): Promise<FreshToken | keyof typeof words> {
  const { db, now } = ctx
  const found = await lockedGrant(db, digestOf(deviceCode))
  if (!found || !application || found.row.application_id !== application.id) return 'invalid_grant'
  const { row, user } = found
  if (Date.parse(row.expires_at) <= now.getTime()) return 'expired_token'
  if (row.decision === null) {
    const isEarly = row.polled_at !== null && now.getTime() - Date.parse(row.polled_at) < row.interval_seconds * 1000
    await db
      .updateTable('oauth_device_grants')
      .set({ polled_at: now, interval_seconds: row.interval_seconds + (isEarly ? INTERVAL : 0) })
      .where('id', '=', row.id)
      .execute()
    return isEarly ? 'slow_down' : 'authorization_pending'
  }
  await db.deleteFrom('oauth_device_grants').where('id', '=', row.id).execute()
  if (row.decision === 'denied' || !user || whyInactive(user)) return 'access_denied'
  const scopes = row.scopes as ApplicationScope[]
  const settings = await applicationSettings(db)
  const token = await createToken(
    ctx,
    { application_id: application.id, user_id: user.id, scopes, refreshable: true, auth_time: row.auth_time },
    settings,
  )
  await recordGrant(ctx, application, user.id, scopes)
  const id_token = await idTokenOf(ctx, { audience: application.uid, userId: user.id, scopes, nonce: null, authTime: row.auth_time })
  return { ...token, id_token }
}

/** Deletes the requests that ended an hour ago. */
export const sweepDeviceGrants = (db: Db, now: Date) =>
  sql`delete from oauth_device_grants where expires_at < ${now}::timestamptz - interval '1 hour'`.execute(db)
