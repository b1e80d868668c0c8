/** Which messages a page shows, and how: rendered Markdown in the colours of the message, with a button where it may be hidden. */
import { icon } from '../../platform/pages/components/icon.ts'
import { shortMarkdown } from '../../platform/pages/frame/short_markdown.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { colorsName, shownColors } from './colors.ts'
import type { BroadcastMessageRow } from './queries.ts'

/** What pages need of a message. */
export type Shown = Pick<BroadcastMessageRow, 'id' | 'message' | 'color' | 'font' | 'target_path' | 'broadcast_type' | 'dismissable'>

/** Does the path of a page fit the target, in which `*` stands for any characters? In any case of letters, as its addresses are. */
export function fitsPath(path: string, target: string | null): boolean {
  if (target === null) return true
  const text = path.toLowerCase()
  const [first = '', ...rest] = target.toLowerCase().split('*')
  if (rest.length === 0) return text === first
  const last = rest.pop() as string
  if (!text.startsWith(first)) return false
  // Each part at its first place after the one before: what fits at all fits so, in one pass.
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}

const COOKIE = 'hidden_messages'
/** Ids that a browser remembers. */
const MOST_HIDDEN = 50
const YEAR_SECONDS = 365 * 24 * 60 * 60

/** The ids of the messages that the reader has hidden. */
export function hiddenMessages(cookies: string | undefined): readonly number[] {
  const [, ids = ''] = /(?:^|;\s*)hidden_messages=([\d.]*)/.exec(cookies ?? '') ?? []
  return ids.split('.').flatMap(id => (/^\d{1,15}$/.test(id) ? [Number(id)] : []))
}

/** The `Set-Cookie` that remembers one more. */
export function hiddenCookie(cookies: string | undefined, id: number): string {
  const ids = [...hiddenMessages(cookies).filter(other => other !== id), id].slice(-MOST_HIDDEN)
  return `${COOKIE}=${ids.join('.')}; Path=/; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Lax`
}

/** The messages for a page: those for its path that the reader has not hidden. */
export function messagesFor(active: readonly Shown[], address: string, cookies: string | undefined): readonly Shown[] {
  const path = address.split('?', 1)[0] as string
  const hidden = new Set(hiddenMessages(cookies))
  return active.filter(({ id, target_path, dismissable }) => fitsPath(path, target_path) && !(dismissable && hidden.has(id)))
}

/** Where the style sheets of colours are. */
export const COLORS_PATH = '/-/broadcast_messages/colors'

/** A message as it looks. `back`: where hiding it leads; without it there is no button. */
export function messageView(message: Shown, csrf: string | undefined, back?: string): Html {
  const colors = colorsName(shownColors(message))
  return html`<link rel="stylesheet" href="${COLORS_PATH}/${colors}.css">
<div class="broadcast ${message.broadcast_type} broadcast-${colors}">${icon(message.broadcast_type === 'banner' ? 'megaphone' : 'bell')}<div class="text" dir="auto">${shortMarkdown(message.message)}</div>${message.dismissable && back !== undefined && html`<form method="post" action="/-/broadcast_messages/${message.id}/dismiss">${csrf !== undefined && html`<input type="hidden" name="authenticity_token" value="${csrf}">`}<input type="hidden" name="redirect" value="${back}"><button aria-label="Hide this message" title="Hide this message">${icon('x')}</button></form>`}</div>`
}

const labels = { banner: 'Messages of the administrators', notification: 'Notifications of the administrators' } as const

/** The messages of a page that look so; undefined for none. */
export function messagesView(
  type: keyof typeof labels,
  messages: readonly Shown[],
  csrf: string | undefined,
  back: string,
): Html | undefined {
  const wanted = messages.filter(({ broadcast_type }) => broadcast_type === type)
  if (wanted.length === 0) return undefined
  return html`<aside class="broadcasts ${type}s" aria-label="${labels[type]}">${wanted.map(message => messageView(message, csrf, back))}</aside>`
}
