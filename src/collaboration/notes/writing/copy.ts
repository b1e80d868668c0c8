/** Copying notes when an item moves. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'

/**
 * The columns of what a note names. Each has to be copied: who may not see what a note names does not see the note, and one that names nothing
 * is seen by all readers of its issue.
 */
export const namedColumns = [
  'named_issue_id',
  'named_merge_request_id',
  'named_epic_id',
  'named_snippet_id',
  'named_commit',
  'named_project_id',
] as const

/** The id of the copy of a thread in another issue. */
export const copiedThread = (thread: string, toIssueId: number): RawBuilder<string> =>
  sql<string>`left(encode(sha256(convert_to(${sql.ref(thread)} || ':' || ${toIssueId}::bigint, 'UTF8')), 'hex'), 40)`

/**
 * Copies the notes of an issue to another one, with their threads. The caller updates the count. Into another project those about milestones and
 * iterations are not copied: they say titles of a project and groups that its readers may not see, as text.
 */
export async function copyNotes(db: Db, fromIssueId: number, toIssueId: number): Promise<void> {
  // A commit without a project is one of the issue's own project.
  const named = namedColumns.map(column =>
    column === 'named_project_id'
      ? sql`case when named_commit is not null then coalesce(named_project_id, (select project_id from issues where id = ${fromIssueId})) end`
      : sql.ref(column),
  )
  await sql`insert into notes (discussion_id, issue_id, author_id, body, threaded, confidential, action, created_at, updated_at, ${sql.join(namedColumns.map(column => sql.ref(column)))})
    select ${copiedThread('discussion_id', toIssueId)}, ${toIssueId}::bigint,
      author_id, body, threaded, confidential, action, created_at, updated_at, ${sql.join(named)}
    from notes where issue_id = ${fromIssueId}
      and (action is null or action not in ('milestone_id', 'iteration_id')
        or (select project_id from issues where id = ${fromIssueId}) = (select project_id from issues where id = ${toIssueId}))
    order by id`.execute(db)
}

/** Rewrites those notes of an issue that may contain references or uploads; `rewrite` returns the new texts in order. */
export async function rewriteNotes(
  db: Db,
  issueId: number,
  rewrite: (bodies: readonly string[]) => Promise<readonly string[]>,
): Promise<void> {
  const naming = sql<boolean>`body ~ '[#!&][0-9]|/uploads/'`
  const notes = await db.selectFrom('notes').select(['id', 'body']).where('issue_id', '=', issueId).where(naming).execute()
  const bodies = await rewrite(notes.map(({ body }) => body))
  const changed = notes.flatMap(({ id, body }, index) => (bodies[index] === body ? [] : [{ id, body: bodies[index] as string }]))
  if (changed.length === 0) return
  await sql`update notes set body = changed.body
    from unnest(${changed.map(({ id }) => id)}::bigint[], ${changed.map(({ body }) => body)}::text[]) as changed (id, body)
    where notes.id = changed.id`.execute(db)
}
