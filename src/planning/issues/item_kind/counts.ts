/** Counters stored with an issue. Every writer of the counted rows updates them through these functions. */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'

/** Counts added or deleted user notes. A note counts as a change of the issue. */
export async function countNotes(db: Db, issueId: number, change: number, now: Date): Promise<void> {
  await db
    .updateTable('issues')
    .set(({ eb }) => ({ user_notes_count: eb('user_notes_count', '+', change), updated_at: now }))
    .where('id', '=', issueId)
    .execute()
}

/** Counts an added or removed reaction; only thumbs are counted. */
export async function countAward(db: Db, issueId: number, name: string, change: number): Promise<void> {
  const column = name === 'thumbsup' ? 'upvotes' : name === 'thumbsdown' ? 'downvotes' : undefined
  if (!column) return
  await sql`update issues set ${sql.ref(column)} = ${sql.ref(column)} + ${change} where id = ${issueId}`.execute(db)
}

/** Copies the count of notes to another issue. */
export const copyNotesCount = (db: Db, fromId: number, toId: number) =>
  sql`update issues set user_notes_count = source.user_notes_count from issues as source
      where source.id = ${fromId} and issues.id = ${toId}`.execute(db)

/** Copies the counts of thumbs to another issue. */
export const copyAwardsCount = (db: Db, fromId: number, toId: number) =>
  sql`update issues set upvotes = source.upvotes, downvotes = source.downvotes from issues as source
      where source.id = ${fromId} and issues.id = ${toId}`.execute(db)

/** Recounts the merge requests that close these issues, in order of id, which avoids deadlocks between concurrent recounts. */
export async function countMergeRequests(db: Db, issueIds: readonly number[]): Promise<void> {
  if (issueIds.length === 0) return
  await sql`select from issues where id = any(${issueIds}) order by id for no key update`.execute(db)
  await sql`update issues set merge_requests_count =
      (select count(*) from merge_request_closing_issues c where c.issue_id = issues.id)
    where id = any(${issueIds})`.execute(db)
}
