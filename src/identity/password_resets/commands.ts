/**
 * A forgotten password is set again by a link that only the owner of an address of the account gets. Who asks learns nothing of whether there is such
 * an account: the request does the same for every address, and all else is done by the queue.
 */
import { transact } from '../../platform/db/transact.ts'
import { originOf } from '../../platform/events/audit/entry.ts'
import { recordEvent } from '../../platform/events/events.ts'
import { enqueue } from '../../platform/events/worker.ts'
import { type Context, type Deps, systemContext } from '../../platform/kernel/context.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { digestOf, newLongToken } from '../../platform/kernel/secrets.ts'
import { writeMail } from '../../platform/mail/outbox.ts'
import { mailOwner, personByEmail } from '../account_mails/recipients.ts'
import { firstPassword, passwordReset } from '../account_mails/texts.ts'
import { located } from '../places/places.ts'
import { unlockOwner } from '../sessions/locks/locks.ts'
import { updateUser } from '../users/commands.ts'
import { type UserRow, userById } from '../users/queries.ts'

const HOUR = 60 * 60 * 1000

/** Hours for which a link works that was asked for. */
const HOURS = 2

/** Days for which the link of a new account works. */
const DAYS = 7

/** Links that an account gets in an hour at most. */
const MOST = 5

/**
 * Asks for a link to this address.
 * @throws Refusal 429 after too many from one network
 */
export async function requestPasswordReset(ctx: Context, email: string): Promise<void> {
  const { deps, db, request } = ctx
  await deps.limiter.signIn(request.ip)
  const { id, ip, userAgent } = request
  await enqueue(db, 'send_password_reset', { email: email.trim(), request: { id, ip, userAgent: userAgent.slice(0, 255) } })
}

/** What the task knows of the request. */
export interface PasswordResetRequest {
  readonly email: string
  readonly request: { readonly id: string; readonly ip: string; readonly userAgent: string }
}

/** Writes the mail with the link, if the address is confirmed and its account active. Once for each request. */
export async function sendPasswordReset(deps: Deps, { email, request }: PasswordResetRequest): Promise<void> {
  await transact(deps.database.db, async db => {
    const person = await personByEmail(db, email)
    if (!person) return
    // Requests for one account come one after the other: they are counted.
    const account = await db.selectFrom('users').select('state').where('id', '=', person.userId).forUpdate().executeTakeFirst()
    if (account?.state !== 'active') return
    // Not the host that the request names: who asks could send the owner, with the secret, to a host of theirs.
    const ctx = systemContext(deps, db)
    const since = new Date(ctx.now.getTime() - HOUR).toISOString()
    const { count } = await db
      .selectFrom('password_resets')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', person.userId)
      .where('created_at', '>', since)
      .executeTakeFirstOrThrow()
    if (Number(count) >= MOST) return deps.log.warn({ user: person.userId, ip: request.ip }, 'a new password is asked for too often')
    const made = await makeLink(ctx, person.userId, { email: person.address, requestKey: request.id, milliseconds: HOURS * HOUR })
    if (!made) return
    const text = passwordReset({ username: person.username, hours: HOURS, from: await located(deps, request.ip), ...made })
    await writeMail(ctx, { ...text, to: person })
    const origin = originOf({ request }, ctx.now, undefined)
    await recordEvent({ db, ...origin }, { kind: 'password_reset.requested', payload: { user_id: person.userId } })
  })
}

/** Writes the mail of a new account without a password, in the transaction that makes it. */
export async function sendFirstPassword(ctx: Context, user: UserRow): Promise<void> {
  const made = await makeLink(ctx, user.id, { email: user.email, requestKey: `user ${user.id}`, milliseconds: DAYS * 24 * HOUR })
  if (made) await mailOwner(ctx, user, firstPassword({ username: user.username, days: DAYS, ...made }))
}

interface LinkOptions {
  readonly email: string
  readonly requestKey: string
  readonly milliseconds: number
}

/** Makes a link; undefined where this request has made one. */
async function makeLink({ db, now, url }: Context, userId: number, { email, requestKey, milliseconds }: LinkOptions) {
  const token = newLongToken()
  const expiresAt = new Date(now.getTime() + milliseconds)
  const made = await db
    .insertInto('password_resets')
    .values({ user_id: userId, digest: digestOf(token), email, request_key: requestKey, expires_at: expiresAt, created_at: now })
    .onConflict(conflict => conflict.column('request_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  // The mail is the one place that the link is written to, encrypted.
  return made && { link: `${url}${EDIT}?${TOKEN}=${token.reveal()}`, expiresAt }
}

/** The address of the page that the link opens, and the parameter with its secret. */
export const EDIT = '/users/password/edit'
export const TOKEN = 'reset_password_token'

/** Can a password be set with this link, as far as one can see without using it? */
export const isOpenLink = async ({ db, now }: Pick<Context, 'db' | 'now'>, token: string): Promise<boolean> =>
  (await db
    .selectFrom('password_resets')
    .select('id')
    .where('digest', '=', digestOf(token))
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()) !== undefined

/**
 * Sets the password with the secret of a link, and ends all sessions; of several at the same time one wins. A password that is refused leaves the link
 * as it is.
 * @throws Refusal 400 for a link that was used, has ended or is none, and for a weak password; 429 after too many attempts from one network
 */
export async function setForgottenPassword(ctx: Context, token: string, password: string): Promise<void> {
  await ctx.deps.limiter.signIn(ctx.request.ip)
  const { db, now, request } = ctx
  const used = await db
    .deleteFrom('password_resets')
    .where('digest', '=', digestOf(token))
    .where('expires_at', '>', now.toISOString())
    .returning(['user_id', 'email'])
    .executeTakeFirst()
  if (!used) throw noLink()
  await db.selectFrom('users').select('id').where('id', '=', used.user_id).forUpdate().execute()
  // The address may have been taken from the account since, and the account may be blocked.
  const person = await personByEmail(db, used.email)
  const user = person?.userId === used.user_id ? await userById(db, used.user_id) : undefined
  if (!user) throw noLink()
  await updateUser(ctx, user, { password })
  // Who reads the mails of the account is not kept out by those who guess its password.
  await unlockOwner(ctx, user.id)
  const origin = originOf({ request }, now, user.id)
  await recordEvent({ db, ...origin }, { kind: 'password_reset.used', payload: { user_id: user.id } })
}

const noLink = () => invalid({ base: ['This link was used before, or has ended. Ask for another one.'] })
