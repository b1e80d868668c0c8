/** Making an account of one's own. */
import { type ApplicationSettingsRow, applicationSettings } from '../../platform/application_settings/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid, notFound } from '../../platform/kernel/errors.ts'
import { createUser, type NewUser } from '../users/commands.ts'
import type { UserRow } from '../users/queries.ts'
import { isDomainIn } from './domains.ts'

/** What a person gives to get an account. */
export type SignUp = Required<Pick<NewUser, 'name' | 'username' | 'email' | 'password'>>

/** The settings of the instance, if people may sign up. @throws Refusal 404 if they may not */
export async function openSignUp(ctx: Pick<Context, 'db'>): Promise<ApplicationSettingsRow> {
  const settings = await applicationSettings(ctx.db)
  if (!settings.signup_enabled) throw notFound()
  return settings
}

/**
 * Creates the account. Where the instance wants an approval, nobody signs in to it before an administrator has given it, and until then the address
 * is nobody's: it is the administrator who vouches for both.
 * @throws Refusal 400 by field, 409 if the name or the address is taken, 429 after too many from one address
 */
export async function signUp(ctx: Context, { name, username, email, password }: SignUp): Promise<UserRow> {
  const settings = await openSignUp(ctx)
  await ctx.deps.limiter.signIn(ctx.request.ip)
  assertDomain(settings, email)
  return createUser(ctx, { name, username, email, password, awaitsApproval: settings.require_admin_approval_after_user_signup })
}

function assertDomain({ domain_allowlist, domain_denylist_enabled, domain_denylist }: ApplicationSettingsRow, email: string): void {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  const isAllowed = domain_allowlist.length === 0 || isDomainIn(domain_allowlist, domain)
  const isDenied = domain_denylist_enabled && isDomainIn(domain_denylist, domain)
  if (!isAllowed || isDenied) throw invalid({ email: ['is of a domain that this server does not take'] })
}
