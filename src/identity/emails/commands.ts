/** Writes of additional email addresses. */
import { domainToASCII, domainToUnicode } from 'node:url'
import { sql } from 'kysely'
import { originOf } from '../../platform/events/audit/entry.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { conflict, invalid } from '../../platform/kernel/errors.ts'
import { confirmedEmail } from './confirmed_email.ts'
import { isPrivateEmail } from './private_email.ts'
import { type EmailRow, hasAddedEmail, holderOfEmail } from './queries.ts'

const form = /^[^@\s<>()"']+@[^@\s<>()"']+$/

/** Can this be an email address? Only its form is checked. */
export const isEmail = (text: string): boolean => form.test(text) && isPlainDomain(text.slice(text.lastIndexOf('@') + 1).toLowerCase())

/**
 * Is a domain written as itself? Mail to `example.com.` or, with wide letters, `ｅxample.com` goes to `example.com`: lists of domains and the rule
 * of one account for an address would not recognize it.
 */
function isPlainDomain(domain: string): boolean {
  const ascii = domainToASCII(domain)
  return ascii !== '' && !domain.endsWith('.') && (domain === ascii || domain === domainToUnicode(ascii))
}

/** 409 when the address belongs to another user (decision 13), or stands in commits as a private one. */
export async function assertEmailIsFree({ db }: Context, email: string, userId: number | undefined): Promise<void> {
  const holder = await holderOfEmail(db, email)
  if ((holder && holder.user_id !== userId) || (await isPrivateEmail(db, email))) throw taken()
}

const taken = () => conflict('Email has already been taken')

/** Removes an address that is known to be one user's from those who have added it without confirmation. */
export async function removeUnconfirmedEmails({ db }: Context, email: string): Promise<void> {
  await db.deleteFrom('emails').where(sql`lower(email)`, '=', email.toLowerCase()).where('confirmed_at', 'is', null).execute()
}

/**
 * Adds an email address to a user; 409 when it is another user's (identity/emails/queries.ts), or the user's own already. Until it is
 * confirmed other users may add it too; the first one to confirm it gets it.
 */
export async function addEmail(ctx: Context, userId: number, email: string, confirmed: boolean): Promise<EmailRow> {
  if (!isEmail(email)) throw invalid({ email: ['is invalid'] })
  await assertEmailIsFree(ctx, email, undefined)
  if (await hasAddedEmail(ctx.db, userId, email)) throw taken()
  if (confirmed) await removeUnconfirmedEmails(ctx, email)
  const added = await ctx.db
    .insertInto('emails')
    .values({ user_id: userId, email, confirmed_at: confirmed ? ctx.now : null, created_at: ctx.now })
    .returning(['id', 'user_id', 'email', 'confirmed_at'])
    .executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'email.added', payload: { id: added.id, name: email, user_id: userId } })
  if (confirmed) await confirmedEmail.value(ctx, userId, email)
  return added
}

/** Confirms an address that the user has added, if they have: it is nobody else's, which the caller has checked. */
export async function confirmAddedEmail(ctx: Context, userId: number, email: string): Promise<boolean> {
  const { db, now, request } = ctx
  const confirmed = await db
    .updateTable('emails')
    .set({ confirmed_at: now })
    .where('user_id', '=', userId)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('confirmed_at', 'is', null)
    .returning(['id', 'email'])
    .executeTakeFirst()
  if (!confirmed) return false
  const payload = { id: confirmed.id, name: confirmed.email, user_id: userId }
  await recordEvent({ db, ...originOf({ request }, now, userId) }, { kind: 'email.confirmed', payload })
  await removeUnconfirmedEmails(ctx, email)
  await confirmedEmail.value(ctx, userId, email)
  return true
}

/** Prepares an address to become the account's primary one: removes it from the additional ones, of other users too. */
export async function promoteEmail(ctx: Context, userId: number, email: string): Promise<void> {
  await assertEmailIsFree(ctx, email, userId)
  await ctx.db
    .deleteFrom('emails')
    .where('user_id', '=', userId)
    .where(({ fn, eb }) => eb(fn('lower', ['email']), '=', email.toLowerCase()))
    .execute()
}

/** Removes an address. */
export async function removeEmail(ctx: Context, email: EmailRow): Promise<void> {
  await ctx.db.deleteFrom('emails').where('id', '=', email.id).returning('id').executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'email.removed', payload: { id: email.id, name: email.email, user_id: email.user_id } })
}
