/** Reads of suggestions. */
import { anyOf } from '../db/any.ts'
import type { Db } from '../db/connection.ts'

/** Suggestions with the place and the thread of their note, and what of the merge request says whether they can be applied. */
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

/** Suggestions by id, in the order of their ids. */
export const suggestionsById = (db: Db, ids: readonly number[]) =>
  suggestions(db).where('suggestions.id', '=', anyOf(ids)).orderBy('suggestions.id').execute()

/** What these notes suggest, by note: one statement. */
export async function suggestionsOf(db: Db, noteIds: readonly number[]): Promise<Map<number, SuggestionRow[]>> {
  if (noteIds.length === 0) return new Map()
  const rows = await suggestions(db).where('suggestions.note_id', '=', anyOf(noteIds)).orderBy('suggestions.position').execute()
  return Map.groupBy(rows, row => row.note_id)
}
