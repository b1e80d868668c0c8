/** Another primary address: it takes effect when it is confirmed, and the present one gets a mail now. */
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { changeAsked } from '../account_mails/confirmation_texts.ts'
import { mailOwner } from '../account_mails/recipients.ts'
import { isEmail } from '../emails/commands.ts'
import { holderOfEmail } from '../emails/queries.ts'
import { located } from '../places/places.ts'
import { assertEmailDomain } from '../sign_up/domains.ts'
import { updateUser } from '../users/commands.ts'
import type { UserRow } from '../users/queries.ts'
import { requireConfirmation } from './links.ts'

/**
 * Asks for another primary address; the present one ends what was asked for before. An additional address that is confirmed becomes it immediately.
 * Of an address that is another account's the caller learns nothing: its owner gets a mail.
 * @throws Refusal 400 for what is no address, and for one of a domain that the instance does not take; 429 after too many
 */
export async function changePrimaryEmail(ctx: Context, user: UserRow, email: string): Promise<UserRow> {
  if (!isEmail(email)) throw invalid({ email: ['is invalid'] })
  const isPresent = email.toLowerCase() === user.email.toLowerCase()
  if (!isPresent) assertEmailDomain(await applicationSettings(ctx.db), email)
  if (!isPresent && (await holderOfEmail(ctx.db, email))?.user_id === user.id) return updateUser(ctx, user, { email, confirmed: true })
  return awaitPrimaryEmail(ctx, user, isPresent ? null : email)
}

/** Waits with this address; null for none. */
export async function awaitPrimaryEmail(ctx: Context, user: UserRow, email: string | null): Promise<UserRow> {
  const updated = await updateUser(ctx, user, { unconfirmed_email: email })
  if (email !== null) {
    await requireConfirmation(ctx, { user, email, as: 'primary' })
    const from = await located(ctx.deps, ctx.request.ip)
    await mailOwner(ctx, user, changeAsked({ username: user.username, email, from }))
  }
  return updated
}
