/** Atom documents (RFC 4287). Pure. */
import { type Html, html } from '../../platform/pages/html.ts'

export interface AtomEntry {
  /** Unique for good: the id of the entry's kind and its number, or the address of what never changes. */
  readonly id: string
  readonly title: string
  /** Of the page, with the host. */
  readonly href: string
  readonly updated: string
  readonly author: { readonly name: string; readonly email?: string | undefined }
  readonly summary?: string | undefined
}

export interface AtomFeed {
  readonly title: string
  /** Of the page that shows the same, and of the feed itself without credentials. */
  readonly href: string
  readonly self: string
  readonly entries: readonly AtomEntry[]
  /** Of a feed without entries. */
  readonly now: Date
}

/** Entries of a feed. */
export const MOST_ENTRIES = 20

/** The text without the characters that XML does not have. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are the ones
const xml = (text: string): string => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')

const entryView = ({ id, title, href, updated, author, summary }: AtomEntry): Html =>
  html`<entry><id>${xml(id)}</id><link href="${href}"/><title>${xml(title)}</title><updated>${new Date(updated).toISOString()}</updated><author><name>${xml(author.name)}</name>${author.email !== undefined && html`<email>${xml(author.email)}</email>`}</author>${summary !== undefined && html`<summary>${xml(summary)}</summary>`}</entry>
`

/** The document. */
export function atomDocument({ title, href, self, entries, now }: AtomFeed): string {
  const newest = entries.map(({ updated }) => new Date(updated).getTime()).reduce((one, other) => Math.max(one, other), 0)
  const updated = newest === 0 ? now : new Date(newest)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${
    html`<feed xmlns="http://www.w3.org/2005/Atom">
<title>${xml(title)}</title>
<link href="${self}" rel="self" type="application/atom+xml"/>
<link href="${href}" rel="alternate" type="text/html"/>
<id>${href}</id>
<updated>${updated.toISOString()}</updated>
${entries.map(entryView)}</feed>
`.text
  }`
}
