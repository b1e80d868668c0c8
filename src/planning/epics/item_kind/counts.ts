/** Counters stored with an epic. Every writer of the counted rows updates them through these functions. */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'

/** Counts added or deleted user notes. A note counts as a change of the epic. */
export async function countEpicNotes(db: Db, id: number, change: number, now: Date): Promise<void> {
  await db
    .updateTable('epics')
    .set(({ eb }) => ({ user_notes_count: eb('user_notes_count', '+', change), updated_at: now }))
    .where('id', '=', id)
    .execute()
}

/** Counts an added or removed reaction; only thumbs are counted. */
export async function countEpicAward(db: Db, id: number, name: string, change: number): Promise<void> {
  const column = name === 'thumbsup' ? 'upvotes' : name === 'thumbsdown' ? 'downvotes' : undefined
  if (!column) return
  await sql`update epics set ${sql.ref(column)} = ${sql.ref(column)} + ${change} where id = ${id}`.execute(db)
}
