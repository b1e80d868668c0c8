/** Signing in and out on the pages. */
import { sessionEnd } from '../../platform/access/credentials/credentials.ts'
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import type { Db } from '../../platform/db/connection.ts'
import { recordEvent } from '../../platform/events/events.ts'
import { networkOf } from '../../platform/kernel/connections/networks.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { digestOf, newLongToken } from '../../platform/kernel/secrets.ts'
import { mailOwner } from '../account_mails/recipients.ts'
import { newSignIn } from '../account_mails/texts.ts'
import { countSignIn, moveUser } from '../users/commands.ts'
import type { UserRow } from '../users/queries.ts'
import { isKnown, recordSignIn, userByPassword, whyNoSignIn, whyUnconfirmed } from './passwords.ts'

/** The result of an attempt to sign in: the secret of a new session, or a message for the user. */
export type SignIn = { readonly session: string; readonly reactivated: boolean } | { readonly refused: string }

/**
 * Signs a user in. A deactivated account becomes active again (users API: deactivate). Any other state that is not active is shown, but
 * only to a caller who knows the password.
 * @throws Refusal 429 after too many attempts
 */
export async function signIn(ctx: Context, login: string, password: string): Promise<SignIn> {
  // Outside of any transaction: verifying the password takes time, and should hold no connection.
  const user = await userByPassword(ctx, login, password, 'password')
  if (!user) return { refused: WRONG }
  const reactivated = user.state === 'deactivated'
  const reason = reactivated ? whyUnconfirmed(user) : whyNoSignIn(user)
  if (reason !== undefined) return { refused: reason }
  const session = await ctx.deps.database.db.transaction().execute(async db => {
    if (!(await isStillTheirs(db, user))) return undefined
    if (reactivated) await moveUser({ ...ctx, db }, user, 'activate')
    return beginSession({ ...ctx, db }, user)
  })
  return session === undefined ? { refused: WRONG } : { session, reactivated }
}

const WRONG = 'Wrong username, email or password.'

/**
 * Are the password and state of the account still those that were checked before the transaction? A change of either ends sessions, and
 * waits for this lock.
 */
async function isStillTheirs(db: Db, { id, password_digest, state }: UserRow): Promise<boolean> {
  const row = await db.selectFrom('users').select(['password_digest', 'state']).where('id', '=', id).forUpdate().executeTakeFirst()
  return row !== undefined && row.password_digest === password_digest && row.state === state
}

/** Does the sign-in come from a network where the account has no session, and its last sign-ins were not? Not the first sign-in of all. */
async function isFromNewNetwork({ db, request }: Context, user: UserRow): Promise<boolean> {
  if (user.current_sign_in_ip === null || isKnown(user, request.ip)) return false
  const sessions = await db.selectFrom('sessions').select('ip_address').distinct().where('user_id', '=', user.id).execute()
  return !sessions.some(({ ip_address }) => ip_address !== null && networkOf(ip_address) === networkOf(request.ip))
}

/** Always a new id, so that an attacker cannot prepare a session for another user to sign in to (session fixation). */
async function beginSession(ctx: Context, user: UserRow): Promise<string> {
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
      newSignIn({ username: user.username, ip: request.ip, userAgent: request.userAgent, at: now }),
    )
  await countSignIn(ctx, user.id)
  await recordSignIn(ctx, user, 'password')
  // It becomes the browser's cookie.
  return secret.reveal()
}

/** Ends the session of the request, if any; `ctx.db` is a transaction. */
export async function endSession(ctx: Context): Promise<void> {
  const { actor, db } = ctx
  if (actor.credential?.kind !== 'session') return
  const ended = await db.deleteFrom('sessions').where('id', '=', actor.credential.id).returning('user_id').executeTakeFirst()
  if (ended) await recordEvent(ctx, { kind: 'session.ended', payload: { user_id: ended.user_id, count: 1 }, actorId: actor.user?.id })
}
