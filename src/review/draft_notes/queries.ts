/** Reads of draft notes: nobody but their author knows of them. */
import type { Db } from '../../platform/db/connection.ts'

/** The drafts that somebody has for a merge request, the oldest first. */
export const draftsOf = (db: Db, mergeRequestId: number, authorId: number | undefined) =>
  db
    .selectFrom('draft_notes')
    .selectAll()
    .where('merge_request_id', '=', mergeRequestId)
    .where('author_id', '=', authorId ?? null)
    .orderBy('id')

export type DraftRow = Awaited<ReturnType<ReturnType<typeof draftsOf>['executeTakeFirstOrThrow']>>
