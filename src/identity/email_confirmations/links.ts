/**
 * Links with which an address is confirmed, and the mails that they are in. An address belongs to an account once it is confirmed: until then any account
 * may wait with it, and a page says the same of every address.
 */
import type { ApplicationSettingsRow } from '../../platform/application_settings/queries.ts'
import type { Db } from '../../platform/db/connection.ts'
import { lockName } from '../../platform/db/statements/named_locks.ts'
import type { Context, Deps } from '../../platform/kernel/context.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import { digestOf, newLongToken } from '../../platform/kernel/secrets.ts'
import { sendsMail, writeMail } from '../../platform/mail/outbox.ts'
import { addressInUse, type Confirmed, confirmAddress } from '../account_mails/confirmation_texts.ts'
import { holderOfEmail } from '../emails/queries.ts'

const HOUR = 60 * 60 * 1000

/** Days for which a link works. */
const DAYS = 3

/** Links to one address in an hour at most, of all accounts together: nobody fills the mailbox of another person. */
const MOST = 5

/** The address of the page that the link opens, and the parameter with its secret. */
export const CONFIRM = '/users/confirmation'
export const TOKEN = 'confirmation_token'

/** Do people who sign up confirm their address by a link? Nobody would get it where no mail is sent. */
export const wantsConfirmation = (
  ctx: Pick<Context, 'deps'>,
  settings: Pick<ApplicationSettingsRow, 'send_user_confirmation_email'>,
): boolean => settings.send_user_confirmation_email && sendsMail(ctx)

/** An address that an account waits with. */
export interface Waiting {
  readonly user: { readonly id: number; readonly username: string }
  readonly email: string
  /** What the address becomes. */
  readonly as: Confirmed
  /** Of a request that is answered by a task. */
  readonly requestKey?: string
}

/**
 * Writes the mail with the link. Where the address is of another account already, its owner is notified instead: the caller cannot tell one from
 * the other. False where the address gets no more mails for now, or this request was answered before.
 */
export async function sendConfirmation(ctx: Context, { user, email, as, requestKey }: Waiting): Promise<boolean> {
  const { db, deps, now, url } = ctx
  // Locks the address: concurrent requests are counted one after the other.
  const holder = await holderOfEmail(db, email)
  if ((await linksTo(db, email, new Date(now.getTime() - HOUR))) >= MOST) {
    deps.log.warn({ user: user.id }, 'an address is asked to be confirmed too often')
    return false
  }
  const token = newLongToken()
  const expiresAt = new Date(now.getTime() + DAYS * 24 * HOUR)
  const made = await db
    .insertInto('email_confirmations')
    .values({
      user_id: user.id,
      digest: digestOf(token),
      email,
      request_key: requestKey ?? null,
      expires_at: expiresAt,
      created_at: now,
    })
    .onConflict(conflict => conflict.column('request_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) return false
  // The name of the account is of its choice, and the address perhaps a stranger's: it is not greeted by it.
  const isTaken = holder !== undefined && holder.user_id !== user.id
  const text = isTaken
    ? addressInUse({ as, link: `${url}/users/password/new` })
    : // The mail is the one place that the link is written to, encrypted.
      confirmAddress({ username: user.username, as, days: DAYS, link: `${url}${CONFIRM}?${TOKEN}=${token.reveal()}`, expiresAt })
  await writeMail(ctx, { ...text, to: { address: email, ...(!isTaken && { userId: user.id }) } })
  return true
}

/** Links that an account gets in an hour by naming addresses: they may be of people who know nothing of it. */
const MOST_OF_ACCOUNT = 20

/** The same for an address that a user names for their account. @throws Refusal 429 after too many */
export async function requireConfirmation(ctx: Context, waiting: Waiting): Promise<void> {
  const since = new Date(ctx.now.getTime() - HOUR).toISOString()
  // Of requests at the same time the later ones wait, and count the others. The address is locked first, as where it was added.
  await holderOfEmail(ctx.db, waiting.email)
  await lockName(ctx.db, 'confirmations of an account', waiting.user.id)
  const { count } = await ctx.db
    .selectFrom('email_confirmations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', waiting.user.id)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MOST_OF_ACCOUNT)
    throw new Refusal(
      'too_many_requests',
      { message: '429 Too many addresses of this account. Try again later.' },
      { 'retry-after': '3600' },
    )
  await sendConfirmation(ctx, waiting)
}

/** Links to an address since an instant. */
async function linksTo(db: Db, email: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('email_confirmations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(({ fn, eb }) => eb(fn('lower', ['email']), '=', email.toLowerCase()))
    .where('created_at', '>', since.toISOString())
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Milliseconds that rows are kept after their end: by them the next requests are counted. */
const KEPT = 24 * HOUR

/** Deletes links that have ended. */
export async function sweepConfirmations({ database, now }: Pick<Deps, 'database' | 'now'>): Promise<void> {
  const instant = new Date(now().getTime() - KEPT)
  await database.db.deleteFrom('email_confirmations').where('expires_at', '<', instant.toISOString()).execute()
}
