/** What differs within lines: a removed line and the added one in its place, by words. Pure. */
import { diffWordsWithSpace } from 'diff'
import type { DiffLine } from '../../../../platform/git/index.ts'
import type { Range } from './marks.ts'

/** Longer lines are shown as changed as a whole. */
const LONGEST = 400

/** Lines with more changes than this have little in common: marks would only confuse. */
const MOST_EDITS = 40

/**
 * The changed words of each line; lines without a counterpart are missing.
 * @param ignoresWhitespace changes of white space are not marked
 */
export function changedWords(lines: readonly DiffLine[], ignoresWhitespace = false): ReadonlyMap<DiffLine, readonly Range[]> {
  const marked = new Map<DiffLine, readonly Range[]>()
  for (const [removed, added] of counterparts(lines)) {
    if (removed.text.length > LONGEST || added.text.length > LONGEST) continue
    const parts = diffWordsWithSpace(removed.text, added.text, { maxEditLength: MOST_EDITS })
    if (!parts?.some(part => !part.added && !part.removed && part.value.trim() !== '')) continue
    const rangesOf = (kind: 'added' | 'removed', other: 'added' | 'removed') => {
      const ranges: Range[] = []
      let at = 0
      for (const part of parts) {
        if (part[other]) continue
        if (part[kind]) ranges.push(...(ignoresWhitespace ? withoutSpace(part.value, at) : [[at, at + part.value.length] as const]))
        at += part.value.length
      }
      return ranges
    }
    marked.set(removed, rangesOf('removed', 'added'))
    marked.set(added, rangesOf('added', 'removed'))
  }
  return marked
}

/** Where a text is more than white space. */
function withoutSpace(text: string, at: number): readonly Range[] {
  const from = text.length - text.trimStart().length
  const to = text.trimEnd().length
  return from < to ? [[at + from, at + to]] : []
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
