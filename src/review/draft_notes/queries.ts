/** Reads of draft notes, which only their author can see. */
import type { Db } from '../../platform/db/connection.ts'

/** The drafts of a user for a merge request, oldest first. */
export const draftsOf = (db: Db, mergeRequestId: number, authorId: number | undefined) =>
  db
    .selectFrom('draft_notes')
    .selectAll()
    .where('merge_request_id', '=', mergeRequestId)
    .where('author_id', '=', authorId ?? null)
    .orderBy('id')

export type DraftRow = Awaited<ReturnType<ReturnType<typeof draftsOf>['executeTakeFirstOrThrow']>>
