/** What a person has read of a merge request's changes. */
import type { Db } from '../../../../platform/db/connection.ts'

/** The files that a user has viewed, with the contents that they saw, in the order of their paths. */
export const viewedFilesOf = (db: Db, mergeRequestId: number, userId: number) =>
  db
    .selectFrom('viewed_files')
    .selectAll()
    .where('merge_request_id', '=', mergeRequestId)
    .where('user_id', '=', userId)
    .orderBy('path')
    .orderBy('path_sha')

/** The versions that a user saw last, and before that; undefined where they have seen none. */
export const seenVersionsOf = (db: Db, mergeRequestId: number, userId: number) =>
  db
    .selectFrom('seen_versions')
    .select(['version_id', 'previous_version_id'])
    .where('merge_request_id', '=', mergeRequestId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
