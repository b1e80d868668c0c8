/** What a mail says, once; its text and its HTML are made of it, so that they cannot differ. Pure. */

import type { Language } from '../access/preferences.ts'
import { Html, html } from '../pages/html.ts'
import { oneLine, unbroken } from './lines.ts'
import { type Words, wordsFor } from './words/words.ts'

/** A part of a mail: a sentence or more, what can be done with a link, facts by their names, or a text that a person wrote. */
export type MailPart =
  | string
  | { readonly action: string; readonly url: string }
  | { readonly facts: Readonly<Record<string, string | undefined>> }
  | { readonly written: WrittenText }

/** A text that a person wrote. `goesOn`: where the rest of it is, if it was cut. */
export interface WrittenText {
  readonly text: string
  readonly html: Html
  readonly goesOn?: string | undefined
}

/** A link below a mail. */
export interface MailLink {
  readonly label: string
  readonly url: string
}

/** What stands around the parts. */
export interface MailFrame {
  /** Mails that were written before there were languages have none: they are English. */
  readonly language?: Language
  /** Who is greeted; undefined: nobody is known by name. Null: there is no greeting. */
  readonly name: string | undefined | null
  /** Why this mail was sent, below the rest. */
  readonly reason: string
  /** What each mail of the instance says below; empty for nothing. */
  readonly additional: string
  /** What stands above and below all mails of the instance. */
  readonly header?: string | undefined
  readonly footer?: string | undefined
  /** What else stands there. */
  readonly links?: readonly MailLink[] | undefined
  /** The address of the instance. */
  readonly url: string
}

/** What a mail says, as text and as HTML. */
export interface MailMain {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The words around the parts, which no dates are in. */
const frameWords = ({ language = 'en' }: MailFrame): Words => wordsFor({ language, timeZone: 'UTC' })

const greeting = (words: Words, name: string | undefined): string =>
  name === undefined ? words.say('frame.hello') : words.say('frame.hello_name', { name: oneLine(name) })

const factsOf = (facts: Readonly<Record<string, string | undefined>>): (readonly [string, string])[] =>
  Object.entries(facts).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, oneLine(value)] as const]))

/** What stands before a value in a text. */
const label = (words: Words, text: string): string => words.say('frame.label', { label: text })

function textPart(words: Words, part: MailPart): string {
  if (typeof part === 'string') return unbroken(part)
  if ('action' in part) return `${label(words, part.action)}\n${part.url}`
  if ('written' in part) {
    const { text, goesOn } = part.written
    return goesOn === undefined ? text : `${text}\n\n${words.say('frame.goes_on')} ${goesOn}`
  }
  return factsOf(part.facts)
    .map(([name, value]) => `${label(words, name)} ${value}`)
    .join('\n')
}

/** The parts in both forms. */
export const mainOf = (words: Words, subject: string, parts: readonly MailPart[]): MailMain => ({
  subject,
  text: parts.map(part => textPart(words, part)).join('\n\n'),
  html: html`${parts.map(part => html`${htmlPart(words, part)}\n`)}`.text,
})

/** The mail as plain text. */
export const textOf = ({ text }: MailMain, frame: MailFrame): string => {
  const { name, reason, links = [], additional, header, footer, url } = frame
  const words = frameWords(frame)
  const above = [...(header ? [header] : []), ...(name === null ? [] : [greeting(words, name)]), text]
  const below = [reason, ...links.map(link => `${label(words, link.label)} ${link.url}`), ...(additional === '' ? [] : [additional]), url]
  return `${above.join('\n\n')}\n\n-- \n${[...below, ...(footer ? [footer] : [])].join('\n')}\n`
}

/** The style of the HTML: no attribute has any, and nothing in it needs escapes. */
export const MAIL_STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; padding: 24px; font: 16px/1.5 system-ui, sans-serif; }
main, footer { max-width: 600px; margin: 0 auto; overflow-wrap: anywhere; }
.action a { display: inline-block; padding: 8px 16px; border-radius: 6px; background: #1f6feb; color: #ffffff; text-decoration: none; }
blockquote { margin: 0 0 16px; padding: 0 16px; border-left: 4px solid #8b949e; }
pre, code { font-family: ui-monospace, monospace; font-size: 14px; }
pre { overflow-x: auto; padding: 8px; border: 1px solid #8b949e; border-radius: 6px; }
table { border-collapse: collapse; }
th, td { padding: 4px 8px; border: 1px solid #8b949e; }
img { max-width: 100%; }
dt { font-weight: 600; }
dd { margin: 0 0 8px; }
footer { margin-top: 32px; border-top: 1px solid #8b949e; padding-top: 8px; font-size: 14px; }
`

function htmlPart(words: Words, part: MailPart): Html {
  if (typeof part === 'string') return html`<p>${unbroken(part)}</p>`
  if ('action' in part)
    return html`<p class="action"><a href="${part.url}">${part.action}</a></p><p>${words.say('frame.open_address')}<br>${part.url}</p>`
  if ('written' in part) {
    const { html: text, goesOn } = part.written
    return html`<div>${text}</div>${goesOn !== undefined && html`<p><a href="${goesOn}">${words.say('frame.goes_on')}</a></p>`}`
  }
  return html`<dl>${factsOf(part.facts).map(([name, value]) => html`<dt>${name}</dt><dd><bdi>${value}</bdi></dd>`)}</dl>`
}

/** The mail as HTML. */
export function htmlOf({ subject, html: main }: MailMain, frame: MailFrame): string {
  const { name, reason, links = [], additional, header, footer, url } = frame
  const words = frameWords(frame)
  return html`<!doctype html>
<html lang="${words.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title><style>${MAIL_STYLE}</style></head>
<body><main>${header && html`<p>${header}</p>`}${name !== null && html`<p>${greeting(words, name)}</p>`}
${Html.trusted(main)}</main>
<footer><p>${reason}${links.map(link => html`<br><a href="${link.url}">${link.label}</a>`)}${additional !== '' && html`<br>${additional}`}<br><a href="${url}">${url}</a>${footer && html`<br>${footer}`}</p></footer></body></html>
`.text
}
