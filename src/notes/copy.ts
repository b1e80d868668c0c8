/** Notes that go along when a thing moves. */
import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { carryNotesCount } from '../issues/counts.ts'

/** Copies all that was said about an issue to another one, threads as threads of their own; its count goes along. */
export async function copyNotes(db: Db, fromIssueId: number, toIssueId: number): Promise<void> {
  await sql`insert into notes (discussion_id, issue_id, author_id, body, threaded, confidential, action, named_issue_id, named_commit, created_at, updated_at)
    select left(encode(sha256(convert_to(discussion_id || ':' || ${toIssueId}::bigint, 'UTF8')), 'hex'), 40), ${toIssueId}::bigint,
      author_id, body, threaded, confidential, action, named_issue_id, named_commit, created_at, updated_at
    from notes where issue_id = ${fromIssueId} order by id`.execute(db)
  await carryNotesCount(db, fromIssueId, toIssueId)
}
