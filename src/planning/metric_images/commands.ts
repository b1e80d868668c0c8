/** Writes of metric images. The object store sweeps their bytes when no row names them any more. */
import { transact } from '../../platform/db/transact.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Upload } from '../../platform/kernel/declaration/types.ts'
import { badRequest } from '../../platform/kernel/errors.ts'
import { imageTypeOf } from '../../platform/kernel/request/images.ts'
import { safeFilename } from '../../platform/object_store/filenames.ts'
import { putUpload, recordObject } from '../../platform/object_store/rows.ts'
import type { Stored } from '../../spaces/projects/repository/store.ts'
import { withRoomForFile } from '../../spaces/storage_limits/limits.ts'
import { imageOf, type MetricImageRow } from './queries.ts'

/** The documented limit of 1 MB, and a side length beyond any screen. */
const limits = { bytes: 1024 * 1024, side: 16_384 }

/** Link to more details about the image. */
export interface ImageLink {
  readonly url?: string | null | undefined
  readonly url_text?: string | null | undefined
}

/**
 * Adds an image to an incident, in a transaction of its own. 400 for files that are not an image, or too large; 413 if the storage limit of
 * the project would be exceeded.
 */
export async function addImage(
  { deps, now }: Context,
  project: Stored,
  issueId: number,
  file: Upload,
  { url, url_text }: ImageLink,
): Promise<MetricImageRow> {
  const { database, objects } = deps
  const media_type = await imageTypeOf('file', file, limits)
  return withRoomForFile(deps, project, { bytes: file.size }, async counted => {
    const stored = await putUpload(objects, file)
    return transact(database.db, async db => {
      const { id } = await db
        .insertInto('metric_images')
        .values({
          issue_id: issueId,
          object_id: await recordObject(db, stored),
          filename: safeFilename(file.filename, 'image'),
          media_type,
          url: url ?? null,
          url_text: url_text ?? null,
          created_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await counted(db)
      return (await imageOf(db, issueId, id)) as MetricImageRow
    })
  })
}

/** Changes the link of an image. */
export async function updateImage({ db }: Context, image: MetricImageRow, { url, url_text }: ImageLink): Promise<MetricImageRow> {
  const changes = { ...(url === undefined ? {} : { url }), ...(url_text === undefined ? {} : { url_text }) }
  await db.updateTable('metric_images').set(changes).where('id', '=', image.id).execute()
  return { ...image, ...changes }
}

/** Deletes an image; 400 if a concurrent request deleted it first (document 3 "Issue operations"). */
export async function removeImage({ db }: Context, image: MetricImageRow): Promise<void> {
  const gone = await db.deleteFrom('metric_images').where('id', '=', image.id).returning('id').executeTakeFirst()
  if (!gone) throw badRequest('Metric image could not be deleted')
}
