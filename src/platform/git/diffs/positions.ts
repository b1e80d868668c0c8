/** Where a line of a diff is when its branches have moved on. */
import type { ObjectId } from '../objects/oid.ts'
import type { Repository } from '../storage/repository.ts'
import type { DiffEntry } from './diff-entry.ts'
import { diffBetween } from './diffs.ts'
import { rawDiffLimits } from './limits.ts'
import { lineMap } from './lines.ts'
import { listChangedFiles } from './raw-entries.ts'

/**
 * A place in the diff of a version: an added line has no `old_line`, a removed one no `new_line`, an unchanged one has both. With
 * neither it is the whole file (or picture).
 */
export interface LinePosition {
  readonly old_path: string
  readonly new_path: string
  readonly old_line: number | null
  readonly new_line: number | null
  /** Of a whole file: is it about the one before the change? */
  readonly isOld?: boolean
}

/** What a version compares. */
export interface VersionEnds {
  readonly base: ObjectId
  readonly head: ObjectId
}

/** Where a position is in a newer version; `outdated`: what it was about is not part of that any more. */
export type Traced = { readonly kind: 'current'; readonly position: LinePosition } | { readonly kind: 'outdated' }

/** What lies between two versions, and what the newer one shows. Files that are missing did not change. */
export interface VersionDiffs {
  /** From the older base to the newer one. */
  readonly bases: readonly DiffEntry[]
  /** From the older head to the newer one. */
  readonly heads: readonly DiffEntry[]
  /** From the newer base to the newer head. */
  readonly shown: readonly DiffEntry[]
}

const outdated: Traced = { kind: 'outdated' }

/** Where a position of the older version is in the newer one. Pure. */
export function tracePosition(position: LinePosition, { bases, heads, shown }: VersionDiffs): Traced {
  const { old_path, new_path, old_line, new_line, isOld } = position
  const base = fileOf(bases, old_path)
  const head = fileOf(heads, new_path)
  const entry =
    new_line !== null || old_line === null
      ? shown.find(file => file.new_path === (head?.new_path ?? new_path))
      : shown.find(file => file.old_path === (base?.new_path ?? old_path))
  // The newer version does not show the file at all: it has become equal on both sides.
  if (entry === undefined) return outdated
  const current = (oldLine: number | null, newLine: number | null): Traced => ({
    kind: 'current',
    position: { old_path: entry.old_path, new_path: entry.new_path, old_line: oldLine, new_line: newLine },
  })

  if (old_line === null && new_line === null) return hasSameContents(isOld ? base : head) ? current(null, null) : outdated
  const oldNow = old_line === null ? null : lineMap(base).toNew(old_line)
  const newNow = new_line === null ? null : lineMap(head).toNew(new_line)
  if (oldNow === undefined || newNow === undefined) return outdated
  const lines = lineMap(entry)
  if (newNow === null) return lines.toNew(oldNow!) === undefined ? current(oldNow, null) : outdated
  // An added line that the newer base has as well is now an unchanged one.
  if (oldNow === null) return current(lines.toOld(newNow) ?? null, newNow)
  return lines.toNew(oldNow) === newNow ? current(oldNow, newNow) : outdated
}

/** What became of a file. What came new under its name is another one. */
const fileOf = (diff: readonly DiffEntry[], path: string) => diff.find(file => file.old_path === path && !file.new_file)

const hasSameContents = (entry: DiffEntry | undefined) => entry === undefined || (entry.diff === '' && !entry.too_large && !entry.collapsed)

/**
 * Traces positions of an older version to a newer one, in their order. Reads the diffs of their files alone: three processes, and
 * up to two more for each of the three where a file came, went or was renamed.
 */
export async function tracePositions(
  repository: Repository,
  older: VersionEnds,
  newer: VersionEnds,
  positions: readonly LinePosition[],
): Promise<Traced[]> {
  if (positions.length === 0) return []
  const oldPaths = new Set(positions.map(({ old_path }) => old_path))
  const newPaths = new Set(positions.map(({ new_path }) => new_path))
  const [bases, heads] = await Promise.all([
    diffOfFiles(repository, older.base, newer.base, oldPaths),
    diffOfFiles(repository, older.head, newer.head, newPaths),
  ])
  const shownPaths = new Set([...oldPaths, ...newPaths, ...[...bases, ...heads].map(({ new_path }) => new_path)])
  const shown = await diffOfFiles(repository, newer.base, newer.head, shownPaths)
  return positions.map(position => tracePosition(position, { bases, heads, shown }))
}

/** The diffs of some files, under whatever names they are on either side. */
async function diffOfFiles(
  repository: Repository,
  from: ObjectId,
  to: ObjectId,
  paths: ReadonlySet<string>,
): Promise<readonly DiffEntry[]> {
  if (from === to) return []
  const limits = rawDiffLimits
  const { entries } = await diffBetween(repository, from, to, { paths: [...paths], limits })
  if (!entries.some(({ new_file, deleted_file }) => new_file || deleted_file)) return entries
  // Among these files alone, one that was renamed looks as if it had come or gone.
  const renamed = (await listChangedFiles(repository, from, to)).filter(
    ({ file }) => file.renamed_file && (paths.has(file.old_path) || paths.has(file.new_path)),
  )
  if (renamed.length === 0) return entries
  const names = renamed.flatMap(({ file }) => [file.old_path, file.new_path])
  return (await diffBetween(repository, from, to, { paths: [...paths, ...names], limits })).entries
}
