/** Rows of mentions. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { columnOf, type NoteableKey } from '../item_kinds/kinds.ts'

/** The text that mentions: of a note, or with null the description of the item. */
export type MentionedIn = NoteableKey & {
  readonly note_id: number | null
}

/** Stores the users that a text mentions, replacing those of the edited text; returns the newly mentioned ones. */
export async function storeMentions(db: Db, text: MentionedIn, userIds: readonly number[], isEdit: boolean): Promise<number[]> {
  const [column, id] = columnOf(text)
  if (isEdit)
    await db
      .deleteFrom('user_mentions')
      .where(column, '=', id)
      .where('note_id', 'is not distinct from', text.note_id)
      .where(sql<boolean>`user_id <> all(${userIds}::bigint[])`)
      .execute()
  if (userIds.length === 0) return []
  const rows = await db
    .insertInto('user_mentions')
    .values(userIds.map(user_id => ({ ...text, user_id })))
    .onConflict(conflict => conflict.doNothing())
    .returning('user_id')
    .execute()
  return rows.map(row => row.user_id)
}
