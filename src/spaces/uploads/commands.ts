/** Writes of uploads. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Upload } from '../../platform/kernel/declaration/types.ts'
import { describeImage } from '../../platform/kernel/request/images.ts'
import { safeFilename } from '../../platform/object_store/filenames.ts'
import { putUpload, recordObject } from '../../platform/object_store/rows.ts'
import type { Stored } from '../projects/repository/store.ts'
import { withRoomForFile } from '../storage_limits/limits.ts'
import type { UploadRow } from './queries.ts'

/** Stores a file in a project, in its own transaction, because large files take time. */
export async function createUpload(ctx: Context, project: Stored & { readonly full_path: string }, file: Upload) {
  const upload = { secret: randomBytes(16).toString('hex'), filename: safeFilename(file.filename, 'file') }
  await withRoomForFile(ctx.deps, project, file.size, async counted => {
    const image = await describeImage(file.file)
    const stored = await putUpload(ctx.deps.objects, file)
    await transact(ctx.deps.database.db, async db => {
      const object_id = await recordObject(db, stored)
      await db
        .insertInto('uploads')
        .values({
          ...upload,
          project_id: project.id,
          object_id,
          uploader_id: ctx.actor.user?.id ?? null,
          image_type: image?.mediaType ?? null,
          created_at: ctx.now,
        })
        .execute()
      await counted(db)
    })
  })
  return { ...upload, full_path: project.full_path } satisfies Partial<UploadRow> & { full_path: string }
}

/** Copies files of one project to another, under the same relative addresses, for texts that are copied there. */
export async function copyUploads(db: Db, fromProjectId: number, toProjectId: number, secrets: readonly string[]): Promise<void> {
  if (secrets.length === 0) return
  await sql`insert into uploads (project_id, object_id, uploader_id, secret, filename, image_type, created_at)
    select ${toProjectId}::bigint, object_id, uploader_id, secret, filename, image_type, created_at
    from uploads where project_id = ${fromProjectId} and secret = any(${secrets}::text[])
    on conflict do nothing`.execute(db)
}
