/** The lines of a file's diff, and where a line of one side is on the other. Pure: they read the text of a `DiffEntry`. */
import { createHash } from 'node:crypto'
import type { DiffEntry } from './diff-entry.ts'

/** One line of a diff. Numbers begin with 1. */
export interface DiffLine {
  readonly type: 'context' | 'added' | 'removed'
  /** Its number in the old file; null for an added line. */
  readonly old_line: number | null
  /** Its number in the new file; null for a removed line. */
  readonly new_line: number | null
  /** How far each file had come when the line was reached: of the side that lacks it, the number of the line that follows. */
  readonly old_reached: number
  readonly new_reached: number
  /** Without its mark and its line end. */
  readonly text: string
  /** It is the last line of its file, and no line end follows. */
  readonly without_end?: true
}

/** Lines of a diff that follow each other. */
export interface Hunk {
  readonly oldStart: number
  readonly oldCount: number
  readonly newStart: number
  readonly newCount: number
  /** The line before it that git takes for a heading, such as the head of a function; empty for none. */
  readonly heading: string
  readonly lines: DiffLine[]
}

const hunkHeader = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(?: (.*))?/

/**
 * The hunks of a diff. How many lines each has is said at its head, so that no content can be taken for a head. Of a file that became
 * a link, or the like, both patches are read as one.
 */
export function hunksOf(diff: string): Hunk[] {
  const hunks: Hunk[] = []
  let old = 0
  let fresh = 0
  let oldLeft = 0
  let newLeft = 0
  for (const line of diff.split('\n')) {
    // `\ No newline at end of file` is about the line before.
    if (line.startsWith('\\')) {
      const lines = hunks.at(-1)?.lines
      const last = lines?.pop()
      if (last) lines?.push({ ...last, without_end: true })
      continue
    }
    if (oldLeft === 0 && newLeft === 0) {
      const head = hunkHeader.exec(line)
      if (head === null) continue
      const [oldStart, newStart] = [Number(head[1]), Number(head[3])]
      oldLeft = Number(head[2] ?? 1)
      newLeft = Number(head[4] ?? 1)
      // Of no lines, the head names the line before.
      old = oldLeft === 0 ? oldStart + 1 : oldStart
      fresh = newLeft === 0 ? newStart + 1 : newStart
      hunks.push({ oldStart: old, oldCount: oldLeft, newStart: fresh, newCount: newLeft, heading: head[5] ?? '', lines: [] })
      continue
    }
    const inOld = line.startsWith(' ') || line.startsWith('-')
    const inNew = line.startsWith(' ') || line.startsWith('+')
    if (!inOld && !inNew) continue
    hunks.at(-1)!.lines.push({
      type: inOld && inNew ? 'context' : inOld ? 'removed' : 'added',
      old_line: inOld ? old : null,
      new_line: inNew ? fresh : null,
      old_reached: old,
      new_reached: fresh,
      text: line.slice(1),
    })
    if (inOld) [old, oldLeft] = [old + 1, oldLeft - 1]
    if (inNew) [fresh, newLeft] = [fresh + 1, newLeft - 1]
  }
  return hunks
}

/** A page asks for the lines of a file several times. */
const known = new WeakMap<Pick<DiffEntry, 'diff'>, readonly DiffLine[]>()

/** The lines that a file's diff shows, in its order. None of a binary file, a mere rename, or a diff that was cut. */
export function linesOf(entry: Pick<DiffEntry, 'diff'>): readonly DiffLine[] {
  const lines = known.get(entry) ?? hunksOf(entry.diff).flatMap(({ lines }) => lines)
  known.set(entry, lines)
  return lines
}

/**
 * The name of a line in a file's diff: `<sha1 of the path>_<old>_<new>`, with the numbers that both files had reached.
 * @param path the new path of the file
 */
export function lineCode(path: string, { old_reached, new_reached }: Pick<DiffLine, 'old_reached' | 'new_reached'>): string {
  return `${createHash('sha1').update(path).digest('hex')}_${old_reached}_${new_reached}`
}

/** Where lines of one side of a diff are on the other; undefined for one that is not there. */
export interface LineMap {
  toNew(line: number): number | undefined
  toOld(line: number): number | undefined
}

const same: LineMap = { toNew: line => line, toOld: line => line }
const nothing: LineMap = { toNew: () => undefined, toOld: () => undefined }

/** The lines of a file whose diff this is; undefined for a file that did not change. */
export function lineMap(entry: DiffEntry | undefined): LineMap {
  if (entry === undefined) return same
  // Nothing is known of what was cut, and a binary file has no lines.
  if (entry.too_large || entry.collapsed || entry.diff.startsWith('Binary files ')) return nothing
  if (entry.new_file || entry.deleted_file) return nothing
  const hunks = hunksOf(entry.diff)
  const map = (from: 'old' | 'new', line: number) => {
    const [start, count, other] =
      from === 'old' ? (['oldStart', 'oldCount', 'newStart'] as const) : (['newStart', 'newCount', 'oldStart'] as const)
    const otherCount = from === 'old' ? 'newCount' : 'oldCount'
    const [own, others] = from === 'old' ? (['old_line', 'new_line'] as const) : (['new_line', 'old_line'] as const)
    let moved = 0
    for (const hunk of hunks) {
      if (line < hunk[start]) break
      if (line < hunk[start] + hunk[count]) return hunk.lines.find(shown => shown[own] === line)?.[others] ?? undefined
      moved = hunk[other] + hunk[otherCount] - (hunk[start] + hunk[count])
    }
    return line + moved
  }
  return { toNew: line => map('old', line), toOld: line => map('new', line) }
}

/** The numbers of a line in a diff: of an added line only the new one, of a removed line only the old one, of any other both. */
export interface LineNumbers {
  readonly old_line: number | null
  readonly new_line: number | null
}

/**
 * The line of a file's diff that these numbers mean: with what `lineCode` needs of it. Undefined where they mean none. An unchanged
 * line need not be among those that the diff shows; whether the file is long enough to have it is for others to say (`readLines`).
 */
export function lineAt(
  entry: DiffEntry,
  { old_line, new_line }: LineNumbers,
): Pick<DiffLine, 'type' | 'old_reached' | 'new_reached'> | undefined {
  if (old_line !== null && new_line !== null) {
    if (Math.min(old_line, new_line) < 1 || lineMap(entry).toNew(old_line) !== new_line) return undefined
    return { type: 'context', old_reached: old_line, new_reached: new_line }
  }
  if (old_line === null && new_line === null) return undefined
  return linesOf(entry).find(line => line.old_line === old_line && line.new_line === new_line)
}
