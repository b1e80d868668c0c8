/** Signing in with a password: the one kept here, or that of a directory. */
import type { Context } from '../../platform/kernel/context.ts'
import { welcomeBack } from '../ldap/presence.ts'
import { signInBy } from '../providers/arrival.ts'
import { enter, type SignIn } from './entry.ts'
import { provenByPassword } from './passwords.ts'
import { mayUsePassword } from './ways_in.ts'

const WRONG = 'Wrong username, email or password.'

/**
 * Signs a user in. What the state of the account allows (entry.ts) is shown only to a caller who knows the password.
 * @throws Refusal 429 after too many attempts
 */
export async function signIn(ctx: Context, login: string, password: string): Promise<SignIn> {
  // Outside of any transaction: verifying the password takes time, and should hold no connection.
  const proven = await provenByPassword(ctx, login, password, 'password')
  if ('claims' in proven) {
    await welcomeBack(ctx, proven.provider, proven.claims)
    return signInBy(ctx, proven.provider, proven.claims)
  }
  if (!('user' in proven)) return { refused: [WRONG, proven.unreachable].filter(text => text !== undefined).join(' ') }
  const { user } = proven
  if (!(await mayUsePassword(ctx, user))) return { refused: 'This server takes no passwords: sign in by one of the accounts on this page.' }
  const { password_digest } = user
  return enter(ctx, user, { method: 'password', holds: (_, locked) => locked.password_digest === password_digest }, WRONG)
}
