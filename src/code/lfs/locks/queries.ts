/** Reads of locks. */
import type { Db } from '../../../platform/db/connection.ts'

/** The locks of a project with the names of those who hold them, in the order in which they were taken. */
export const locksOf = (db: Db, projectId: number) =>
  db
    .selectFrom('lfs_locks')
    .innerJoin('users', 'users.id', 'lfs_locks.user_id')
    .selectAll('lfs_locks')
    .select('users.name as owner_name')
    .where('project_id', '=', projectId)
    .orderBy('lfs_locks.id')

export type LockRow = Awaited<ReturnType<ReturnType<typeof locksOf>['executeTakeFirstOrThrow']>>

/** What a list of locks can be narrowed by. */
export interface LockFilters {
  readonly path?: string | undefined
  readonly id?: number | undefined
  /** As `next_cursor` of the page before. */
  readonly cursor?: number | undefined
  readonly limit?: number | undefined
}

/** A page of locks and where the next one begins. */
export async function lockPage(db: Db, projectId: number, { path, id, cursor, limit = 100 }: LockFilters) {
  let query = locksOf(db, projectId).limit(limit + 1)
  if (path !== undefined) query = query.where('path', '=', path)
  if (id !== undefined) query = query.where('lfs_locks.id', '=', id)
  if (cursor !== undefined) query = query.where('lfs_locks.id', '>=', cursor)
  const rows = await query.execute()
  return { locks: rows.slice(0, limit), next: rows[limit]?.id }
}
