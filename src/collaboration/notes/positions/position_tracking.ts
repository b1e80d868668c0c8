/** Moves notes on a diff to their new positions when commits are pushed. */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { type LinePosition, type ObjectId, type Repository, type Traced, tracePositions } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { setResolved } from '../writing/resolved.ts'
import type { Position } from './position.ts'

/** The commits that a version compares. */
interface Version {
  readonly base_commit_sha: ObjectId
  readonly start_commit_sha: ObjectId
  readonly head_commit_sha: ObjectId
}

interface Moving {
  readonly mergeRequestId: number
  readonly older: Version
  readonly newer: Version
  /** The user who pushed, and as whom outdated threads are resolved where the project enables it (`resolve_outdated_diff_discussions`). */
  readonly resolver?: number | undefined
  readonly now: Date
}

/**
 * Moves the positions of notes from one version of a merge request to the next. Positions that the new version does not have stay
 * unchanged. Runs in the transaction that records the new version. Two statements, and the processes of `tracePositions`.
 */
export async function movePositions(
  db: Db,
  repository: Repository,
  { mergeRequestId, older, newer, resolver, now }: Moving,
): Promise<void> {
  const rows = await db
    .selectFrom('notes')
    .select(['id', 'position', 'resolvable', 'resolved_at'])
    .where('merge_request_id', '=', mergeRequestId)
    .where('position', 'is not', null)
    // Notes on a single commit do not move.
    .where('commit_id', 'is', null)
    .where(sql<string>`position->>'head_sha'`, '=', older.head_commit_sha)
    .where(sql<string>`position->>'base_sha'`, '=', older.base_commit_sha)
    .orderBy('id')
    .execute()
  const notes = rows.map(row => ({ ...row, at: row.position as unknown as Position }))
  if (notes.length === 0) return
  const asked = notes.flatMap(({ at }) => linesIn(at))
  const ends = (version: Version) => ({ base: version.base_commit_sha, head: version.head_commit_sha })
  const traced = await tracePositions(repository, ends(older), ends(newer), asked)
  let next = 0
  const moved: { id: number; position: Position }[] = []
  const outdated: number[] = []
  for (const { id, at, resolvable, resolved_at } of notes) {
    const found = traced.slice(next, next + linesIn(at).length)
    next += found.length
    const position = positionFrom(at, found, newer)
    if (position) moved.push({ id, position })
    else if (resolvable && resolved_at === null) outdated.push(id)
  }
  if (moved.length > 0)
    await sql`update notes set position = moved.position
      from unnest(${moved.map(({ id }) => id)}::bigint[], ${moved.map(({ position }) => JSON.stringify(position))}::jsonb[]) as moved(id, position)
      where notes.id = moved.id`.execute(db)
  if (resolver !== undefined && outdated.length > 0) await setResolved(db, outdated, resolver, now)
}

/** A merge request before its new version. */
interface Before {
  readonly id: number
  readonly base_commit_sha: string | null
  readonly start_commit_sha: string | null
  readonly head_commit_sha: string | null
}

/** `movePositions` from the previous version of a merge request, if there is one, with the settings of its project. */
export async function trackPositions(
  { db, actor, now }: Pick<Context, 'db' | 'actor' | 'now'>,
  repository: Repository,
  project: { readonly resolve_outdated_diff_discussions: boolean },
  { id, base_commit_sha, start_commit_sha, head_commit_sha }: Before,
  newer: Version,
): Promise<void> {
  if (base_commit_sha === null || start_commit_sha === null || head_commit_sha === null) return
  const older = { base_commit_sha, start_commit_sha, head_commit_sha }
  const resolver = project.resolve_outdated_diff_discussions ? actor.user?.id : undefined
  await movePositions(db, repository, { mergeRequestId: id, older, newer, resolver, now })
}

/** The lines of a position to trace: its own, and both ends of its range. */
function linesIn({ old_path, new_path, old_line, new_line, line_range, side }: Position): LinePosition[] {
  const paths = { old_path: (old_path ?? new_path) as string, new_path: (new_path ?? old_path) as string }
  const at = (line: { readonly old_line?: number | null | undefined; readonly new_line?: number | null | undefined }) => ({
    ...paths,
    old_line: line.old_line ?? null,
    new_line: line.new_line ?? null,
  })
  return [{ ...at({ old_line, new_line }), isOld: side === 'old' }, ...(line_range ? [at(line_range.start), at(line_range.end)] : [])]
}

/** The position in the new version; undefined if it is outdated. */
function positionFrom(position: Position, found: readonly Traced[], newer: Version): Position | undefined {
  const lines = found.flatMap(line => (line.kind === 'current' ? [line.position] : []))
  const [at, start, end] = lines
  if (!at || lines.length < found.length) return undefined
  const { line_range } = position
  const ended = (given: NonNullable<typeof line_range>['start'], line: LinePosition) => ({
    ...given,
    old_line: line.old_line,
    new_line: line.new_line,
  })
  return {
    ...position,
    base_sha: newer.base_commit_sha,
    start_sha: newer.start_commit_sha,
    head_sha: newer.head_commit_sha,
    old_path: at.old_path,
    new_path: at.new_path,
    ...(position.position_type === 'text' ? { old_line: at.old_line, new_line: at.new_line } : {}),
    ...(line_range && start && end && { line_range: { start: ended(line_range.start, start), end: ended(line_range.end, end) } }),
  }
}
