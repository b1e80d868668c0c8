/** Reads of uploads. */
import type { Db } from '../../platform/db/connection.ts'

/** An upload of a project, with the location of its bytes. */
export const uploadIn = (db: Db, projectId: number, secret: string) =>
  db
    .selectFrom('uploads')
    .innerJoin('stored_objects', 'stored_objects.id', 'uploads.object_id')
    .select(['uploads.secret', 'uploads.filename', 'uploads.image_type'])
    .select(['stored_objects.key', 'stored_objects.size', 'stored_objects.sha256'])
    .where('project_id', '=', projectId)
    .where('secret', '=', secret)
    .executeTakeFirst()

export type UploadRow = NonNullable<Awaited<ReturnType<typeof uploadIn>>>
