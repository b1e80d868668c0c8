/** Counters stored with an issue. Every writer of the counted rows updates them through these functions. */
import { sql } from 'kysely'
import { projectsAllowing } from '../../../platform/access/ability_conditions.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { idArray } from '../../../platform/db/statements/any.ts'
import { forEachRow } from '../../../platform/db/statements/prepared.ts'

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

/**
 * How many of the merge requests that close these issues the actor may see, by issue; those without one are left out. The stored counter is of
 * all of them: also of those of projects that this actor must not learn of. Issues without any cost no statement.
 */
export async function visibleMergeRequestCounts(
  db: Db,
  actor: Actor,
  issues: readonly { readonly id: number; readonly merge_requests_count: number }[],
): Promise<ReadonlyMap<number, number>> {
  const ids = issues.filter(issue => issue.merge_requests_count > 0).map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const allowing = projectsAllowing(actor, 'read_merge_request', sql<boolean>`projects.id = merge_requests.project_id`)
  const { rows } = await sql<{ readonly issue_id: number; readonly count: number }>`
    select c.issue_id, count(*)::int as count
      from merge_request_closing_issues c join merge_requests on merge_requests.id = c.merge_request_id
     where c.issue_id = any(${idArray(ids)}) and merge_requests.project_id in (${forEachRow(allowing)})
     group by c.issue_id`.execute(db)
  return new Map(rows.map(({ issue_id, count }) => [issue_id, count]))
}
