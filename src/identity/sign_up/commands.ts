/** Making an account of one's own. */
import { type ApplicationSettingsRow, applicationSettings } from '../../platform/application_settings/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { Port } from '../../platform/kernel/declaration/port.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { sendConfirmation, wantsConfirmation } from '../email_confirmations/links.ts'
import { waysIn } from '../sessions/ways_in.ts'
import { createUser, makeUser, type NewUser } from '../users/commands.ts'
import { type UserRow, userById } from '../users/queries.ts'
import { askForApproval } from './approval.ts'
import { assertEmailDomain } from './domains.ts'

/** What a person gives to get an account. */
export type SignUp = Required<Pick<NewUser, 'name' | 'username' | 'email' | 'password'>>

/** The account, and whether its address gets a link. */
export type SignedUp = UserRow & { readonly isMailed: boolean }

/** The address that the secret of an invitation was sent to; undefined for none. Who has the secret reads the mails of the address. */
export const invitedAddress = new Port<(ctx: Pick<Context, 'db' | 'now'>, secret: string) => Promise<string | undefined>>('invitedAddress')

/** The settings of the instance, if people may sign up. @throws Refusal 404 if they may not */
export async function openSignUp(ctx: Pick<Context, 'db' | 'deps'>): Promise<ApplicationSettingsRow> {
  if (!(await waysIn(ctx)).isOpen) throw notFound()
  return applicationSettings(ctx.db)
}

/**
 * Creates the account. Where the instance wants the address confirmed, it is nobody's until then, and nobody learns whether another account has it:
 * its owner gets a mail. Where the instance wants an approval, nobody signs in before an administrator has given it; where no mail is sent, it is the
 * administrator who vouches for the address too.
 * @param invitation the secret of the link by which the person was invited
 * @throws Refusal 400 by field, 409 if the name is taken (or the address, where it is not confirmed), 429 after too many from one address
 */
export async function signUp(ctx: Context, { name, username, email, password }: SignUp, invitation?: string): Promise<SignedUp> {
  const settings = await openSignUp(ctx)
  await ctx.deps.limiter.signIn(ctx.request.ip)
  assertEmailDomain(settings, email)
  const attributes = { name, username, email, password, awaitsApproval: settings.require_admin_approval_after_user_signup }
  const invited = invitation === undefined ? undefined : await invitedAddress.value(ctx, invitation)
  if (invited?.toLowerCase() === email.toLowerCase()) return made(ctx, await createUser(ctx, { ...attributes, confirmed: true }))
  if (!wantsConfirmation(ctx, settings)) return made(ctx, await createUser(ctx, attributes))
  const user = (await userById(ctx.db, await makeUser(ctx, { ...attributes, confirmed: false }))) as UserRow
  await sendConfirmation(ctx, { user, email, as: 'first' })
  return { ...user, isMailed: true }
}

/** An account whose address gets no link. */
async function made(ctx: Context, user: UserRow): Promise<SignedUp> {
  await askForApproval(ctx, user)
  return { ...user, isMailed: false }
}
