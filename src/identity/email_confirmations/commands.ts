/**
 * An address is confirmed by a link that only its owner gets. Who asks for one learns nothing of whether an account waits with the address: the request
 * does the same for every address, and all else is done by the queue.
 */
import { sql } from 'kysely'
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import type { Db } from '../../platform/db/connection.ts'
import { transact } from '../../platform/db/transact.ts'
import { enqueue } from '../../platform/events/worker.ts'
import { type Context, type Deps, systemContext } from '../../platform/kernel/context.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { digestOf } from '../../platform/kernel/secrets.ts'
import { confirmAddedEmail } from '../emails/commands.ts'
import { holderOfEmail } from '../emails/queries.ts'
import { askForApproval } from '../sign_up/approval.ts'
import { assertEmailDomain } from '../sign_up/domains.ts'
import { updateUser } from '../users/commands.ts'
import { type UserRow, userById } from '../users/queries.ts'
import { sendConfirmation, type Waiting } from './links.ts'

/**
 * Asks for a link to this address.
 * @throws Refusal 429 after too many from one network
 */
export async function requestConfirmation(ctx: Context, email: string): Promise<void> {
  const { deps, db, request } = ctx
  await deps.limiter.signIn(request.ip)
  await enqueue(db, 'send_confirmation', { email: email.trim(), request_id: request.id })
}

/** Accounts whose links are sent for one request: any number of them may wait with an address, the latest count. */
const MOST_ACCOUNTS = 3

/** Writes the mails with the links, to the accounts that wait with this address. Once for each request. */
export async function sendConfirmations(deps: Deps, { email, request_id }: { readonly email: string; readonly request_id: string }) {
  await transact(deps.database.db, async db => {
    // Not the host that the request names: who asks could send the owner, with the secret, to a host of theirs.
    const ctx = systemContext(deps, db)
    for (const { id, username, address, as } of await waitingWith(db, email))
      await sendConfirmation(ctx, { user: { id, username }, email: address, as, requestKey: `${request_id} ${id} ${as}` })
  })
}

/** People's accounts that wait with this address, and as what. Blocked ones get no links. */
async function waitingWith(db: Db, email: string) {
  const { rows } = await sql<{ id: number; username: string; address: string; as: Waiting['as'] }>`
    select id, username, address, "as" from (
      select id, username, email as address, 'first' as "as", state, kind from users where lower(email) = lower(${email}) and confirmed_at is null
      union all
      select id, username, unconfirmed_email, 'primary', state, kind from users where lower(unconfirmed_email) = lower(${email})
      union all
      select users.id, username, emails.email, 'additional', state, kind from emails join users on users.id = emails.user_id
       where lower(emails.email) = lower(${email}) and emails.confirmed_at is null) waiting
     where kind = 'human' and state in ('active', 'deactivated', 'blocked_pending_approval')
     order by id desc limit ${MOST_ACCOUNTS}`.execute(db)
  return rows
}

/** What a link confirms, as far as one can see without using it; undefined where it was used, has ended or is none. */
export async function openConfirmation({ db, now }: Pick<Context, 'db' | 'now'>, token: string) {
  return db
    .selectFrom('email_confirmations')
    .innerJoin('users', 'users.id', 'email_confirmations.user_id')
    .select(['email_confirmations.email', 'users.username'])
    .where('digest', '=', digestOf(token))
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
}

/**
 * Confirms the address of a link; of several at the same time one wins.
 * @throws Refusal 400 for a link that was used, has ended or is none; 429 after too many attempts from one network
 */
export async function confirmByLink(ctx: Context, token: string): Promise<UserRow> {
  await ctx.deps.limiter.signIn(ctx.request.ip)
  const { db, now } = ctx
  const used = await db
    .deleteFrom('email_confirmations')
    .where('digest', '=', digestOf(token))
    .where('expires_at', '>', now.toISOString())
    .returning(['user_id', 'email'])
    .executeTakeFirst()
  if (!used) throw noLink()
  await db.selectFrom('users').select('id').where('id', '=', used.user_id).forUpdate().execute()
  const user = await userById(db, used.user_id)
  if (!user || user.state === 'blocked' || user.state === 'banned') throw noLink()
  // Confirmed for another account meanwhile.
  const holder = await holderOfEmail(db, used.email)
  if (holder && holder.user_id !== user.id) throw noLink()
  if (!(await confirm(ctx, user, used.email))) throw noLink()
  const confirmed = (await userById(db, user.id)) as UserRow
  if (user.confirmed_at === null && confirmed.confirmed_at !== null) await askForApproval(ctx, confirmed)
  return confirmed
}

/** Confirms what the account still waits for; false if it does not. */
async function confirm(ctx: Context, user: UserRow, email: string): Promise<boolean> {
  const isSame = (other: string | null): boolean => other?.toLowerCase() === email.toLowerCase()
  if (isSame(user.email)) {
    if (user.confirmed_at !== null) return false
    await updateUser(ctx, user, { confirmed: true })
    return true
  }
  if (isSame(user.unconfirmed_email)) {
    // The lists may have changed since it was asked for.
    assertEmailDomain(await applicationSettings(ctx.db), email)
    await updateUser(ctx, user, { email: user.unconfirmed_email as string, confirmed: true })
    return true
  }
  return confirmAddedEmail(ctx, user.id, email)
}

const noLink = () => invalid({ base: ['This link was used before, or has ended. Ask for another one.'] })
