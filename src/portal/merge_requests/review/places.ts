/** Where threads stand in a diff: the lines that their positions name, as texts of forms and as elements of the page. Pure. */
import type { Position } from '../../../collaboration/notes/positions/position.ts'
import type { DiffEntry, DiffLine } from '../../../platform/git/index.ts'
import { anchorOf, lineNameOf } from '../../repository/diffs/anchor.ts'

/** The numbers of a line: of an added one the new, of a removed one the old, of any other both. */
export type LineNumbers = Pick<DiffLine, 'old_line' | 'new_line'>

/** The commits between which a diff is. */
export interface DiffSpan {
  readonly base_commit_sha: string
  readonly start_commit_sha: string
  readonly head_commit_sha: string
}

/** A line as forms send it: `10_12`, `_12` for an added one, `10_` for a removed one. */
export const lineText = ({ old_line, new_line }: LineNumbers): string => `${old_line ?? ''}_${new_line ?? ''}`

/** The line that a text names; undefined for a text that names none. */
export function readLine(text: string): LineNumbers | undefined {
  const [, old = '', fresh = ''] = /^(\d{0,9})_(\d{0,9})$/.exec(text) ?? []
  if (old === '' && fresh === '') return undefined
  return { old_line: old === '' ? null : Number(old), new_line: fresh === '' ? null : Number(fresh) }
}

/** A line as people call it: `12`, and `old 10` where it was removed. */
export const lineWords = ({ old_line, new_line }: Partial<Position>): string => (new_line ? String(new_line) : `old ${old_line ?? '?'}`)

/** What a position is about, in words: `line 12`, `lines 10 to 12`, `a point of the picture`, `the file`. */
export function placeWords({ position_type, line_range, old_line, new_line }: Partial<Position>): string {
  if (position_type === 'image') return 'a point of the picture'
  if (position_type === 'file') return 'the file'
  if (!line_range || lineWords(line_range.start) === lineWords(line_range.end)) return `line ${lineWords({ old_line, new_line })}`
  return `lines ${lineWords(line_range.start)} to ${lineWords(line_range.end)}`
}

/** The key of a line among those of all files. */
export const keyOf = (
  path: string,
  { old_line, new_line }: { old_line?: number | null | undefined; new_line?: number | null | undefined },
) => `${lineText({ old_line: old_line ?? null, new_line: new_line ?? null })} ${path}`

/** The path that a position is filed under. */
export const pathOf = (position: Partial<Position>): string => position.new_path ?? position.old_path ?? ''

/** Is the position in the diff of these commits? */
export const isWithin = ({ base_sha, head_sha }: Partial<Position>, { base_commit_sha, head_commit_sha }: DiffSpan): boolean =>
  base_sha === base_commit_sha && head_sha === head_commit_sha

/** The name of the row of the line that a position is on; undefined for one that is on no line. */
export const rowOf = (position: Partial<Position>): string | undefined =>
  position.position_type === 'text' && (position.new_line || position.old_line)
    ? lineNameOf(anchorOf(pathOf(position)), { old_line: position.old_line ?? null, new_line: position.new_line ?? null })
    : undefined

/** Is the position about this file of a diff? */
export const isAbout = (position: Partial<Position>, { new_path, old_path }: Pick<DiffEntry, 'new_path' | 'old_path'>): boolean =>
  pathOf(position) === new_path || (position.old_path ?? '') === old_path
