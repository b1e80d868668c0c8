/** Reads of LFS objects. */

import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'

/** The object of a project with this oid, and the location of its bytes. */
export const lfsObjectIn = (db: Db, projectId: number, oid: string) =>
  db
    .selectFrom('lfs_objects')
    .innerJoin('lfs_objects_projects', 'lfs_objects_projects.lfs_object_id', 'lfs_objects.id')
    .innerJoin('stored_objects', 'stored_objects.id', 'lfs_objects.object_id')
    .select(['lfs_objects.oid', 'stored_objects.key', 'stored_objects.size', 'stored_objects.sha256'])
    .where('lfs_objects_projects.project_id', '=', projectId)
    .where('lfs_objects.oid', '=', oid)
    .executeTakeFirst()

export type LfsObjectRow = NonNullable<Awaited<ReturnType<typeof lfsObjectIn>>>

/** The sizes of those objects that a project has, by oid. */
export async function lfsSizesIn(db: Db, projectId: number, oids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('lfs_objects')
    .innerJoin('lfs_objects_projects', 'lfs_objects_projects.lfs_object_id', 'lfs_objects.id')
    .select(['oid', 'size'])
    .where('project_id', '=', projectId)
    .where('oid', '=', anyOf(oids))
    .execute()
  return new Map(rows.map(row => [row.oid, row.size]))
}

/** Bytes of all objects of a project. */
export async function lfsBytesOf(db: Db, projectId: number): Promise<number> {
  const row = await db.selectFrom('project_statistics').select('lfs_objects_size').where('project_id', '=', projectId).executeTakeFirst()
  return Number(row?.lfs_objects_size ?? 0)
}
