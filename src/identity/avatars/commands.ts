/** Writes of avatars. The owner keeps the address in its `avatar_url`; the image is kept here. */
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { imageTypeOf } from '../../platform/kernel/request/images.ts'
import type { Upload } from '../../platform/kernel/types.ts'
import { safeFilename } from '../../platform/object_store/filenames.ts'
import { storeUpload } from '../../platform/object_store/rows.ts'
import type { AvatarOwner } from './queries.ts'

/** As publicly documented, 200 KB; far more pixels than any avatar is shown with. */
const limits = { bytes: 200 * 1024, side: 4_096 }

/**
 * Keeps an image as somebody's avatar in place of the one before, or with `null` none. Answers what the owner's
 * `avatar_url` becomes: an address below the instance's, or null.
 * @throws Refusal 400 for what is no image, or too large
 */
export async function storeAvatar(ctx: Context, owner: AvatarOwner, upload: Upload | null): Promise<string | null> {
  const { db } = ctx
  const [column, id] = Object.entries(owner)[0] as [keyof typeof nouns, number]
  // Contract: an empty file is an empty value; python-gitlab sends one to take an avatar away (public behaviour).
  if (!upload || upload.size === 0) {
    await db.deleteFrom('avatars').where(column, '=', id).execute()
    return null
  }
  const media_type = await imageTypeOf('avatar', upload, limits)
  const avatar = { object_id: await storeUpload(ctx, upload), filename: safeFilename(upload.filename, 'avatar'), media_type }
  await db
    .insertInto('avatars')
    .values({ ...owner, ...avatar })
    .onConflict(conflict => conflict.column(column).doUpdateSet(avatar))
    .execute()
  return addressOf(nouns[column], id, avatar.filename)
}

const nouns = { project_id: 'project', namespace_id: 'group', user_id: 'user' } as const

/** Gives the fork of a project the image of its source; answers what the fork's `avatar_url` becomes. */
export async function copyAvatar(db: Db, { from, to }: { from: number; to: number }): Promise<string | null> {
  const avatar = await db
    .selectFrom('avatars')
    .select(['object_id', 'filename', 'media_type'])
    .where('project_id', '=', from)
    .executeTakeFirst()
  if (!avatar) return null
  await db
    .insertInto('avatars')
    .values({ ...avatar, project_id: to })
    .execute()
  return addressOf('project', to, avatar.filename)
}

const addressOf = (noun: string, id: number, filename: string): string =>
  `/uploads/-/system/${noun}/avatar/${id}/${encodeURIComponent(filename)}`
