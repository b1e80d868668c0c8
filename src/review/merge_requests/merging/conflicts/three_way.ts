/**
 * Merges the lines of a text that two sides changed, and keeps apart what both changed: the parts that people choose from. Lines carry their
 * ends, so that a choice keeps the line ends, and a last line without one. Pure.
 */
import { diffArrays } from 'diff'

/** A part of the merged text: lines that are settled, or those of both sides. */
export type Part =
  | { readonly kind: 'settled'; readonly lines: readonly string[] }
  | { readonly kind: 'conflict'; readonly ours: readonly string[]; readonly theirs: readonly string[] }

/** Changes beyond which two texts are not compared any more: all between their equal beginnings and ends is one conflict then. */
const MOST_CHANGES = 800

/** Conflicts with so few equal lines between them are one, as git has it. */
const CLOSE = 3

/** The lines of a text, each with its end. */
export const linesWithEnds = (text: string): string[] => text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? []

/** Lines `from` to `to` of the first text are `lines` in the second. */
interface Change {
  readonly from: number
  readonly to: number
  readonly lines: readonly string[]
}

/** What differs between two texts, in order. */
function changesBetween(before: readonly string[], after: readonly string[]): Change[] {
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start] === after[start]) start++
  let end = 0
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  const [old, fresh] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  if (old.length === 0 && fresh.length === 0) return []
  const runs = diffArrays(old, fresh, { maxEditLength: MOST_CHANGES })
  if (!runs) return [{ from: start, to: before.length - end, lines: fresh }]
  const changes: Change[] = []
  let at = start
  let open: { from: number; lines: string[] } | undefined
  for (const { added, removed, value, count } of runs) {
    if (!added && !removed) {
      if (open) changes.push({ ...open, to: at })
      open = undefined
      at += count
      continue
    }
    open ??= { from: at, lines: [] }
    if (added) open.lines.push(...value)
    else at += count
  }
  if (open) changes.push({ ...open, to: at })
  return changes
}

/** Lines `from` to `to` of the base as a side has them; `changes` are those of the side in that range. */
function sideOf(base: readonly string[], changes: readonly Change[], from: number, to: number): string[] {
  const lines: string[] = []
  let at = from
  for (const change of changes) {
    lines.push(...base.slice(at, change.from), ...change.lines)
    at = change.to
  }
  return [...lines, ...base.slice(at, to)]
}

/** The merged text in parts. Changes that touch each other conflict unless they are the same. */
export function mergeLines(base: readonly string[], ours: readonly string[], theirs: readonly string[]): Part[] {
  const [mine, other] = [changesBetween(base, ours), changesBetween(base, theirs)]
  const parts: Part[] = []
  let [at, a, b] = [0, 0, 0]
  while (a < mine.length || b < other.length) {
    const from = Math.min(mine[a]?.from ?? Number.POSITIVE_INFINITY, other[b]?.from ?? Number.POSITIVE_INFINITY)
    const [firstMine, firstOther] = [a, b]
    let to = from
    for (let grows = true; grows; ) {
      grows = false
      for (; a < mine.length && (mine[a] as Change).from <= to; a++, grows = true) to = Math.max(to, (mine[a] as Change).to)
      for (; b < other.length && (other[b] as Change).from <= to; b++, grows = true) to = Math.max(to, (other[b] as Change).to)
    }
    parts.push({ kind: 'settled', lines: base.slice(at, from) })
    const [ofMine, ofOther] = [mine.slice(firstMine, a), other.slice(firstOther, b)]
    const [left, right] = [sideOf(base, ofMine, from, to), sideOf(base, ofOther, from, to)]
    if (ofOther.length === 0) parts.push({ kind: 'settled', lines: left })
    else if (ofMine.length === 0) parts.push({ kind: 'settled', lines: right })
    else parts.push(...refined(left, right))
    at = to
  }
  return closed(joined([...parts, { kind: 'settled', lines: base.slice(at) }]))
}

/** A conflict without the lines that both sides have. */
function refined(ours: readonly string[], theirs: readonly string[]): Part[] {
  const parts: Part[] = []
  let [at, right] = [0, 0]
  for (const { from, to, lines } of changesBetween(ours, theirs)) {
    parts.push({ kind: 'settled', lines: ours.slice(at, from) })
    right += from - at
    parts.push({ kind: 'conflict', ours: ours.slice(from, to), theirs: theirs.slice(right, right + lines.length) })
    right += lines.length
    at = to
  }
  return [...parts, { kind: 'settled', lines: ours.slice(at) }]
}

/** Conflicts with few lines between them as one. */
function closed(parts: readonly Part[]): Part[] {
  const result: Part[] = []
  for (const [index, part] of parts.entries()) {
    const before = result.at(-1)
    const after = parts[index + 1]
    if (part.kind === 'settled' && part.lines.length <= CLOSE && before?.kind === 'conflict' && after?.kind === 'conflict') {
      result[result.length - 1] = { kind: 'conflict', ours: [...before.ours, ...part.lines], theirs: [...before.theirs, ...part.lines] }
    } else if (part.kind === 'conflict' && before?.kind === 'conflict')
      result[result.length - 1] = { kind: 'conflict', ours: [...before.ours, ...part.ours], theirs: [...before.theirs, ...part.theirs] }
    else result.push(part)
  }
  return result
}

/** Settled parts that follow each other as one, and none without lines. */
function joined(parts: readonly Part[]): Part[] {
  const result: Part[] = []
  for (const part of parts) {
    const before = result.at(-1)
    if (part.kind === 'settled' && part.lines.length === 0) continue
    if (part.kind === 'settled' && before?.kind === 'settled')
      result[result.length - 1] = { kind: 'settled', lines: [...before.lines, ...part.lines] }
    else result.push(part)
  }
  return result
}

export type Choice = 'ours' | 'theirs'

/** The text that the choices give, one for each conflict in order; undefined where one lacks. */
export function chosenText(parts: readonly Part[], choices: readonly (Choice | undefined)[]): string | undefined {
  let next = 0
  const lines: string[] = []
  for (const part of parts) {
    const choice = part.kind === 'settled' ? undefined : choices[next++]
    if (part.kind === 'settled') lines.push(...part.lines)
    else if (choice === undefined) return undefined
    else lines.push(...part[choice])
  }
  return lines.join('')
}

/** Names of the sides at conflict markers. */
export interface SideNames {
  readonly ours: string
  readonly theirs: string
}

/** How long the markers are: longer than any line of the text that looks like one. */
function markerLength(parts: readonly Part[]): number {
  const lines = parts.flatMap(part => (part.kind === 'settled' ? part.lines : [...part.ours, ...part.theirs]))
  const longest = lines.reduce((most, line) => Math.max(most, /^(<{7,}|={7,}|>{7,})/.exec(line)?.[0].length ?? 0), 0)
  return Math.max(7, longest + 1)
}

/** The text with both sides of each conflict between markers, for people who edit it; with LF. */
export function textWithMarkers(parts: readonly Part[], names: SideNames): string {
  const length = markerLength(parts)
  const plain = (lines: readonly string[]) => lines.join('').replace(/\r\n?/g, '\n')
  const ended = (lines: readonly string[]) => plain(lines).replace(/([^\n])$/, '$1\n')
  return parts
    .map(part =>
      part.kind === 'settled'
        ? plain(part.lines)
        : `${'<'.repeat(length)} ${names.ours}\n${ended(part.ours)}${'='.repeat(length)}\n${ended(part.theirs)}${'>'.repeat(length)} ${names.theirs}\n`,
    )
    .join('')
}

/** The number of the first line that is still one of the markers; undefined where none is. */
export function markerLine(parts: readonly Part[], text: string): number | undefined {
  const length = markerLength(parts)
  const isMarker = (line: string) => ['<', '=', '>'].some(sign => line.startsWith(sign.repeat(length)) && line[length] !== sign)
  const found = text.split(/\r\n|\r|\n/).findIndex(isMarker)
  return found === -1 ? undefined : found + 1
}
