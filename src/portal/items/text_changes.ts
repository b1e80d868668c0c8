/** What has changed in a text, by lines, and the refusal to replace what another user has changed meanwhile. */
import { structuredPatch } from 'diff'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { typed } from './comment_fields.ts'

/** Characters of a text beyond which it is not compared by lines. */
const LONG = 100_000

/** The changes from one text to another; undefined where there are none. */
function changesView(title: string, from: string, to: string): Html | undefined {
  if (from === to) return undefined
  const patch = from.length + to.length > LONG ? undefined : structuredPatch('', '', from, to, '', '', { context: 2, timeout: 500 })
  if (!patch)
    return html`<section class="panel section"><header><h2>${title}</h2></header><div class="body"><pre class="message">${to}</pre></div></section>`
  const lines = patch.hunks.flatMap(({ lines }) => lines.filter(line => !line.startsWith('\\')))
  return html`<section class="panel section"><header><h2>${title}</h2></header><pre class="text-changes">${lines.map(line => {
    const [kind, text] = [line[0], line.slice(1)]
    if (kind === '+') return html`<ins>${text}\n</ins>`
    return kind === '-' ? html`<del>${text}\n</del>` : html`${text}\n`
  })}</pre></section>`
}

/** What a form that changes a description takes: the text, empty for none, and what it was. */
export const descriptionParams = {
  description: text('Description', { maxLength: 1_048_576, default: '', examples: ['It is grey'] }),
  known_description: optional(text('The description as it was when the form was shown', { maxLength: 1_048_576 })),
}

interface SentDescription {
  readonly description?: unknown
  readonly known_description?: unknown
}

/** What a form that changes a comment takes besides its text. */
export const knownBody = { known_body: optional(text('The text as it was when the form was shown', { maxLength: 1_048_576 })) }

interface SentBody {
  readonly body?: unknown
  readonly known_body?: unknown
}

/** The text to store in a field, whose form knew another one. `stored`: what is stored now. */
function toStore(field: string, stored: string | null, sent: unknown, seen: unknown): string {
  const [present, known, wanted] = [typed(stored), typed(seen), typed(sent)]
  if (seen !== undefined && present !== known && present !== wanted)
    throw invalid({ [field]: ['was changed by another user meanwhile; what they changed is shown above. Save again to keep yours'] })
  return wanted
}

/**
 * The description to store.
 * @param stored what is stored now, read behind the lock on its row
 * @throws 400 at the field where another user has changed it meanwhile; the form then shows what they changed
 */
export const descriptionToStore = (stored: string | null, { description, known_description }: SentDescription): string =>
  toStore('description', stored, description, known_description)

/** Like `descriptionToStore`, for the text of a comment. */
export const bodyToStore = (stored: string, { body, known_body }: SentBody): string => toStore('body', stored, body, known_body)

/** What others have changed in a description since the form was shown that was `sent`. Undefined: nothing. */
export const changesByOthers = (stored: string | null, sent: SentDescription | undefined): Html | undefined =>
  sent?.known_description === undefined
    ? undefined
    : changesView('The description as others have changed it', typed(sent.known_description), typed(stored))

/** What others have changed in a comment since the form was shown that was `sent`. Undefined: nothing. */
export const bodyChangesByOthers = (stored: string, sent: SentBody | undefined): Html | undefined =>
  sent?.known_body === undefined ? undefined : changesView('The comment as others have changed it', typed(sent.known_body), typed(stored))
