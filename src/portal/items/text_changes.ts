/** What has changed in a text, by lines. */
import { structuredPatch } from 'diff'
import { type Html, html } from '../../platform/pages/html.ts'

/** Characters of a text beyond which it is not compared by lines. */
const LONG = 100_000

/** The changes from one text to another; undefined where there are none. */
export function changesView(title: string, from: string, to: string): Html | undefined {
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
