/** Reads of suggestions. */
import { sql } from 'kysely'
import type { Actor } from '../../platform/access/actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { internalNoteVisible } from '../notes/internal.ts'

/** Suggestions with the position and thread of their note, and the merge request fields that decide whether they can be applied. */
const suggestions = (db: Db) =>
  db
    .selectFrom('suggestions')
    .innerJoin('notes', 'notes.id', 'suggestions.note_id')
    .innerJoin('merge_requests', 'merge_requests.id', 'notes.merge_request_id')
    .selectAll('suggestions')
    .select([
      'notes.position as at',
      'notes.discussion_id',
      'notes.merge_request_id',
      'merge_requests.state',
      'merge_requests.head_sha',
      'merge_requests.project_id',
      'merge_requests.iid',
    ])

export type SuggestionRow = Awaited<ReturnType<ReturnType<typeof suggestions>['executeTakeFirstOrThrow']>>

/** Suggestions by id, in order of id. */
export const suggestionsById = (db: Db, ids: readonly number[]) =>
  suggestions(db).where('suggestions.id', '=', anyOf(ids)).orderBy('suggestions.id').execute()

/** May the actor read the notes of all these suggestions, internal ones included? */
export async function suggestionsVisible(db: Db, actor: Actor, rows: readonly SuggestionRow[]): Promise<boolean> {
  const noteIds = [...new Set(rows.map(row => row.note_id))]
  const visible = await db
    .selectFrom('notes')
    .select('notes.id')
    .where('notes.id', '=', anyOf(noteIds))
    .where(sql<boolean>`${internalNoteVisible(actor)}`)
    .execute()
  return visible.length === noteIds.length
}

/** The suggestions of these notes, by note id: one statement. */
export async function suggestionsOf(db: Db, noteIds: readonly number[]): Promise<Map<number, SuggestionRow[]>> {
  if (noteIds.length === 0) return new Map()
  const rows = await suggestions(db).where('suggestions.note_id', '=', anyOf(noteIds)).orderBy('suggestions.position').execute()
  return Map.groupBy(rows, row => row.note_id)
}

/** The suggestions on a merge request that were not applied and that the actor may read, oldest first. */
export const openSuggestions = (db: Db, actor: Actor, mergeRequestId: number) =>
  suggestions(db)
    .where('notes.merge_request_id', '=', mergeRequestId)
    .where('suggestions.applied', '=', false)
    .where(sql<boolean>`${internalNoteVisible(actor)}`)
    .orderBy('suggestions.id')
