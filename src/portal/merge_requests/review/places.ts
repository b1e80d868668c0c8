/** Where threads stand in a diff: the lines that their positions name, as texts of forms and as elements of the page. Pure. */
import type { Position } from '../../../collaboration/notes/positions/position.ts'
import type { DiffEntry, DiffLine } from '../../../platform/git/index.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
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

/** A place on a picture: on the one before or after the change, in pixels of its own size. */
export interface PicturePoint {
  readonly side: 'old' | 'new'
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A place on a picture as forms send it and scripts read it: `new 40 24 64 64`. */
export const pointText = ({ side, x, y, width, height }: PicturePoint): string => [side, x, y, width, height].join(' ')

/** The place that a text names; undefined for a text that names none. */
export function readPoint(text: string): PicturePoint | undefined {
  const [, side, ...numbers] = /^(old|new) (\d{1,6}) (\d{1,6}) (\d{1,6}) (\d{1,6})$/.exec(text) ?? []
  const [x = 0, y = 0, width = 0, height = 0] = numbers.map(Number)
  return side === undefined || x > width || y > height ? undefined : { side: side === 'old' ? 'old' : 'new', x, y, width, height }
}

/** A picture as forms send it that ask for the place by two numbers: `new 64 64`, the side and the size. */
export const pictureText = ({ side, width, height }: Omit<PicturePoint, 'x' | 'y'>): string => [side, width, height].join(' ')

/** The picture that a text names; undefined for a text that names none. */
export function readPicture(text: string): Omit<PicturePoint, 'x' | 'y'> | undefined {
  const [, side, width, height] = /^(old|new) (\d{1,6}) (\d{1,6})$/.exec(text) ?? []
  return side === undefined ? undefined : { side: side === 'old' ? 'old' : 'new', width: Number(width), height: Number(height) }
}

/** What is wrong with the numbers of a place on a picture, by their names. */
export type Wrong = Readonly<Partial<Record<'x' | 'y', string[]>>>

/** Looks at the numbers of a place, as they were typed. */
export function wrongOf(
  { x, y }: { readonly x: unknown; readonly y: unknown },
  { width, height }: Pick<PicturePoint, 'width' | 'height'>,
): Wrong {
  const says = (value: unknown, most: number): string | undefined => {
    if (value === undefined || value === '') return 'must be given'
    if (!/^\s*-?\d{1,12}\s*$/.test(String(value))) return 'must be a whole number'
    return Number(value) < 0 || Number(value) > most ? `must be within the picture: from 0 to ${most}` : undefined
  }
  const [wrongX, wrongY] = [says(x, width), says(y, height)]
  return { ...(wrongX !== undefined && { x: [wrongX] }), ...(wrongY !== undefined && { y: [wrongY] }) }
}

/** The place on a picture that a position is about. */
export function pointOf({ position_type, side, x, y, width, height }: Partial<Position>): PicturePoint | undefined {
  if (position_type !== 'image' || typeof x !== 'number' || typeof y !== 'number' || !width || !height) return undefined
  return { side: side === 'old' ? 'old' : 'new', x, y, width, height }
}

/** Says where a script draws the pin of a thread on a picture. */
export function pinOf(position: Partial<Position>): Html | undefined {
  const point = pointOf(position)
  return point && html` data-pin="${pointText(point)}"`
}

/** Where a place on a picture is, in words. */
export function pointWords(position: Partial<Position>): Html | undefined {
  const point = pointOf(position)
  if (!point) return undefined
  const { x, y, width, height } = point
  return html`: ${Math.round(x)} from the left and ${Math.round(y)} from the top, of ${width} × ${height}`
}

/** A line as people call it: `12`, and `old 10` where it was removed. */
export const lineWords = ({ old_line, new_line }: Partial<Position>): string => (new_line ? String(new_line) : `old ${old_line ?? '?'}`)

/** What a position is about, in words: `line 12`, `lines 10 to 12`, `a point of the picture`, `the file`. */
export function placeWords({ position_type, line_range, old_line, new_line, side }: Partial<Position>): string {
  if (position_type === 'image') return side === 'old' ? 'a point of the picture before the change' : 'a point of the picture'
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
