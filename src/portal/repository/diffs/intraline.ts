/** What differs within lines: a removed line and the added one in its place, by words. Pure. */
import { diffWordsWithSpace } from 'diff'
import type { DiffLine } from '../../../platform/git/index.ts'
import { type Html, html } from '../../../platform/pages/html.ts'

/** Longer lines are shown as changed as a whole. */
const LONGEST = 400

/** Lines with more changes than this have little in common: marks would only confuse. */
const MOST_EDITS = 40

/** The text of each line with its changed words marked; lines without a counterpart are missing. */
export function changedWords(lines: readonly DiffLine[]): ReadonlyMap<DiffLine, Html> {
  const marked = new Map<DiffLine, Html>()
  for (const [removed, added] of counterparts(lines)) {
    if (removed.text.length > LONGEST || added.text.length > LONGEST) continue
    const parts = diffWordsWithSpace(removed.text, added.text, { maxEditLength: MOST_EDITS })
    if (!parts?.some(part => !part.added && !part.removed && part.value.trim() !== '')) continue
    marked.set(
      removed,
      html`${parts.filter(part => !part.added).map(({ value, removed: gone }) => (gone ? html`<del>${value}</del>` : value))}`,
    )
    marked.set(
      added,
      html`${parts.filter(part => !part.removed).map(({ value, added: fresh }) => (fresh ? html`<ins>${value}</ins>` : value))}`,
    )
  }
  return marked
}

/** Runs of removed lines that are followed by as many added ones, line by line. */
function* counterparts(lines: readonly DiffLine[]): Generator<readonly [DiffLine, DiffLine]> {
  for (let at = 0; at < lines.length; ) {
    const from = at
    while (lines[at]?.type === 'removed') at++
    const middle = at
    while (lines[at]?.type === 'added') at++
    const count = middle - from
    if (count > 0 && count === at - middle)
      for (let step = 0; step < count; step++) yield [lines[from + step] as DiffLine, lines[middle + step] as DiffLine]
    if (at === from) at++
  }
}
