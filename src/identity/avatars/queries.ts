/** Reads of avatars. */
import type { Db } from '../../platform/db/connection.ts'

/** The owner of an avatar: a project, a group, a user or a topic. */
export type AvatarOwner =
  | { readonly project_id: number }
  | { readonly namespace_id: number }
  | { readonly user_id: number }
  | { readonly topic_id: number }

/** The avatar of an owner with the location of its bytes. */
export function avatarOf(db: Db, owner: AvatarOwner) {
  const [column, id] = Object.entries(owner)[0] as ['project_id' | 'namespace_id' | 'user_id' | 'topic_id', number]
  return db
    .selectFrom('avatars')
    .innerJoin('stored_objects', 'stored_objects.id', 'avatars.object_id')
    .select(['avatars.filename', 'avatars.media_type', 'stored_objects.key', 'stored_objects.size', 'stored_objects.sha256'])
    .where(column, '=', id)
    .executeTakeFirst()
}

export type AvatarRow = NonNullable<Awaited<ReturnType<typeof avatarOf>>>

/** The `avatar_url` of the active user with this public email, ignoring case; null if there is none. */
export async function avatarUrlByEmail(db: Db, email: string): Promise<string | null> {
  const user = await db
    .selectFrom('users')
    .select('avatar_url')
    .where(({ eb, fn, ref }) => eb(fn<string>('lower', [ref('public_email')]), '=', email.toLowerCase()))
    .where('public_email', '<>', '')
    .where('state', '=', 'active')
    .orderBy('id')
    .executeTakeFirst()
  return user?.avatar_url ?? null
}
