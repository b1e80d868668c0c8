/**
 * The dialect of HTML pages: authentication by session cookie alone, refusals as pages. A user who must sign in first is redirected to do
 * so and returned afterwards.
 */
import type { FastifyRequest } from 'fastify'
import { anonymous, provenUser } from '../access/actor.ts'
import { findSession } from '../access/credentials/credentials.ts'
import type { Config } from '../config.ts'
import { type Dialect, type ErrorAnswer, root } from '../kernel/declaration/dialect.ts'
import { forbidden, type Refusal } from '../kernel/errors.ts'
import { SESSION_COOKIE, whyInactive } from '../kernel/request/authenticate.ts'
import { digestOf } from '../kernel/secrets.ts'
import { documentOf, pageHeaders } from './document.ts'
import { html } from './html.ts'

export const HTML = 'text/html; charset=utf-8'

export const pages: Dialect = {
  ...root,
  name: 'pages',
  credentials: ['session'],
  mediaType: HTML,
  headers: pageHeaders,
  bodyLimit: 256 * 1024,
  async authenticate(request, deps) {
    const writes = request.method !== 'GET' && request.method !== 'HEAD'
    // Forms with a session also carry a token (forms.ts). This check also prevents login CSRF: other sites cannot sign a user in to an
    // attacker's account while there is no session for a token.
    if (writes && isForeign(request.headers, deps.config)) throw forbidden('This form was sent by another site.')
    const cookie = request.cookies[SESSION_COOKIE]
    const found = cookie ? await findSession(deps.database.db, digestOf(cookie), deps.now()) : undefined
    return found && !whyInactive(found.user) ? provenUser(found.user, found.credential) : anonymous
  },
  refuse: (refusal, request) => (refusal.kind === 'unauthenticated' ? toSignIn(request) : errorPage(refusal.status, refusal)),
  fail: (requestId, status) => ({
    status,
    mediaType: HTML,
    body: documentOf(
      status === 500 ? 'Something went wrong' : 'Not available right now',
      html`<p>Please try again later. The number of this request is <code>${requestId}</code>.</p>`,
    ),
    headers: {},
  }),
}

/** Does the request come from a page of another site, or a link on one? Clients that are no browsers do not say. */
export function isForeign(headers: FastifyRequest['headers'], { externalUrl }: Config): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin, host } = headers
  if (origin === undefined) return false
  const own = [host, externalUrl && new URL(externalUrl).host]
  return !URL.canParse(origin) || !own.includes(new URL(origin).host)
}

/** 302 to the sign-in page, and back afterwards if the request can be repeated. */
function toSignIn(request: FastifyRequest): ErrorAnswer {
  const back = request.method === 'GET' ? `?${new URLSearchParams({ redirect: request.url })}` : ''
  return { status: 302, mediaType: HTML, body: undefined, headers: { location: `/users/sign_in${back}` } }
}

const titles: Readonly<Record<number, string>> = {
  400: 'This request cannot be understood',
  403: 'You may not do this',
  404: 'There is nothing here',
  429: 'Too many attempts',
}

function errorPage(status: number, { body, headers }: Refusal): ErrorAnswer {
  const title = titles[status] ?? 'This did not work'
  return { status, mediaType: HTML, body: documentOf(title, html`<p role="alert">${wordsOf(body)}</p>`), headers: { ...headers } }
}

/** A refusal's JSON body (document 1 "Errors") as text. */
function wordsOf(body: unknown): string {
  const { message } = (body ?? {}) as { message?: unknown }
  if (typeof message === 'string') return message.replace(/^\d{3} [A-Z][A-Za-z ]*( - |$)/, '') || 'Please go back and try again.'
  if (typeof message !== 'object' || message === null) return 'Please go back and try again.'
  return Object.entries(message)
    .map(([parameter, wrong]) => `${parameter} ${Array.isArray(wrong) ? wrong.join(', ') : JSON.stringify(wrong)}`)
    .join('; ')
}
