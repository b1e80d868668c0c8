/** The answers that pages give: a document in its frame, a part of one, and the way on after a form. */
import { adminModeOf, isImpersonated, lacksSecondFactor } from '../../access/actor.ts'
import { preferencesOf } from '../../access/preferences.ts'
import { forOneAnswer } from '../../kernel/answer/encoding.ts'
import type { Context } from '../../kernel/context.ts'
import { csrfToken } from '../../kernel/csrf.ts'
import type { ByteAnswer } from '../../kernel/declaration/endpoint.ts'
import { tierCovers } from '../../kernel/declaration/types.ts'
import type { Html } from '../html.ts'
import type { Topic } from '../live/topics.ts'
import { framed } from './frame.ts'
import { isShown, noNoticeCookie, noticeCookie, noticeOf } from './notice.ts'
import { type Changing, frameParts, type MenuLink } from './parts.ts'
import type { Place, Tab } from './place.ts'
import { themeOf } from './theme.ts'

/** The style element of Turbo's progress bar, the only one that is not a file (sha256 of its text in the pinned release). */
const TURBO_STYLE = 'sha256-WAyOw4V+FqDc35lQPyRADLBWbuNK8ahvYEaQIYF1+Ps='

/**
 * Scripts and styles are our own files, as are the frames that diagrams are drawn in; images may come from elsewhere over TLS, as the badges of a README
 * do. Nobody may frame the page.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' '${TURBO_STYLE}'`,
  "img-src 'self' data: https:",
  "media-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Headers of every page. The referrer policy is `same-origin` and not `no-referrer`: with the latter, browsers send
 * `Origin: null` with our own forms. Pages hold CSRF tokens, so nobody stores them.
 */
export const pageHeaders = {
  'content-security-policy': `${policy}; form-action 'self'`,
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
} as const

/** For a page whose form ends at another site (OAuth): browsers hold a form's redirects to `form-action` too. */
const leadingAway = { 'content-security-policy': policy }

export interface Page {
  readonly title: string
  readonly body: Html
  /** 200 unless given. */
  readonly status?: number
  /** The page's form may be answered with a redirect to another site. */
  readonly formLeadsAway?: boolean
  /** The project, group or area that it belongs to. */
  readonly place?: Place
  /** How wide text may run; default: as wide as the frame (`wide`), that of forms `medium`; `full`: the whole window. */
  readonly width?: 'narrow' | 'medium' | 'wide' | 'full'
  /** Built scripts that only some pages load, by their plain names. */
  readonly scripts?: readonly string[]
  /** `own`: the body has its `h1`; else the frame shows the title as one. */
  readonly heading?: 'own'
  /** `own`: the body says what `pendingNotice` gives; else the frame says it above the page. */
  readonly notice?: 'own'
  /** The Atom feed of what the page shows: its title and address. */
  readonly feed?: { readonly title: string; readonly href: string }
  /** What the page shows: parts with one of these in `data-live` are fetched again when it changes. */
  readonly live?: readonly Topic[]
}

type PageContext = Pick<Context, 'actor' | 'deps' | 'db' | 'request' | 'now'>

/** What the form before this page has to say. */
export const pendingNotice = ({ request, deps }: Pick<Context, 'request' | 'deps'>): string | undefined =>
  noticeOf(request.headers, deps.secrets)

/** What the database says about a page's frame. */
interface Frame {
  readonly changing: Changing
  readonly elsewhere: readonly Tab[]
}

async function frameOf(ctx: PageContext, place: Place | undefined): Promise<Frame> {
  const [changing, elsewhere] = await Promise.all([frameParts.value.changing(ctx), place?.elsewhere?.(ctx.db)])
  return { changing, elsewhere: elsewhere ?? [] }
}

/** By request. */
const askedAhead = new WeakMap<Context['request'], Promise<Frame>>()

/**
 * Asks what the frame of a page shows while the page itself is made: its statements go out with those of the page, and are answered while what these found is
 * rendered. For pages that change nothing.
 * @param place the page's
 */
export function askFrame(ctx: PageContext, place: Place): void {
  const asked = frameOf(ctx, place)
  // The page waits for it, if it comes to that.
  asked.catch(() => undefined)
  askedAhead.set(ctx.request, asked)
}

/** What can be begun in the place of a page. */
const creationsIn = (place: Place | undefined): readonly MenuLink[] =>
  (place?.tabs ?? []).flatMap(({ icon, below = [] }) =>
    below.filter(({ isNew }) => isNew).map(({ label, href }) => ({ label, icon, href })),
  )

/** Answers a page in its frame. */
export async function page(ctx: PageContext, shown: Page): Promise<ByteAnswer> {
  const { actor, deps, request } = ctx
  const { cookie } = request.headers
  const { status, formLeadsAway, place } = shown
  const { changing, elsewhere } = await (askedAhead.get(request) ?? frameOf(ctx, place))
  const notice = pendingNotice(ctx)
  const headers: Record<string, string> = {
    ...(formLeadsAway ? leadingAway : {}),
    ...(notice === undefined ? {} : { 'set-cookie': noNoticeCookie }),
  }
  const document = framed({
    ...shown,
    ...(place && { place: { ...place, tabs: [...place.tabs, ...elsewhere].filter(({ tier }) => tierCovers(deps.config.tier, tier)) } }),
    person: actor.user,
    isImpersonated: isImpersonated(actor),
    adminMode: adminModeOf(actor),
    ...changing,
    live: [...(actor.user && !lacksSecondFactor(actor, ctx.now) ? frameParts.value.topics(actor.user.id) : []), ...(shown.live ?? [])],
    madeAt: ctx.now,
    creations: actor.user ? [...creationsIn(place), ...frameParts.value.creations] : [],
    csrf: csrfToken(actor, deps.secrets),
    theme: themeOf(cookie),
    preferences: preferencesOf(actor),
    notice: shown.notice === 'own' ? undefined : notice,
    address: request.address,
  })
  return {
    body: forOneAnswer(document.bytes),
    ...(status === undefined ? {} : { status }),
    headers,
  }
}

/** Answers a part of a page, for a `turbo-frame` or a script of ours. */
export const part = (body: Html): ByteAnswer => ({ body: forOneAnswer(body.bytes) })

/**
 * Sends the browser on with a GET.
 * @param location a path that `localPath` gave, or an address that is known to be meant
 */
export const redirect = (location: string, headers: Readonly<Record<string, string>> = {}): ByteAnswer => ({
  body: '',
  status: 303,
  headers: { ...headers, location },
})

/** Sends the browser on after a form; the next page says `notice` once. A script that shows no page gets none: another page would say it, later. */
export const done = ({ deps, request }: Pick<Context, 'deps' | 'request'>, location: string, notice: string): ByteAnswer =>
  redirect(location, isShown(request.headers) ? { 'set-cookie': noticeCookie(notice, deps.secrets) } : {})
