/** The counts that an epic carries along; who writes the rows that are counted keeps them by these. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'

/** Counts notes that people have written, or that are gone. What is said about an epic counts as a change of it. */
export async function countEpicNotes(db: Db, id: number, change: number, now: Date): Promise<void> {
  await db
    .updateTable('epics')
    .set(({ eb }) => ({ user_notes_count: eb('user_notes_count', '+', change), updated_at: now }))
    .where('id', '=', id)
    .execute()
}

/** Counts a reaction, or one that is gone: thumbs alone are counted. */
export async function countEpicAward(db: Db, id: number, name: string, change: number): Promise<void> {
  const column = name === 'thumbsup' ? 'upvotes' : name === 'thumbsdown' ? 'downvotes' : undefined
  if (!column) return
  await sql`update epics set ${sql.ref(column)} = ${sql.ref(column)} + ${change} where id = ${id}`.execute(db)
}
