/** A line that the page after a form shows once: it travels in a cookie, signed, since a page must not say what another site put there. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Secrets } from '../../kernel/secrets.ts'

const COOKIE = 'notice'
const SECONDS = 60

/** The cookie that carries a notice to the next page. */
export const noticeCookie = (text: string, secrets: Secrets): string =>
  `${COOKIE}=${Buffer.from(text).toString('base64url')}.${secrets.sign(text, COOKIE)}; Path=/; Max-Age=${SECONDS}; HttpOnly; SameSite=Lax`

/** Takes the notice away once it was shown. */
export const noNoticeCookie = `${COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`

/** Is the page that answers a request shown? What scripts ask for is not, but for what Turbo shows, which says so (`client/live/notices.ts`). */
export const isShown = (headers: IncomingHttpHeaders): boolean => headers['sec-fetch-dest'] !== 'empty' || headers['x-shown'] !== undefined

/** The notice that the page of a request is to show, if it is one of ours. */
export function noticeOf(headers: IncomingHttpHeaders, secrets: Secrets): string | undefined {
  if (!isShown(headers)) return undefined
  const [, encoded, signature] = /(?:^|;\s*)notice=([\w-]+)\.([^;]+)/.exec(headers.cookie ?? '') ?? []
  if (encoded === undefined || signature === undefined) return undefined
  const text = Buffer.from(encoded, 'base64url').toString('utf8')
  return secrets.verify(text, COOKIE, signature) ? text : undefined
}
