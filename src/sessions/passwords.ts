/** Passwords: the one place where a login and a password become a user. */
import type { Context } from '../kernel/context.ts'
import { hashPassword, newLongToken, verifyPassword } from '../kernel/secrets.ts'
import { type UserRow, userByLogin } from '../users/queries.ts'

/** What an attempt is judged by. */
export type Attempt = Pick<Context, 'db' | 'deps'> & { readonly request: { readonly ip: string } }

/** A digest of nobody's password, made once. */
let nobodys: Promise<string> | undefined

/**
 * The person whose username or email and password these are, in whatever state their account is; undefined when either
 * is wrong, after the same time in both cases. Counts as an attempt to sign in from the request's address.
 * @throws Refusal 429 after too many attempts
 */
export async function userByPassword(ctx: Attempt, login: string, password: string): Promise<UserRow | undefined> {
  await ctx.deps.limiter.signIn(ctx.request.ip)
  const user = await userByLogin(ctx.db, login.trim())
  const digest = user?.kind === 'human' ? user.password_digest : null
  nobodys ??= hashPassword(newLongToken().reveal())
  const right = await verifyPassword(password, digest ?? (await nobodys))
  return digest !== null && right ? user : undefined
}
