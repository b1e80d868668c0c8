/** Reads of additional email addresses. */

import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { lockName } from '../../platform/db/statements/named_locks.ts'
import type { SummaryRow } from '../users/queries.ts'
import { usersByPrivateEmail } from './private_email.ts'

const emails = (db: Db) => db.selectFrom('emails').select(['id', 'user_id', 'email', 'confirmed_at'])

export type EmailRow = Awaited<ReturnType<ReturnType<typeof emails>['executeTakeFirstOrThrow']>>

/** The additional addresses of a user. */
export const emailsOf = (db: Db, userId: number) => emails(db).where('user_id', '=', userId).orderBy('id')

/** One additional address of a user. */
export const emailOf = (db: Db, userId: number, id: number) =>
  emails(db).where('user_id', '=', userId).where('id', '=', id).executeTakeFirst()

/** The owner of an address. */
export interface EmailHolder {
  readonly user_id: number
}

/**
 * The owner of this address, who has confirmed it as primary or additional one, ignoring case. An address that is not confirmed has no
 * owner: any user may add any address, and any account may wait with it. Waits for transactions that are about to take the same address: it is in two tables, so no index can
 * keep it unique.
 */
export async function holderOfEmail(db: Db, email: string): Promise<EmailHolder | undefined> {
  await lockName(db, 'email', email.toLowerCase())
  const { rows } = await sql<EmailHolder>`
    select id as user_id from users where lower(email) = lower(${email}) and confirmed_at is not null
    union all
    select user_id from emails where lower(email) = lower(${email}) and confirmed_at is not null`.execute(db)
  return rows[0]
}

/** The accounts with this primary address that have not confirmed it, without those that wait for an approval. */
export async function unconfirmedHoldersOf(db: Db, email: string): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from users
    where lower(email) = lower(${email}) and confirmed_at is null and state <> 'blocked_pending_approval'
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * The active accounts that have confirmed these addresses, as primary or additional ones, or whose private address they are, by address in small
 * letters: one statement for a page, and another one where an address has the form of private ones.
 */
export async function accountsByEmail(db: Db, addresses: readonly string[]): Promise<ReadonlyMap<string, SummaryRow>> {
  const wanted = [...new Set(addresses.map(address => address.toLowerCase()))]
  if (wanted.length === 0) return new Map()
  const { rows } = await sql<SummaryRow & { address: string }>`
    select lower(users.email) as address, users.id, users.name, users.username, users.state, users.avatar_url
    from users where lower(users.email) = any(${wanted}) and users.confirmed_at is not null and users.state = 'active'
    union all
    select lower(emails.email), users.id, users.name, users.username, users.state, users.avatar_url
    from emails join users on users.id = emails.user_id
    where lower(emails.email) = any(${wanted}) and emails.confirmed_at is not null and users.state = 'active'`.execute(db)
  const byPrivate = [...(await usersByPrivateEmail(db, wanted))].filter(([, { state }]) => state === 'active')
  return new Map([...byPrivate, ...rows.map(({ address, ...account }) => [address, account] as const)])
}

/** Has the user added this address, confirmed or not? */
export async function hasAddedEmail(db: Db, userId: number, email: string): Promise<boolean> {
  const row = await emails(db).where('user_id', '=', userId).where(sql`lower(email)`, '=', email.toLowerCase()).executeTakeFirst()
  return row !== undefined
}
