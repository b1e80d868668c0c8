/** What a file's diff is made of: lines, and gaps between them; and its lines in two columns. Pure. */
import type { DiffLine, Hunk } from '../../../../platform/git/index.ts'

/** Lines that a diff leaves out. Numbers begin with 1. */
export interface Gap {
  /** The first of them, in the old and in the new file. */
  readonly old_from: number
  readonly new_from: number
  /** How many they are; undefined where the end of the file is not known. */
  readonly count: number | undefined
  /** Where they are: before all lines that are shown, between some, after all. */
  readonly at: GapPlace
  /** What the lines after it belong to, such as a function. */
  readonly heading: string
}

export const gapPlaces = ['top', 'middle', 'bottom'] as const
export type GapPlace = (typeof gapPlaces)[number]

/** A part of a file's diff. */
export type Block = { readonly gap: Gap } | { readonly lines: readonly DiffLine[] }

/**
 * The hunks with the gaps around them.
 * @param newLines how many lines the new file has, where it is known
 */
export function blocksOf(hunks: readonly Hunk[], newLines?: number): readonly Block[] {
  const blocks: Block[] = []
  let [old, fresh] = [1, 1]
  for (const { oldStart, oldCount, newStart, newCount, heading, lines } of hunks) {
    const count = newStart - fresh
    if (count > 0) blocks.push({ gap: { old_from: old, new_from: fresh, count, at: fresh === 1 ? 'top' : 'middle', heading } })
    blocks.push({ lines })
    old = oldStart + oldCount
    fresh = newStart + newCount
  }
  const count = newLines === undefined ? undefined : newLines - fresh + 1
  const isWhole = hunks.at(-1)?.lines.some(({ type, without_end }) => without_end && type !== 'removed')
  if (hunks.length > 0 && !isWhole && (count === undefined || count > 0))
    blocks.push({ gap: { old_from: old, new_from: fresh, count, at: 'bottom', heading: '' } })
  return blocks
}

/** A row of two columns. */
export interface Row {
  readonly left: DiffLine | undefined
  readonly right: DiffLine | undefined
}

/** Lines of the same kind: unchanged ones, or some that were removed and some that came in their place. */
export interface Run {
  readonly isChange: boolean
  readonly rows: readonly Row[]
}

/** Lines in two columns: removed ones beside the added ones that follow them, in their order. */
export function runsOf(lines: readonly DiffLine[]): readonly Run[] {
  const runs: Run[] = []
  for (let at = 0; at < lines.length; ) {
    const unchanged = take(lines, at, 'context')
    if (unchanged.length > 0) runs.push({ isChange: false, rows: unchanged.map(line => ({ left: line, right: line })) })
    at += unchanged.length
    const removed = take(lines, at, 'removed')
    const added = take(lines, at + removed.length, 'added')
    at += removed.length + added.length
    const rows = Array.from({ length: Math.max(removed.length, added.length) }, (_, row) => ({ left: removed[row], right: added[row] }))
    if (rows.length > 0) runs.push({ isChange: true, rows })
  }
  return runs
}

function take(lines: readonly DiffLine[], from: number, type: DiffLine['type']): readonly DiffLine[] {
  let end = from
  while (lines[end]?.type === type) end++
  return lines.slice(from, end)
}
