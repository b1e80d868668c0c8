/** The frame around every page, and the answers that pages give. */
import type { Actor } from '../access/actor.ts'
import type { Context } from '../kernel/context.ts'
import type { ByteAnswer } from '../kernel/declaration/endpoint.ts'
import type { Secrets } from '../kernel/secrets.ts'
import { type Html, html } from './html.ts'

/** Where the style sheet is served. */
export const STYLE_SHEET = '/-/pages.css'

/** Nothing but our own style sheet is loaded, no script runs, nobody may frame the page. */
const policy = `default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'`

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
}

/** A whole HTML document. `csrf` lets scripts of ours write by cookie: they send it as `X-CSRF-Token`. */
export const documentOf = (title: string, body: Html, csrf?: string): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Ingot</title>
<link rel="stylesheet" href="${STYLE_SHEET}">
${csrf !== undefined && html`<meta name="csrf-token" content="${csrf}">`}
</head>
<body>
<header><a href="/">Ingot</a></header>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.text

/** The token that proves that a write by cookie comes from a page of ours; undefined without a session. */
export const csrfToken = (actor: Actor, secrets: Secrets): string | undefined =>
  actor.credential?.kind === 'session' ? secrets.sign(String(actor.credential.id), 'csrf') : undefined

/** Answers a page. */
export const page = ({ actor, deps }: Pick<Context, 'actor' | 'deps'>, { title, body, status, formLeadsAway }: Page): ByteAnswer => ({
  body: documentOf(title, body, csrfToken(actor, deps.secrets)),
  ...(status === undefined ? {} : { status }),
  ...(formLeadsAway ? { headers: leadingAway } : {}),
})

/**
 * Sends the browser on with a GET.
 * @param location a path that `localPath` gave, or an address that is known to be meant
 */
export const redirect = (location: string, headers: Readonly<Record<string, string>> = {}): ByteAnswer => ({
  body: '',
  status: 303,
  headers: { ...headers, location },
})
