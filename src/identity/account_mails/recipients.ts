/** Who gets mails about an account: its owner, at an address that they have confirmed. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { MailRecipient, NewMail } from '../../platform/mail/outbox.ts'
import { writeMail } from '../../platform/mail/outbox.ts'
import { type UserRow, userById } from '../users/queries.ts'

/** The columns by which an account gets mails. */
type Owner = Pick<UserRow, 'id' | 'name' | 'email' | 'confirmed_at' | 'state' | 'kind'>

/** The owner at their primary address; undefined for bots, accounts that are not active, and an address that is not confirmed. */
const ownerOf = ({ id, name, email, confirmed_at, state, kind }: Owner): MailRecipient | undefined =>
  kind === 'human' && state === 'active' && confirmed_at !== null ? { userId: id, name, address: email } : undefined

/** Writes a mail to the owner of an account, if it gets any. */
export async function mailOwner(ctx: Context, owner: Owner, mail: Omit<NewMail, 'to'>): Promise<void> {
  const to = ownerOf(owner)
  if (to) await writeMail(ctx, { ...mail, to })
}

/** The same for the account with this id. */
export async function mailAccount(ctx: Context, userId: number, mail: Omit<NewMail, 'to'>): Promise<void> {
  const owner = await userById(ctx.db, userId)
  if (owner) await mailOwner(ctx, owner, mail)
}

/** The owner of an active account. */
export type Person = Required<MailRecipient> & { readonly userId: number; readonly username: string }

/**
 * The person with an active account who has confirmed this address, as primary or additional one, ignoring case: with the address as it is kept,
 * since another one may only look like it.
 */
export async function personByEmail(db: Db, email: string): Promise<Person | undefined> {
  const { rows } = await sql<Person>`
    select id as "userId", name, username, email as address
      from users where lower(email) = lower(${email}) and confirmed_at is not null and state = 'active' and kind = 'human'
    union all
    select users.id, users.name, users.username, emails.email
      from emails join users on users.id = emails.user_id
     where lower(emails.email) = lower(${email}) and emails.confirmed_at is not null and users.state = 'active' and users.kind = 'human'`.execute(
    db,
  )
  return rows[0]
}
