/** Writes of uploads. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { roles } from '../../platform/access/abilities.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import type { Db } from '../../platform/db/connection.ts'
import { transact } from '../../platform/db/transact.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Upload } from '../../platform/kernel/declaration/types.ts'
import { notFound, tooLarge } from '../../platform/kernel/errors.ts'
import { describeImage } from '../../platform/kernel/request/images.ts'
import { safeFilename } from '../../platform/object_store/filenames.ts'
import { putUpload, recordObject } from '../../platform/object_store/rows.ts'
import type { ProjectWithRole } from '../projects/scope.ts'
import { withRoomForFile } from '../storage_limits/limits.ts'
import type { NamedUpload } from './entity.ts'
import type { UploadRow } from './queries.ts'

/**
 * Stores a file in a project, in its own transaction, because large files take time.
 * @throws Refusal 413 for a file that is larger than the instance takes, where the project has no room for it, or the share of those who are no members is used up
 */
export async function createUpload(ctx: Context, project: ProjectWithRole, file: Upload): Promise<NamedUpload> {
  const limit = (await applicationSettings(ctx.db)).max_attachment_size * 1024 * 1024
  if (file.size > limit) throw tooLarge(limit)
  const upload = { secret: randomBytes(16).toString('hex'), filename: safeFilename(file.filename, 'file') }
  const ofOutsider = project.role < roles.guest && !isAdmin(ctx.actor)
  return withRoomForFile(ctx.deps, project, { bytes: file.size, ofOutsider }, async counted => {
    const image = await describeImage(file.file)
    const stored = await putUpload(ctx.deps.objects, file)
    return transact(ctx.deps.database.db, async db => {
      const object_id = await recordObject(db, stored)
      const { id } = await db
        .insertInto('uploads')
        .values({
          ...upload,
          project_id: project.id,
          object_id,
          uploader_id: ctx.actor.user?.id ?? null,
          image_type: image?.mediaType ?? null,
          of_outsider: ofOutsider,
          created_at: ctx.now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await counted(db)
      return { id, ...upload, full_path: project.full_path }
    })
  })
}

/** Deletes a file: its addresses are 404 then, in texts too. The object store sweeps its bytes when no row names them any more. */
export async function removeUpload(ctx: Context, projectId: number, { id, filename }: UploadRow): Promise<void> {
  const removed = await ctx.db.deleteFrom('uploads').where('id', '=', id).returning('id').executeTakeFirst()
  if (!removed) throw notFound('Upload')
  await recordEvent(ctx, { kind: 'upload.removed', payload: { id, name: filename }, projectId })
}

/** Copies files of one project to another, under the same relative addresses, for texts that are copied there. */
export async function copyUploads(db: Db, fromProjectId: number, toProjectId: number, secrets: readonly string[]): Promise<void> {
  if (secrets.length === 0) return
  await sql`insert into uploads (project_id, object_id, uploader_id, secret, filename, image_type, of_outsider, created_at)
    select ${toProjectId}::bigint, object_id, uploader_id, secret, filename, image_type, of_outsider, created_at
    from uploads where project_id = ${fromProjectId} and secret = any(${secrets}::text[])
    on conflict do nothing`.execute(db)
}

/** A file that is brought from elsewhere with the part of its address that nobody can guess. */
export interface RestoredUpload {
  readonly secret: string
  readonly filename: string
  readonly image_type: string | null
  readonly object_id: number
}

/** Adds files that texts of the project name already. */
export async function restoreUploads(
  db: Db,
  projectId: number,
  { uploaderId, now }: { readonly uploaderId: number; readonly now: Date },
  uploads: readonly RestoredUpload[],
): Promise<void> {
  for (let at = 0; at < uploads.length; at += BATCH)
    await db
      .insertInto('uploads')
      .values(uploads.slice(at, at + BATCH).map(upload => ({ ...upload, project_id: projectId, uploader_id: uploaderId, created_at: now })))
      .execute()
}

const BATCH = 1_000
