/** The ways in that the sign-in page shows. */
import { type ApplicationSettingsRow, applicationSettings } from '../../platform/application_settings/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { providersOf } from '../providers/file.ts'
import type { Provider } from '../providers/provider.ts'
import type { UserRow } from '../users/queries.ts'

export interface WaysIn {
  /** May people make accounts of their own? They have a password, and no other way in: without passwords nobody may. */
  readonly isOpen: boolean
  /** Does everybody sign in with a password who has one? If not, administrators do all the same. */
  readonly byPassword: boolean
  readonly providers: readonly Provider[]
  /** What the instance says to those who sign in. */
  readonly says: string | null
}

/**
 * Without a provider, passwords are always a way in: the setting cannot lock everybody out, and starting without the file of providers brings them
 * back.
 */
const takesPasswords = (settings: ApplicationSettingsRow, providers: readonly Provider[]): boolean =>
  settings.password_authentication_enabled_for_web || providers.length === 0

/** The ways in of this instance. */
export async function waysIn({ db, deps }: Pick<Context, 'db' | 'deps'>): Promise<WaysIn> {
  const settings = await applicationSettings(db)
  const providers = providersOf(deps.config)
  const byPassword = takesPasswords(settings, providers)
  return { isOpen: settings.signup_enabled && byPassword, byPassword, providers, says: settings.sign_in_text }
}

/** May this user sign in on the page with their password? Administrators always may: a provider may fail. */
export const mayUsePassword = async (ctx: Pick<Context, 'db' | 'deps'>, { admin }: Pick<UserRow, 'admin'>): Promise<boolean> =>
  admin || (await waysIn(ctx)).byPassword
