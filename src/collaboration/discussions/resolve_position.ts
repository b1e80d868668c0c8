/** Resolves the position in a diff that a client gives for a new thread. */

import {
  type DiffEntry,
  type DiffLine,
  diffBetween,
  isObjectId,
  lineCode,
  lineMap,
  linesOf,
  type ObjectId,
  type Repository,
  rawDiffLimits,
  readLines,
  resolveCommits,
} from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { InvalidAsHash, invalid } from '../../platform/kernel/errors.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import type { Noteable } from '../notes/items/noteable.ts'
import type { Position } from '../notes/positions/position.ts'

/** A position as given by a client. */
export interface GivenPosition extends Partial<Omit<Position, 'line_range'>> {
  readonly line_range?: { readonly start?: GivenEnd | undefined; readonly end?: GivenEnd | undefined } | null | undefined
}

interface GivenEnd {
  readonly line_code?: string | null | undefined
  readonly type?: string | null | undefined
  readonly old_line?: number | null | undefined
  readonly new_line?: number | null | undefined
}

/** Contract: 400 with this text for a line that the diff does not have (discussions API). */
const noSuchLine = () => new InvalidAsHash('400 Bad request - Note', { line_code: ["can't be blank", 'must be a valid line code'] })

/**
 * The position that a client means, checked against the real diff. One git process, and a second one for a line outside of the hunks.
 * Not to be called inside a transaction. 400 for commits that the repository does not have, unchanged files, and lines that do not exist.
 */
export async function placeInDiff(ctx: Context, { project }: Pick<Noteable, 'project'>, given: GivenPosition): Promise<Position> {
  const repository = project && (await findRepository(ctx.deps.storages, project))
  if (!repository) throw invalid({ position: ['is incomplete'] })
  return placeBetween(repository, await endsOf(repository, given), given)
}

/** The commits of a position. */
interface Ends {
  readonly base: ObjectId
  readonly start: ObjectId
  readonly head: ObjectId
  /** What the position calls its base, where that is not a commit. */
  readonly base_sha?: string
}

/** The position that a client means in the diff of these commits. */
export async function placeBetween(
  repository: Repository,
  { base, start, head, base_sha = base }: Ends,
  given: GivenPosition,
): Promise<Position> {
  const new_path = given.new_path ?? given.old_path
  const old_path = given.old_path ?? given.new_path
  if (!new_path || !old_path) throw invalid({ position: ['is incomplete'] })
  const { entries } = await diffBetween(repository, base, head, { paths: [...new Set([old_path, new_path])], limits: rawDiffLimits })
  const entry =
    entries.find(file => file.new_path === new_path && file.old_path === old_path) ?? entries.find(file => file.new_path === new_path)
  if (!entry) throw noSuchLine()
  const place = {
    base_sha,
    start_sha: base_sha === base ? start : base_sha,
    head_sha: head,
    old_path: entry.old_path,
    new_path: entry.new_path,
    position_type: given.position_type ?? 'text',
  }
  if (place.position_type === 'file') return place
  if (place.position_type === 'image') return { ...place, ...pointOf(given, entry) }
  const line = await lineFor(repository, head, entry, given)
  const line_range = rangeOf(entry, given)
  return { ...place, old_line: line.old_line, new_line: line.new_line, ...(line_range && { line_range }) }
}

async function endsOf(repository: Repository, given: GivenPosition): Promise<Ends> {
  const wanted = [given.base_sha, given.start_sha, given.head_sha].map(sha => sha ?? '')
  const [base, start, head] = wanted.every(isObjectId) ? await resolveCommits(repository, wanted) : []
  if (!base || !start || !head) throw invalid({ position: ['is incomplete'] })
  return { base, start, head }
}

function pointOf({ width, height, x, y, side }: GivenPosition, { new_file, deleted_file }: DiffEntry) {
  if ([width, height, x, y].some(number => typeof number !== 'number')) throw invalid({ position: ['is incomplete'] })
  const isOld = deleted_file || (side === 'old' && !new_file)
  return { width: width ?? null, height: height ?? null, x: x ?? null, y: y ?? null, ...(isOld && { side: 'old' }) }
}

type Numbers = Pick<DiffLine, 'old_line' | 'new_line'>

/** The line of the position. For an unchanged line either number is enough within the hunks; elsewhere both are required. */
async function lineFor(repository: Repository, head: ObjectId, entry: DiffEntry, given: GivenPosition): Promise<Numbers> {
  const old_line = given.old_line ?? null
  const new_line = given.new_line ?? null
  const shown = shownLine(linesOf(entry), old_line, new_line)
  if (shown) return shown
  const isUnchanged = old_line !== null && new_line !== null && lineMap(entry).toNew(old_line) === new_line
  const text = isUnchanged ? await readLines(repository, head, entry.new_path, { from: new_line, to: new_line }) : undefined
  if (text === undefined) throw noSuchLine()
  return { old_line, new_line }
}

function shownLine(lines: readonly DiffLine[], old_line: number | null, new_line: number | null): DiffLine | undefined {
  if (old_line === null && new_line === null) return undefined
  const fits = (line: DiffLine) => (old_line === null || line.old_line === old_line) && (new_line === null || line.new_line === new_line)
  const found = lines.filter(fits)
  // A single number means the line that exists on that side only, if there is one.
  return found.find(line => line.old_line === old_line && line.new_line === new_line) ?? found[0]
}

/** The first and last line of a range, if one was given; 400 for lines outside of the hunks. */
function rangeOf(entry: DiffEntry, { line_range }: GivenPosition): Position['line_range'] {
  if (!line_range?.start || !line_range.end) return undefined
  const lines = linesOf(entry)
  const endOf = ({ line_code, type, old_line, new_line }: GivenEnd) => {
    const line = shownLine(lines, old_line ?? null, new_line ?? null) ?? lines.find(shown => lineCode(entry.new_path, shown) === line_code)
    if (!line) throw noSuchLine()
    return {
      line_code: lineCode(entry.new_path, line),
      type: type ?? (line.type === 'added' ? 'new' : line.type === 'removed' ? 'old' : null),
      old_line: line.old_line,
      new_line: line.new_line,
    }
  }
  return { start: endOf(line_range.start), end: endOf(line_range.end) }
}
