/** Reads of locks. */
import type { Db } from '../../../platform/db/connection.ts'

/** The locks of a project with the names of their owners, in order of creation. */
export const locksOf = (db: Db, projectId: number) =>
  db
    .selectFrom('lfs_locks')
    .innerJoin('users', 'users.id', 'lfs_locks.user_id')
    .selectAll('lfs_locks')
    .select('users.name as owner_name')
    .where('project_id', '=', projectId)
    .orderBy('lfs_locks.id')

export type LockRow = Awaited<ReturnType<ReturnType<typeof locksOf>['executeTakeFirstOrThrow']>>

/** Filters of lock lists. */
export interface LockFilters {
  readonly path?: string | undefined
  readonly id?: number | undefined
  /** `next_cursor` of the previous page. */
  readonly cursor?: number | undefined
  readonly limit?: number | undefined
}

/** A page of locks and the cursor of the next one. */
export async function lockPage(db: Db, projectId: number, { path, id, cursor, limit = 100 }: LockFilters) {
  let query = locksOf(db, projectId).limit(limit + 1)
  if (path !== undefined) query = query.where('path', '=', path)
  if (id !== undefined) query = query.where('lfs_locks.id', '=', id)
  if (cursor !== undefined) query = query.where('lfs_locks.id', '>=', cursor)
  const rows = await query.execute()
  return { locks: rows.slice(0, limit), next: rows[limit]?.id }
}

/**
 * The names of those who hold locks on files of a project, other than this user, by the path of the file; none where the project has no LFS.
 * @param userId undefined for whom no account stands: all locks are others’
 */
export async function locksOfOthers(db: Db, projectId: number, userId: number | undefined): Promise<ReadonlyMap<string, string>> {
  const locks = locksOf(db, projectId).innerJoin('projects', 'projects.id', 'lfs_locks.project_id').where('projects.lfs_enabled', '=', true)
  const rows = await (userId === undefined ? locks : locks.where('lfs_locks.user_id', '<>', userId)).execute()
  return new Map(rows.map(({ path, owner_name }) => [path, owner_name]))
}
