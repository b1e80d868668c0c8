/** Reads of notes. */
import { type RawBuilder, sql } from 'kysely'
import { allows } from '../../platform/access/abilities.ts'
import type { Actor } from '../../platform/access/actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { columnOf } from '../item_kinds/kinds.ts'
import { readsInternalNotes } from './internal.ts'
import { namesVisible } from './items/named.ts'
import type { Noteable } from './items/noteable.ts'

/** Notes with the number and project of their item. */
export const notes = (db: Db) =>
  db
    .selectFrom('notes')
    // Outer joins, which the planner can drop from counts.
    .leftJoin('issues as issue', 'issue.id', 'notes.issue_id')
    .leftJoin('merge_requests as merge_request', 'merge_request.id', 'notes.merge_request_id')
    .leftJoin('epics as epic', 'epic.id', 'notes.epic_id')
    .leftJoin('commented_commits as commit', 'commit.id', 'notes.commented_commit_id')
    .leftJoin('snippets as snippet', 'snippet.id', 'notes.snippet_id')
    .selectAll('notes')
    .select([
      // Null for notes on commits and snippets.
      sql<number | null>`coalesce(issue.iid, merge_request.iid, epic.iid)`.as('noteable_iid'),
      // Null for notes on epics.
      sql<number | null>`coalesce(issue.project_id, merge_request.project_id, commit.project_id, snippet.project_id)`.as('project_id'),
      'commit.sha as commented_sha',
    ])

export type NoteRow = Awaited<ReturnType<ReturnType<typeof notes>['executeTakeFirstOrThrow']>>

/** Filters and order of note lists. */
export interface NoteFilters {
  activity_filter?: 'all_notes' | 'only_comments' | 'only_activity' | undefined
  order_by?: 'created_at' | 'updated_at' | undefined
  sort?: 'asc' | 'desc' | undefined
}

/**
 * May the actor read the note `notes` of an item that they see? Internal notes are for Reporters and above (internal.ts); notes that name
 * another item are for users who may see that one.
 */
export function noteVisible(actor: Actor, noteable: Noteable): RawBuilder<boolean> {
  const readsCode = noteable.project !== undefined && allows(actor, 'read_code', noteable.subject) === 'yes'
  const conditions = [
    ...namesVisible(actor, noteable),
    ...(readsInternalNotes(actor, noteable) ? [] : [sql`not notes.confidential`]),
    ...(readsCode ? [] : [sql`(notes.named_commit is null or notes.named_project_id is not null)`]),
  ]
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

/** The notes on an item that the actor may read. */
export function visibleNotes(db: Db, actor: Actor, noteable: Noteable) {
  const [column, id] = columnOf(noteable.key)
  return notes(db).where(`notes.${column}`, '=', id).where(noteVisible(actor, noteable))
}

/**
 * Is the note `notes` among those that the API lists? Contract: changes of state, labels, milestone and weight are resource events, not notes
 * (public behaviour at 14.0). Pages show their sentences among the others.
 */
export const isListed = sql<boolean>`(notes.action is null or notes.action not in ('state', 'labels', 'milestone_id', 'weight'))`

/** The list of notes on an item. */
export function notesOf(db: Db, actor: Actor, noteable: Noteable, filters: NoteFilters) {
  const { activity_filter = 'all_notes', order_by = 'created_at', sort = 'desc' } = filters
  let query = visibleNotes(db, actor, noteable).where(isListed)
  if (activity_filter === 'only_comments') query = query.where('notes.action', 'is', null)
  if (activity_filter === 'only_activity') query = query.where('notes.action', 'is not', null)
  return query.orderBy(`notes.${order_by}`, sort).orderBy('notes.id', sort)
}

/** A note on an item, if the actor may read it. */
export const visibleNote = (db: Db, actor: Actor, noteable: Noteable, id: number) =>
  visibleNotes(db, actor, noteable).where('notes.id', '=', id).executeTakeFirst()

/** A note without a visibility check, for commands. */
export const noteById = (db: Db, id: number) => notes(db).where('notes.id', '=', id).executeTakeFirst()

/** Notes by id, for other resources; the caller is responsible for visibility. */
export async function notesById(db: Db, ids: readonly number[]): Promise<Map<number, NoteRow>> {
  if (ids.length === 0) return new Map()
  const rows = await notes(db).where('notes.id', '=', anyOf(ids)).execute()
  return new Map(rows.map(row => [row.id, row]))
}

/** The newest user note on an issue of a project; `confidential` selects confidential notes and notes on confidential issues, or others. */
export const latestNoteOf = (db: Db, projectId: number, confidential: boolean) =>
  notes(db)
    .where('issue.project_id', '=', projectId)
    .where('notes.action', 'is', null)
    .where(sql<boolean>`(issue.confidential or notes.confidential) = ${confidential}`)
    .orderBy('notes.id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The text of a note, whose row is locked against changes until the transaction ends; empty if it was deleted. */
export async function lockNoteBody(db: Db, id: number): Promise<string> {
  const row = await db.selectFrom('notes').select('body').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  return row?.body ?? ''
}
