/** Writes of suggestions, which are derived from the texts of notes. */

import type { Db } from '../../platform/db/connection.ts'
import { type LineSpan, lineReader } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { findRepository, type Stored } from '../../spaces/projects/repository/store.ts'
import type { Position } from '../notes/positions/position.ts'
import { type Suggested, suggestionsIn } from './parse.ts'

/** Characters that the suggestions of a note replace: one line may be a file of 10 MB, and is stored with each of them. */
const MOST_REPLACED = 1024 * 1024

/** The range of lines that a suggestion replaces, in the file of the source branch. */
export function linesOf(position: Position, { lines_above, lines_below }: Pick<Suggested, 'lines_above' | 'lines_below'>): LineSpan {
  const line = position.new_line as number
  return { from: Math.max(1, line - lines_above), to: line + lines_below }
}

/** Can a note at this position contain suggestions? Only on lines that the source branch has. */
const suggestsAt = (position: Position): boolean => position.position_type === 'text' && typeof position.new_line === 'number'

/**
 * Stores the suggestions of a note, replacing earlier ones except those that were applied. Reads the file once; no statement and no read
 * from git if the note neither has nor had any.
 */
export async function storeSuggestions(
  { db, deps }: Pick<Context, 'db' | 'deps'>,
  project: Stored,
  note: { readonly id: number; readonly body: string; readonly position: Position },
  isEdit: boolean,
): Promise<void> {
  if (isEdit) await db.deleteFrom('suggestions').where('note_id', '=', note.id).where('applied', '=', false).execute()
  const suggested = suggestsAt(note.position) ? await suggestionsIn(note.body) : []
  const repository = suggested.length > 0 ? await findRepository(deps.storages, project) : undefined
  if (!repository) return
  const ranges = suggested.map(one => linesOf(note.position, one))
  const read = await lineReader(repository, note.position.head_sha, note.position.new_path as string, ranges)
  const rows = []
  let characters = 0
  for (const [position, one] of suggested.entries()) {
    const from_content = read?.(ranges[position] as LineSpan)
    // Ranges beyond the end of the file are not replaceable.
    if (from_content === undefined) continue
    characters += from_content.length
    if (characters > MOST_REPLACED) break
    rows.push({ note_id: note.id, position, ...one, from_content })
  }
  if (rows.length > 0)
    await db
      .insertInto('suggestions')
      .values(rows)
      .onConflict(conflict => conflict.doNothing())
      .execute()
}

/** Marks suggestions as applied by a commit. */
export async function setApplied(db: Db, ids: readonly number[], commit_id: string): Promise<void> {
  await db
    .updateTable('suggestions')
    .set({ applied: true, commit_id })
    .where('id', 'in', [...ids])
    .execute()
}
