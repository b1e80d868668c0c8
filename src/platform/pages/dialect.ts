/**
 * The dialect of HTML pages: authentication by session cookie alone, refusals as pages. A user who must sign in first is redirected to do
 * so and returned afterwards.
 */
import type { FastifyRequest } from 'fastify'
import { adminModeOf, anonymous, isImpersonated, provenUser } from '../access/actor.ts'
import { findSession } from '../access/credentials/credentials.ts'
import { preferencesOf } from '../access/preferences.ts'
import type { Config } from '../config.ts'
import { addressWithin } from '../kernel/addresses/within.ts'
import type { Deps } from '../kernel/context.ts'
import { csrfToken } from '../kernel/csrf.ts'
import { type Dialect, type ErrorAnswer, root } from '../kernel/declaration/dialect.ts'
import { forbidden, type Refusal, SECOND_FACTOR_PAGE, SecondFactorMissing, SignOnMissing } from '../kernel/errors.ts'
import { SESSION_COOKIE, whyInactive } from '../kernel/request/authenticate.ts'
import { digestOf } from '../kernel/secrets.ts'
import { pageHeaders } from './frame/document.ts'
import { ADMIN_MODE_PATH, framed } from './frame/frame.ts'
import { referringPath } from './frame/local_path.ts'
import { frameParts, ofTheProgram } from './frame/parts.ts'
import { themeOf } from './frame/theme.ts'
import { type Html, html } from './html.ts'

export const HTML = 'text/html; charset=utf-8'

export const pages: Dialect = {
  ...root,
  name: 'pages',
  credentials: ['session'],
  mediaType: HTML,
  headers: pageHeaders,
  compresses: true,
  bodyLimit: 256 * 1024,
  async authenticate(request, deps) {
    const writes = request.method !== 'GET' && request.method !== 'HEAD'
    // Forms with a session also carry a token (forms.ts). This check also prevents login CSRF: other sites cannot sign a user in to an
    // attacker's account while there is no session for a token.
    if (writes && isForeign(request.headers, deps.config)) throw forbidden('This form was sent by another site.')
    const cookie = request.cookies[SESSION_COOKIE]
    const found = cookie ? await findSession(deps.database.db, digestOf(cookie), deps.now(), deps.config.impersonationEnabled) : undefined
    return found && !whyInactive(found.user) ? provenUser(found.user, found.credential, found.sudoBy) : anonymous
  },
  refuse(refusal, request, deps) {
    const elsewhere = isStream(request) ? undefined : otherPage(refusal, request, deps.config)
    if (elsewhere) return elsewhere
    // Some of the API's declarations answer 401 for a right that is missing (merging): signing in would not help.
    const status = refusal.status === 401 ? 403 : refusal.status
    return errorPage(status, { ...wordsOf({ status, body: refusal.body }, request, deps.config), headers: refusal.headers }, request, deps)
  },
  fail: (requestId, status, request, deps) =>
    errorPage(
      status,
      {
        title: status === 500 ? 'Something went wrong' : 'Not available right now',
        body: html`<p>Nothing was changed. Please try again later. The number of this request is <code>${requestId}</code>.</p>`,
        headers: {},
      },
      request,
      deps,
    ),
}

/** Does a page ask for its stream of changes? That is refused in place: it would take another page for a broken stream. */
const isStream = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/event-stream') === true

/** The redirect to the page where the caller gets what is missing, or where it stands now; undefined where none helps. */
function otherPage(refusal: Refusal, request: FastifyRequest, config: Config): ErrorAnswer | undefined {
  if (refusal instanceof SecondFactorMissing)
    return { status: 302, mediaType: HTML, body: undefined, headers: { location: SECOND_FACTOR_PAGE } }
  if (refusal instanceof SignOnMissing) return toSignOn(refusal, request)
  const reads = request.method === 'GET' || request.method === 'HEAD'
  const now = refusal.kind === 'not_found' && reads ? frameParts.value.presentAddress(addressWithin(request)) : undefined
  if (now !== undefined) return { status: 301, mediaType: HTML, body: undefined, headers: { location: now } }
  const isSignedIn = request.actor?.user !== undefined
  return refusal.kind === 'unauthenticated' && !isSignedIn ? toSignIn(request, config) : undefined
}

/** Does the request come from a page of another site, or a link on one? Clients that are no browsers do not say. */
function isForeign(headers: FastifyRequest['headers'], { externalUrl }: Config): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin, host } = headers
  if (origin === undefined) return false
  const own = [host, externalUrl && new URL(externalUrl).host]
  return !URL.canParse(origin) || !own.includes(new URL(origin).host)
}

/** 302 to the sign-in page, and back afterwards: to the page, or to the one whose form was sent, where the browser has kept what was typed. */
function toSignIn(request: FastifyRequest, { externalUrl }: Config): ErrorAnswer {
  const { method, headers } = request
  const back = method === 'GET' ? addressWithin(request) : referringPath(headers, { externalUrl })
  const query = back === undefined ? '' : `?${new URLSearchParams({ redirect: back })}`
  return { status: 302, mediaType: HTML, body: undefined, headers: { location: `/users/sign_in${query}` } }
}

/** 302 to the sign-in of a group, and back to the page afterwards. */
function toSignOn({ page }: SignOnMissing, request: FastifyRequest): ErrorAnswer {
  const query = request.method === 'GET' ? `?${new URLSearchParams({ redirect: addressWithin(request) })}` : ''
  return { status: 302, mediaType: HTML, body: undefined, headers: { location: `${page}${query}` } }
}

const titles: Readonly<Record<number, string>> = {
  400: 'This request cannot be understood',
  403: 'You may not do this',
  404: 'There is nothing here',
  405: 'This cannot be done here',
  413: 'This is too large',
  429: 'Too many attempts',
  503: 'Not available right now',
}

/** How to go on after a refusal that says nothing itself. */
const advice: Readonly<Record<number, string>> = {
  403: 'Your account lacks the right to it, which an owner of the place or an administrator can give to you; or the project is archived, and can be read only.',
  503: 'The server has more to do than it can at this moment. Nothing was changed: please try again in a few seconds.',
}

/** What an error page says. */
interface Words {
  readonly title: string
  readonly body: Html
  readonly headers: Readonly<Record<string, string>>
}

/** A page in the frame of the caller, without their counts: the database may be what failed. */
function errorPage(status: number, { title, body, headers }: Words, request: FastifyRequest, deps: Deps): ErrorAnswer {
  const { actor } = request
  return {
    status,
    mediaType: HTML,
    body: framed({
      title,
      body,
      width: 'medium',
      person: actor?.user,
      isImpersonated: actor !== undefined && isImpersonated(actor),
      adminMode: actor && adminModeOf(actor),
      counters: [],
      banners: undefined,
      notifications: undefined,
      appearance: ofTheProgram,
      live: [],
      creations: [],
      csrf: csrfToken(actor ?? anonymous, deps.secrets),
      theme: themeOf(request.headers.cookie),
      preferences: preferencesOf(actor ?? anonymous),
      notice: undefined,
      address: addressWithin(request),
    }).text,
    headers: { ...headers },
  }
}

/** The words of a refusal. A 404 is the same for what is private and for what does not exist, and says how to go on. */
function wordsOf({ status, body }: Pick<Refusal, 'status' | 'body'>, request: FastifyRequest, config: Config): Omit<Words, 'headers'> {
  const { actor, method, headers } = request
  const title = titles[status] ?? 'This did not work'
  // What a form has sent is refused: its page shows how things stand now.
  const form = method === 'GET' ? undefined : referringPath(headers, config)
  const onward = form === undefined ? html`<a href="/">Go home</a>` : html`<a href="${form}">Go back</a> or <a href="/">go home</a>`
  if (status !== 404) return { title, body: html`<p role="alert">${sentence(body, advice[status])}</p><p>${onward}</p>` }
  const back = new URLSearchParams({ redirect: addressWithin(request) }).toString()
  const signIn = `/users/sign_in?${back}`
  return {
    title,
    body: html`<p role="alert">The page does not exist, or you may not see it.</p>
<form action="/search" class="filter-bar"><label class="sr-only" for="search-instead">Search instead</label><input class="form-control" type="search" id="search-instead" name="search" placeholder="Search instead"><button class="btn">Search</button></form>
${actor && adminModeOf(actor) === false && html`<p>You administer this instance: <a href="${ADMIN_MODE_PATH}/new?${back}">enter admin mode</a> to see what administrators see.</p>`}
<p>${actor?.user ? html`<a href="/explore">Explore the projects</a>` : html`<a href="${signIn}">Sign in</a> if it is a private page, or <a href="/explore">explore the projects</a>`}.</p>`,
  }
}

/** A refusal's JSON body (document 1 "Errors") as text; `otherwise` where it only names its status. */
function sentence(body: unknown, otherwise = 'Please go back and try again.'): string {
  const { message } = (body ?? {}) as { message?: unknown }
  if (typeof message === 'string') return message.replace(/^\d{3} [A-Z][A-Za-z ]*( - |$)/, '') || otherwise
  if (typeof message !== 'object' || message === null) return otherwise
  return Object.entries(message)
    .map(([parameter, wrong]) => `${parameter} ${Array.isArray(wrong) ? wrong.join(', ') : JSON.stringify(wrong)}`)
    .join('; ')
}
