/** Writes of avatars. The owner stores the address in its `avatar_url`; the image is stored here. */
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Upload } from '../../platform/kernel/declaration/types.ts'
import { imageTypeOf } from '../../platform/kernel/request/images.ts'
import { safeFilename } from '../../platform/object_store/filenames.ts'
import { storeUpload } from '../../platform/object_store/rows.ts'
import type { AvatarOwner } from './queries.ts'

/** As publicly documented, 200 KB; more pixels than any avatar is displayed with. */
const limits = { bytes: 200 * 1024, side: 4_096 }

/**
 * Stores an image as the avatar of its owner and replaces the previous one; `null` removes it. Returns the new `avatar_url` of the owner:
 * an address below the instance's, or null.
 * @throws Refusal 400 if it is no image, or too large
 */
export async function storeAvatar(ctx: Context, owner: AvatarOwner, upload: Upload | null): Promise<string | null> {
  const { db } = ctx
  const [column, id] = Object.entries(owner)[0] as [keyof typeof nouns, number]
  // Contract: an empty file is an empty value; python-gitlab sends one to remove an avatar (public behaviour).
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

const nouns = { project_id: 'project', namespace_id: 'group', user_id: 'user', topic_id: 'projects/topic' } as const

/** Copies the avatar of a project to its fork; returns the `avatar_url` of the fork. */
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
