/** Reads of uploads. */
import type { Db } from '../../platform/db/connection.ts'

/** The uploads of a project, with the location of their bytes. */
const uploads = (db: Db, projectId: number) =>
  db
    .selectFrom('uploads')
    .innerJoin('stored_objects', 'stored_objects.id', 'uploads.object_id')
    .select(['uploads.id', 'uploads.secret', 'uploads.filename', 'uploads.image_type', 'uploads.uploader_id', 'uploads.created_at'])
    .select(['stored_objects.key', 'stored_objects.size', 'stored_objects.sha256'])
    .where('uploads.project_id', '=', projectId)

/** One upload, by the secret of its address. */
export const uploadIn = (db: Db, projectId: number, secret: string) =>
  uploads(db, projectId).where('uploads.secret', '=', secret).executeTakeFirst()

/** One upload by its id. */
export const uploadById = (db: Db, projectId: number, id: number) => uploads(db, projectId).where('uploads.id', '=', id).executeTakeFirst()

/** All of a project, the latest first. */
export const uploadsOf = (db: Db, projectId: number) =>
  uploads(db, projectId).orderBy('uploads.created_at', 'desc').orderBy('uploads.id', 'desc')

export type UploadRow = NonNullable<Awaited<ReturnType<typeof uploadIn>>>
