/** Notes of users who are deleted. */
import type { Db } from '../../../platform/db/connection.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { type NoteableKey, noteableColumns, noteableKeyOf } from '../../item_kinds/kinds.ts'
import { countNotes } from '../items/counts.ts'

/** Reassigns all notes of a user to another one. */
export async function reassignNotes(db: Db, fromId: number, toId: number): Promise<void> {
  await db.updateTable('notes').set({ author_id: toId }).where('author_id', '=', fromId).execute()
}

/** Deletes all notes of a user. */
export async function removeNotesOf({ db, now }: Context, userId: number): Promise<void> {
  const gone = await db
    .deleteFrom('notes')
    .where('author_id', '=', userId)
    .returning([...noteableColumns, 'action'])
    .execute()
  const said = Map.groupBy(
    gone.filter(note => note.action === null),
    note => JSON.stringify(noteableKeyOf(note)),
  )
  for (const [key, notes] of said) await countNotes(db, JSON.parse(key) as NoteableKey, -notes.length, now)
}
