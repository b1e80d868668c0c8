/**
 * A sign-in that waits for the second factor. The browser has a random secret in a cookie, and the server its digest: for five minutes, for one account,
 * and while what proved the first factor holds.
 */
import { passwordProof } from '../../platform/access/current_actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { SignInMethod } from '../../platform/events/audit/kinds.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { digestOf, newLongToken } from '../../platform/kernel/secrets.ts'
import { type EndedSessions, isEnded, keptSession, type ProviderSession } from '../providers/provider_sessions.ts'
import { type UserRow, userById } from '../users/queries.ts'

/** Minutes that a person has for the second step. */
const MINUTES = 5

const COOKIE = '_service_second_factor'

/** Where the second step is asked for. */
export const SECOND_FACTOR = '/users/two_factor'

/** How the first factor was proven. */
export interface FirstFactor {
  readonly method: SignInMethod
  /** The provider that the person came from (identity/providers). */
  readonly provider?: string | undefined
  /** What that provider calls the session there. */
  readonly providerSession?: ProviderSession | undefined
}

/** A sign-in whose first factor was proven. */
export interface PendingSignIn extends FirstFactor {
  readonly id: number
  readonly password_proof: string
  readonly user: UserRow
}

/** Which password an account has; of one without a password always the same. */
export const proofOf = ({ password_digest }: Pick<UserRow, 'password_digest'>): string => passwordProof(password_digest ?? '')

/** Begins to wait; returns the secret of the cookie. */
export async function beginPending(
  { db, now }: Pick<Context, 'db' | 'now'>,
  locked: Pick<UserRow, 'id' | 'password_digest'>,
  { method, provider, providerSession }: FirstFactor,
): Promise<string> {
  const secret = newLongToken()
  await db.deleteFrom('pending_sign_ins').where('expires_at', '<=', now.toISOString()).execute()
  const identity =
    provider === undefined
      ? undefined
      : await db.selectFrom('identities').select('id').where('user_id', '=', locked.id).where('provider', '=', provider).executeTakeFirst()
  await db
    .insertInto('pending_sign_ins')
    .values({
      user_id: locked.id,
      digest: digestOf(secret),
      method,
      password_proof: proofOf(locked),
      provider: provider ?? null,
      provider_session: keptSession(providerSession),
      identity_id: identity?.id ?? null,
      expires_at: new Date(now.getTime() + MINUTES * 60_000),
      created_at: now,
    })
    .execute()
  // It becomes the browser's cookie.
  return secret.reveal()
}

/** The sign-in that this browser waits with; undefined where there is none, or no longer. */
export async function pendingOf({ db, now, request }: Pick<Context, 'db' | 'now' | 'request'>): Promise<PendingSignIn | undefined> {
  const secret = new RegExp(`(?:^|; )${COOKIE}=([0-9a-f]{64})(?:;|$)`).exec(request.headers.cookie ?? '')?.[1]
  if (secret === undefined) return undefined
  const row = await db
    .selectFrom('pending_sign_ins')
    .select(['id', 'user_id', 'method', 'provider', 'provider_session', 'password_proof'])
    .where('digest', '=', digestOf(secret))
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
  const user = row && (await userById(db, row.user_id))
  if (!row || !user) return undefined
  const { id, password_proof } = row
  const providerSession = (row.provider_session as ProviderSession | null) ?? undefined
  return { id, password_proof, method: row.method as SignInMethod, provider: row.provider ?? undefined, providerSession, user }
}

/** Ends the waiting; false where another request has. */
export async function endPending(db: Db, { id }: Pick<PendingSignIn, 'id'>): Promise<boolean> {
  const ended = await db.deleteFrom('pending_sign_ins').where('id', '=', id).returning('id').executeTakeFirst()
  return ended !== undefined
}

/** Ends all sign-ins of an account that wait. */
export async function dropPendingSignIns(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('pending_sign_ins').where('user_id', '=', userId).execute()
}

const cookie = (value: string, seconds: number, { url }: Pick<Context, 'url'>): string =>
  `${COOKIE}=${value}; Path=/users; HttpOnly; SameSite=Lax; Max-Age=${seconds}${url.startsWith('https:') ? '; Secure' : ''}`

/** The `Set-Cookie` with the secret; without one, that which deletes it. */
export const pendingCookie = (ctx: Pick<Context, 'url'>, secret?: string): string =>
  secret === undefined ? cookie('', 0, ctx) : cookie(secret, MINUTES * 60, ctx)

/** Ends the sign-ins that wait of the sessions that a provider ends. */
export const endNamedPending = async (db: Db, provider: string, which: EndedSessions): Promise<void> => {
  await db.deleteFrom('pending_sign_ins').where('provider', '=', provider).where(isEnded(which)).execute()
}

/** Ends the sign-ins that wait of an identity at a provider. */
export const endPendingOfIdentity = async (db: Db, identityId: number): Promise<void> => {
  await db.deleteFrom('pending_sign_ins').where('identity_id', '=', identityId).execute()
}
