/** Inserts rows of user and system notes. Callers check permissions before. */
import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import type { NamingColumns, NoteableKey } from '../../item_kinds/kinds.ts'
import type { Position } from '../positions/position.ts'

/** A note to insert, on the item or commit that its key names. */
export type NewNote = NoteableKey &
  NamingColumns & {
    readonly author_id: number
    readonly body: string
    /** Its thread; a new one if not given. */
    readonly discussion_id?: string | undefined
    readonly threaded?: boolean | undefined
    readonly resolvable?: boolean | undefined
    /** For a note on a diff. */
    readonly position?: Position | undefined
    readonly commit_id?: string | null | undefined
    readonly confidential?: boolean | undefined
    /** The kind of change that a system note describes. */
    readonly action?: string | undefined
    readonly named_commit?: string | undefined
    /** The project of that commit, if it is another one. */
    readonly named_project_id?: number | undefined
    readonly created_at: Date | string
  }

/** Inserts notes in this order and returns their ids. Cross references that exist already are skipped. */
export async function insertNotes(db: Db, notes: readonly NewNote[]): Promise<number[]> {
  if (notes.length === 0) return []
  const rows = await db
    .insertInto('notes')
    .values(
      notes.map(note => ({
        ...note,
        discussion_id: note.discussion_id ?? randomBytes(20).toString('hex'),
        threaded: note.threaded ?? false,
        resolvable: note.resolvable ?? false,
        position: note.position ? JSON.stringify(note.position) : null,
        original_position: note.position ? JSON.stringify(note.position) : null,
        commit_id: note.commit_id ?? null,
        confidential: note.confidential ?? false,
        action: note.action ?? null,
        named_issue_id: note.named_issue_id ?? null,
        named_merge_request_id: note.named_merge_request_id ?? null,
        named_epic_id: note.named_epic_id ?? null,
        named_snippet_id: note.named_snippet_id ?? null,
        named_commit: note.named_commit ?? null,
        named_project_id: note.named_project_id ?? null,
        updated_at: note.created_at,
      })),
    )
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .execute()
  return rows.map(row => row.id)
}

/** Deletes the system notes with these ids, which no count includes. @param ids a query */
export const deleteSystemNotes = (db: Db, ids: RawBuilder<unknown>) => sql`delete from notes where id in (${ids})`.execute(db)

/** Lets cross references name the items that their texts name: they are hidden from those who may not see them. */
export async function nameItems(
  db: Db,
  column: 'named_issue_id' | 'named_merge_request_id',
  pairs: readonly { readonly note: number; readonly named: number }[],
): Promise<void> {
  if (pairs.length > 0)
    await sql`update notes set ${sql.ref(column)} = pair.named
      from json_to_recordset(${JSON.stringify(pairs)}::json) as pair(note bigint, named bigint)
      where notes.id = pair.note and notes.action = 'mention'`.execute(db)
}
