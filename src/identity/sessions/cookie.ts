/** The session cookie as it is sent (document 1, Authentication: `_service_session`). */

import type { Context } from '../../platform/kernel/context.ts'
import { SESSION_COOKIE } from '../../platform/kernel/request/authenticate.ts'

/**
 * `SameSite=Lax` lets links from elsewhere find a person signed in and keeps other sites' forms from using the session.
 * Without an age the browser forgets it when it ends; the server's side ends some time after the last use.
 */
const cookie = (value: string, { url }: Pick<Context, 'url'>): string =>
  `${SESSION_COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax${url.startsWith('https:') ? '; Secure' : ''}`

/** The `Set-Cookie` of a session that begins; the secret is hex. */
export const sessionCookie = (ctx: Context, secret: string): string => cookie(secret, ctx)

/** The `Set-Cookie` that makes a browser forget its session. */
export const endedCookie = (ctx: Context): string => `${cookie('', ctx)}; Max-Age=0`
