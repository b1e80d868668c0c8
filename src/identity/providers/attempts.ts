/**
 * Attempts to sign in at a provider, between going there and coming back. Each works once, ends soon, and only in the browser that began it: else an
 * attacker could have others finish an attempt of theirs, and be signed in to their account (login CSRF), or finish one that was meant for others.
 */
import type { Context } from '../../platform/kernel/context.ts'
import { digestOf, newLongToken } from '../../platform/kernel/secrets.ts'
import type { Secret } from '../../platform/secret.ts'
import type { Attempt, Departure, Provider } from './provider.ts'

/** Minutes for signing in at the provider. */
const MINUTES = 15

/** The cookie of the browser; sent to the addresses of sign-in alone. */
const COOKIE = '_ingot_sign_in'
const PATH = '/users/auth'

/** The address that a provider sends the browser back to. */
export const callbackOf = ({ url }: Pick<Context, 'url'>, { name }: Provider): string =>
  `${url}${PATH}/${encodeURIComponent(name)}/callback`

/** What a person wants who goes to a provider. */
export interface Purpose {
  /** The account to link the identity to; undefined: it is a sign-in. */
  readonly userId?: number | undefined
  /** Path of this server to go to afterwards. */
  readonly returnTo: string
}

/** An attempt that came back. */
export interface Returned extends Purpose {
  readonly attempt: Attempt
}

const attemptOf = (ctx: Context, provider: Provider, state: string, data: Attempt['data'] = {}): Attempt => ({
  state,
  derived: purpose => ctx.deps.secrets.sign(state, `provider ${provider.name} ${purpose}`),
  callback: callbackOf(ctx, provider),
  data,
})

/**
 * Begins an attempt.
 * @param ctx outside of a transaction: the provider may have to be asked for its addresses
 * @returns where the browser goes, and the cookie that binds the attempt to it
 */
export async function beginAttempt(
  ctx: Context,
  provider: Provider,
  { userId, returnTo }: Purpose,
): Promise<{ readonly location: string; readonly cookie: string }> {
  if (!provider.kind.byVisit) throw new Error(`nobody visits a provider of the kind ${provider.kind.name}`)
  const state = newLongToken()
  const browser = newLongToken()
  // It goes to the provider and comes back.
  const { location, data = {} }: Departure = await provider.kind.byVisit.begin(ctx, provider, attemptOf(ctx, provider, state.reveal()))
  const { deps, now } = ctx
  await deps.database.db
    .insertInto('provider_attempts')
    .values({
      digest: digestOf(state),
      browser_digest: digestOf(browser),
      provider: provider.name,
      user_id: userId ?? null,
      return_to: returnTo,
      data: JSON.stringify(data),
      expires_at: new Date(now.getTime() + MINUTES * 60_000),
      created_at: now,
    })
    .execute()
  return { location, cookie: cookieOf(ctx, browser, MINUTES * 60) }
}

/**
 * Ends the attempt that an answer belongs to.
 * @returns undefined where there is none that this browser began at this provider, or it was ended before
 */
export async function endAttempt(ctx: Context, provider: Provider, state: string): Promise<Returned | undefined> {
  const { deps, now } = ctx
  const row = await deps.database.db
    .deleteFrom('provider_attempts')
    .where('digest', '=', digestOf(state))
    .where('browser_digest', '=', digestOf(browserOf(ctx)))
    .where('provider', '=', provider.name)
    .where('expires_at', '>', now.toISOString())
    .returning(['user_id', 'return_to', 'data'])
    .executeTakeFirst()
  if (!row) return undefined
  return {
    attempt: attemptOf(ctx, provider, state, row.data as Attempt['data']),
    userId: row.user_id ?? undefined,
    returnTo: row.return_to,
  }
}

/** Deletes the attempts that nobody came back from. */
export async function sweepAttempts({ database, now }: Context['deps']): Promise<void> {
  await database.db.deleteFrom('provider_attempts').where('expires_at', '<', now().toISOString()).execute()
}

const browserOf = ({ request }: Context): string =>
  (request.headers.cookie ?? '')
    .split(';')
    .map(pair => pair.trim())
    .find(pair => pair.startsWith(`${COOKIE}=`))
    ?.slice(COOKIE.length + 1) ?? ''

// It becomes the browser's cookie. `Lax` sends it with the way back from the provider.
const cookieOf = ({ url }: Context, browser: Secret, seconds: number): string =>
  `${COOKIE}=${browser.reveal()}; Path=${PATH}; HttpOnly; SameSite=Lax; Max-Age=${seconds}${url.startsWith('https:') ? '; Secure' : ''}`
