/** What a mail says, once; its text and its HTML are made of it, so that they cannot differ. Pure. */
import { type Html, html } from '../pages/html.ts'
import { oneLine } from './lines.ts'

/** A part of a mail: a sentence or more, what can be done with a link, or facts by their names. */
export type MailPart =
  | string
  | { readonly action: string; readonly url: string }
  | { readonly facts: Readonly<Record<string, string | undefined>> }

/** What is said around the parts. */
export interface MailFrame {
  readonly subject: string
  /** Who is greeted; undefined: nobody is known by name. */
  readonly name: string | undefined
  readonly parts: readonly MailPart[]
  /** Why this mail was sent, below the rest. */
  readonly reason: string
  /** What each mail of the instance says below; empty for nothing. */
  readonly additional: string
  /** The address of the instance. */
  readonly url: string
}

const greeting = (name: string | undefined): string => (name === undefined ? 'Hello,' : `Hello ${oneLine(name)},`)

const factsOf = (facts: Readonly<Record<string, string | undefined>>): (readonly [string, string])[] =>
  Object.entries(facts).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, oneLine(value)] as const]))

function textPart(part: MailPart): string {
  if (typeof part === 'string') return part
  if ('action' in part) return `${part.action}:\n${part.url}`
  return factsOf(part.facts)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

/** The mail as plain text. */
export const textOf = ({ name, parts, reason, additional, url }: MailFrame): string =>
  `${[greeting(name), ...parts.map(textPart)].join('\n\n')}\n\n-- \n${reason}\n${additional === '' ? '' : `${additional}\n`}${url}\n`

/** The style of the HTML: no attribute has any, and nothing in it needs escapes. */
export const MAIL_STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; padding: 24px; font: 16px/1.5 system-ui, sans-serif; }
main, footer { max-width: 600px; margin: 0 auto; overflow-wrap: anywhere; }
.action a { display: inline-block; padding: 8px 16px; border-radius: 6px; background: #1f6feb; color: #ffffff; text-decoration: none; }
dt { font-weight: 600; }
dd { margin: 0 0 8px; }
footer { margin-top: 32px; border-top: 1px solid #8b949e; padding-top: 8px; font-size: 14px; }
`

function htmlPart(part: MailPart): Html {
  if (typeof part === 'string') return html`<p>${part}</p>`
  if ('action' in part)
    return html`<p class="action"><a href="${part.url}">${part.action}</a></p><p>Or open this address:<br>${part.url}</p>`
  return html`<dl>${factsOf(part.facts).map(([name, value]) => html`<dt>${name}</dt><dd><bdi>${value}</bdi></dd>`)}</dl>`
}

/** The mail as HTML. */
export const htmlOf = ({ subject, name, parts, reason, additional, url }: MailFrame): string =>
  html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title><style>${MAIL_STYLE}</style></head>
<body><main><p>${greeting(name)}</p>
${parts.map(part => html`${htmlPart(part)}\n`)}</main>
<footer><p>${reason}${additional !== '' && html`<br>${additional}`}<br><a href="${url}">${url}</a></p></footer></body></html>
`.text
