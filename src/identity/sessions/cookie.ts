/** The session cookie (document 1, Authentication: `_service_session`). */

import type { Context } from '../../platform/kernel/context.ts'
import { SESSION_COOKIE } from '../../platform/kernel/request/authenticate.ts'

/**
 * `SameSite=Lax` sends the cookie with links from other sites and not with their forms. Without an age the browser deletes it when it ends;
 * the server's session ends some time after the last use, whatever the age of the cookie.
 */
const cookie = (value: string, { url }: Pick<Context, 'url'>): string =>
  `${SESSION_COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax${url.startsWith('https:') ? '; Secure' : ''}`

const DAY = 86_400

/**
 * The `Set-Cookie` of a new session; the secret is hex.
 * @param days for which the browser keeps it after its own end; undefined: it does not
 */
export const sessionCookie = (ctx: Context, secret: string, days?: number): string =>
  `${cookie(secret, ctx)}${days === undefined ? '' : `; Max-Age=${days * DAY}`}`

/** The `Set-Cookie` that deletes the session cookie. */
export const endedCookie = (ctx: Context): string => `${cookie('', ctx)}; Max-Age=0`
