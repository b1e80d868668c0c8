/** Passwords: the one place where a login and a password become a user. */
import { type AuditOrigin, originWithoutRequest } from '../events/audit/entry.ts'
import type { SignInMethod } from '../events/audit/kinds.ts'
import { recordEvent } from '../events/events.ts'
import type { Context } from '../kernel/context.ts'
import { hashPassword, newLongToken, verifyPassword } from '../kernel/secrets.ts'
import { type UserRow, userByLogin } from '../users/queries.ts'

/** What an attempt is judged by. */
export type Attempt = Pick<Context, 'db' | 'deps'> & { readonly request: AuditOrigin['request'] }

/** A digest of nobody's password, made once. */
let nobodys: Promise<string> | undefined

/**
 * The person whose username or email and password these are, in whatever state their account is; undefined when either
 * is wrong, after the same time in both cases. Counts as an attempt to sign in from the request's address; a failure is in the audit log.
 * @param method where the password was given
 * @throws Refusal 429 after too many attempts
 */
export async function userByPassword(ctx: Attempt, login: string, password: string, method: SignInMethod): Promise<UserRow | undefined> {
  await ctx.deps.limiter.signIn(ctx.request.ip)
  const user = await userByLogin(ctx.db, login.trim())
  const digest = user?.kind === 'human' ? user.password_digest : null
  nobodys ??= hashPassword(newLongToken().reveal())
  const right = await verifyPassword(password, digest ?? (await nobodys))
  if (digest !== null && right) return user
  await recordFailure(ctx, user, method)
  return undefined
}

/** Written at once: the transaction of the request, if it has one, is rolled back. For unknown accounts too, which then takes the same time. */
async function recordFailure({ deps, request }: Attempt, user: UserRow | undefined, method: SignInMethod): Promise<void> {
  const origin = { ...originWithoutRequest(deps.now(), undefined), request }
  const payload = { user_id: user?.id ?? null, method }
  await recordEvent({ db: deps.database.db, ...origin }, { kind: 'sign_in.failed', payload })
}

/** Tells the audit log that a user has signed in. */
export const recordSignIn = ({ db, now, request }: Context, { id }: UserRow, method: SignInMethod): Promise<void> =>
  recordEvent({ db, ...originWithoutRequest(now, id), request }, { kind: 'session.started', payload: { user_id: id, method } })
