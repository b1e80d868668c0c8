/** The one way in: a person has proven who they are, by whatever method, and gets a session if the account may have one. */

import { sessionEnd } from '../../platform/access/credentials/credentials.ts'
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import type { Db } from '../../platform/db/connection.ts'
import { transactOnce } from '../../platform/db/transact.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { digestOf, newLongToken } from '../../platform/kernel/secrets.ts'
import { networkOf } from '../../platform/networks.ts'
import { mailOwner } from '../account_mails/recipients.ts'
import { newSignIn } from '../account_mails/texts.ts'
import { located } from '../places/places.ts'
import { type EndedSessions, isEnded, keptSession, type ProviderSession } from '../providers/provider_sessions.ts'
import { beginPending, endPending, type FirstFactor, type PendingSignIn, proofOf } from '../two_factor/pending.ts'
import { countSignIn, moveUser } from '../users/commands.ts'
import type { UserRow } from '../users/queries.ts'
import { isKnown, recordSignIn, whyNoSignIn, whyUnconfirmed } from './passwords.ts'

/** How a person has proven that an account is theirs. */
export interface Proof extends FirstFactor {
  /** Does the proof still hold? Asked with the locked row of the account: the password, or the link to a provider, may have changed since. */
  holds(db: Db, locked: Pick<UserRow, 'id' | 'password_digest'>): boolean | Promise<boolean>
  /** It was two factors already, as a passkey that has verified its user: there is no second step. */
  readonly isTwoFactor?: true
}

/** The result of an attempt to sign in: the secret of a new session, that of the second step, or a message for the user. */
export type SignIn =
  | { readonly session: string; readonly reactivated: boolean }
  | { readonly secondFactor: string }
  | { readonly refused: string }

/**
 * Begins a session for a user who has proven who they are. A deactivated account becomes active again (users API: deactivate). Any other state that
 * is not active is a message, which only the owner sees.
 * @param ctx outside of a transaction
 * @param lost the message where the proof no longer holds
 */
export async function enter(ctx: Context, user: UserRow, proof: Proof, lost: string): Promise<SignIn> {
  const reason = whyNotEnter(user)
  if (reason !== undefined) return { refused: reason }
  const entered = await transactOnce(ctx.deps.database.db, async db => {
    const locked = await lockedAsSeen(db, user)
    if (!locked || !(await proof.holds(db, locked))) return undefined
    if (!locked.two_factor_enabled || proof.isTwoFactor) return begin({ ...ctx, db }, user, proof)
    return { secondFactor: await beginPending({ ...ctx, db }, locked, proof) }
  })
  return entered ?? { refused: lost }
}

/**
 * Begins the session of a sign-in that waited for the second factor, if the first one still holds. Of several at the same time one wins.
 * @param prove checks the second factor, and uses up what counts once; `db` is the transaction, with the locked row of the account
 */
export async function enterSecondFactor(
  ctx: Context,
  pending: PendingSignIn,
  prove: (within: Context) => Promise<boolean>,
): Promise<SignIn | undefined> {
  const { user } = pending
  const reason = whyNotEnter(user)
  if (reason !== undefined) return { refused: reason }
  return transactOnce(ctx.deps.database.db, async db => {
    const within = { ...ctx, db }
    const locked = await lockedAsSeen(db, user)
    if (!locked || proofOf(locked) !== pending.password_proof) return { refused: 'Please sign in again.' }
    if (!(await prove(within))) return undefined
    if (!(await endPending(db, pending))) return { refused: 'Please sign in again.' }
    return begin(within, user, pending)
  })
}

const whyNotEnter = (user: UserRow): string | undefined => (user.state === 'deactivated' ? whyUnconfirmed(user) : whyNoSignIn(user))

/** The account, locked, if its state is still what was checked before the transaction. A change of it, or of the proof, waits for this lock. */
async function lockedAsSeen(db: Db, { id, state }: UserRow) {
  const row = await db
    .selectFrom('users')
    .select(['id', 'password_digest', 'state', 'two_factor_enabled'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row?.state === state ? row : undefined
}

async function begin(ctx: Context, user: UserRow, proof: FirstFactor): Promise<SignIn> {
  const reactivated = user.state === 'deactivated'
  if (reactivated) await moveUser(ctx, user, 'activate')
  return { session: await beginSession(ctx, user, proof), reactivated }
}

/** Does the sign-in come from a network where the account has no session, and its last sign-ins were not? Not the first sign-in of all. */
async function isFromNewNetwork({ db, request }: Context, user: UserRow): Promise<boolean> {
  if (user.current_sign_in_ip === null || isKnown(user, request.ip)) return false
  const sessions = await db.selectFrom('sessions').select('ip_address').distinct().where('user_id', '=', user.id).execute()
  return !sessions.some(({ ip_address }) => ip_address !== null && networkOf(ip_address) === networkOf(request.ip))
}

/** Always a new id, so that an attacker cannot prepare a session for another user to sign in to (session fixation). */
async function beginSession(ctx: Context, user: UserRow, { method, provider, providerSession }: FirstFactor): Promise<string> {
  const { db, now, request } = ctx
  await endSession(ctx)
  await db.deleteFrom('sessions').where('user_id', '=', user.id).where('expires_at', '<=', now.toISOString()).execute()
  const isElsewhere = await isFromNewNetwork(ctx, user)
  const secret = newLongToken()
  await db
    .insertInto('sessions')
    .values({
      digest: digestOf(secret),
      user_id: user.id,
      provider: provider ?? null,
      provider_session: keptSession(providerSession),
      ip_address: request.ip,
      user_agent: request.userAgent.slice(0, 255),
      expires_at: new Date(sessionEnd(now, now, await applicationSettings(db))),
      created_at: now,
      confirmed_at: now,
    })
    .execute()
  if (isElsewhere)
    await mailOwner(
      ctx,
      { ...user, state: 'active' },
      newSignIn({ username: user.username, from: await located(ctx.deps, request.ip), userAgent: request.userAgent, at: now }),
    )
  await countSignIn(ctx, user.id)
  await recordSignIn(ctx, user, method)
  // It becomes the browser's cookie.
  return secret.reveal()
}

/** Ends the sessions of a user that were begun by this provider; `ctx.db` is a transaction, and the account locked: none begins meanwhile. */
export async function endSessionsBy(ctx: Context, userId: number, provider: string): Promise<void> {
  const ended = await ctx.db.deleteFrom('sessions').where('user_id', '=', userId).where('provider', '=', provider).returning('id').execute()
  if (ended.length === 0) return
  await recordEvent(ctx, { kind: 'session.ended', payload: { user_id: userId, count: ended.length }, actorId: ctx.actor.user?.id })
}

/** Ends the sessions that a provider names, of whichever user; `ctx.db` is a transaction. */
export async function endNamedSessions(ctx: Context, provider: string, which: EndedSessions): Promise<void> {
  const ended = await ctx.db.deleteFrom('sessions').where('provider', '=', provider).where(isEnded(which)).returning('user_id').execute()
  for (const user_id of new Set(ended.map(row => row.user_id))) {
    const count = ended.filter(row => row.user_id === user_id).length
    await recordEvent(ctx, { kind: 'session.ended', payload: { user_id, count } })
  }
}

/** What a session was begun by that has ended. */
interface Begun {
  readonly provider: string | null
  readonly session: ProviderSession | undefined
}

/** Ends the session of the request, if any, and answers what it was; `ctx.db` is a transaction. */
export async function endSession(ctx: Context): Promise<Begun | undefined> {
  const { actor, db } = ctx
  if (actor.credential?.kind !== 'session') return undefined
  const ended = await db
    .deleteFrom('sessions')
    .where('id', '=', actor.credential.id)
    .returning(['user_id', 'provider', 'provider_session'])
    .executeTakeFirst()
  if (!ended) return undefined
  await recordEvent(ctx, { kind: 'session.ended', payload: { user_id: ended.user_id, count: 1 }, actorId: actor.user?.id })
  return { provider: ended.provider, session: (ended.provider_session as ProviderSession | null) ?? undefined }
}
