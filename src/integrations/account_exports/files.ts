/** The files of a person: their picture, and what they uploaded where they may still see it. */
import { sql } from 'kysely'
import { projectsAllowing } from '../../platform/access/ability_conditions.ts'
import type { UserActor } from '../../platform/access/actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { StoredFile } from '../archives/writing/stream.ts'

/** Bytes of uploads in one archive, and uploads that are looked at: the newest ones. */
export const MOST_BYTES = 1024 ** 3
const MOST_UPLOADS = 10_000

/** The files of an archive, and how many uploads had no room in it. */
export async function filesOf(db: Db, actor: UserActor): Promise<{ readonly files: StoredFile[]; readonly leftOut: number }> {
  const { id } = actor.user
  const avatars = await db
    .selectFrom('avatars')
    .innerJoin('stored_objects', 'stored_objects.id', 'avatars.object_id')
    .select(['avatars.filename', 'stored_objects.key', 'stored_objects.size'])
    .where('avatars.user_id', '=', id)
    .execute()
  const uploads = await db
    .selectFrom('uploads')
    .innerJoin('stored_objects', 'stored_objects.id', 'uploads.object_id')
    .select(['uploads.id', 'uploads.filename', 'stored_objects.key', 'stored_objects.size'])
    .where('uploads.uploader_id', '=', id)
    .where('uploads.of_outsider', '=', false)
    .where(sql<boolean>`uploads.project_id in (${projectsAllowing(actor, 'read_project', sql`projects.id = uploads.project_id`)})`)
    .orderBy('uploads.id', 'desc')
    .limit(MOST_UPLOADS)
    .execute()
  const files: StoredFile[] = avatars.map(({ filename, key, size }) => ({ path: `avatar/${filename}`, key, size }))
  let [room, leftOut] = [MOST_BYTES, 0]
  for (const { id: upload, filename, key, size } of uploads) {
    if (size > room) {
      leftOut++
      continue
    }
    files.push({ path: `uploads/${upload}/${filename}`, key, size })
    room -= size
  }
  return { files, leftOut }
}
