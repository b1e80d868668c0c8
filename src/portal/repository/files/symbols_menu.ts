/** The menu of what a file defines, or of the headings of a text. Pure. */
import { icon } from '../../../platform/pages/components/icon.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import type { FileSymbols } from '../highlight/symbols.ts'

/** An entry of the menu. */
interface Entry {
  readonly href: string
  readonly name: string
  readonly kind: string
  readonly depth: number
}

/** Steps by which entries are indented. */
const MOST_DEPTH = 5

/** The symbols of a file whose lines are shown; undefined for one without any. */
export const symbolsMenu = ({ symbols, isCut }: FileSymbols): Html | undefined =>
  menuOf(
    symbols.map(symbol => ({ ...symbol, href: `#L${symbol.line}` })),
    isCut,
  )

/** Headings that are listed. */
const MOST_HEADINGS = 500

/** The headings of rendered Markdown that have an anchor; undefined for a text without any. */
export function headingsMenu(rendered: Html): Html | undefined {
  const found = [...rendered.text.matchAll(/<h([1-6])[^>]*><a id="(user-content-[^"]*)"[^>]*><\/a>(.*?)<\/h\1>/gs)]
  const entries = found.slice(0, MOST_HEADINGS).map(([, level, id, body]) => ({
    href: `#${encodeURIComponent(textOf(id as string))}`,
    name: textOf(body as string),
    kind: `heading ${level}`,
    depth: Number(level) - 1,
  }))
  return menuOf(entries, found.length > MOST_HEADINGS)
}

const characters: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }

/** The text of sanitised HTML. */
const textOf = (body: string): string =>
  body
    .replace(/<[^<>]*>/g, '')
    .replace(/&(?:amp|lt|gt|quot|#39);/g, entity => characters[entity] as string)
    .trim()

function menuOf(entries: readonly Entry[], isCut: boolean): Html | undefined {
  if (entries.length === 0) return undefined
  return html`<details class="menu symbols"><summary class="btn btn-sm" data-hotkey="r" title="Symbols of the file (r)">${icon('list-unordered')} Symbols ${icon('triangle-down')}</summary><div class="menu-items"><filter-menu><div data-filter hidden><label class="sr-only" for="symbol-filter">Filter the symbols</label><input class="form-control input-sm" type="search" id="symbol-filter" placeholder="Filter" autocomplete="off" spellcheck="false"><span class="sr-only" role="status"></span></div><ul class="plain-list">${entries.map(({ href, name, kind, depth }) => html`<li><a class="depth-${Math.min(depth, MOST_DEPTH)}" href="${href}"><span class="mono">${name}</span> <span class="small muted">${kind}</span></a></li>`)}</ul></filter-menu>${isCut && html`<p class="heading-text">The first ${entries.length} are listed.</p>`}</div></details>`
}
