/** Writes of repositories and their blobs. A blob is kept once, by its digest; a repository has it by a link. */

import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { lockName } from '../../platform/db/statements/named_locks.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { RegistryRefusal } from './distribution/refusals.ts'
import { type BlobRow, type RepositoryRow, repositoryNamed } from './queries.ts'

/** Makes the row of a repository unless it is there. */
export async function ensureRepository({ db, now }: Pick<Context, 'db' | 'now'>, projectId: number, name: string): Promise<RepositoryRow> {
  const known = await repositoryNamed(db, projectId, name)
  if (known) return known
  await db
    .insertInto('container_repositories')
    .values({ project_id: projectId, name, created_at: now, updated_at: now })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const made = await repositoryNamed(db, projectId, name)
  if (!made) throw new RegistryRefusal('NAME_UNKNOWN', 'repository name not known to registry')
  return made
}

/** A blob with where its bytes are. */
export interface NewBlob {
  readonly digest: string
  readonly size: number
  /** Names the row of the bytes, which is asked for where no blob has them yet. */
  readonly objectId: (db: Db) => Promise<number>
}

/** Links a blob to a repository, in a transaction; it is made where the registry does not have it. */
export async function linkBlob(db: Db, repositoryId: number, { digest, size, objectId }: NewBlob, now: Date): Promise<void> {
  // Of two who bring the same bytes concurrently, the second finds those of the first.
  await lockName(db, 'container blob', digest)
  // The lock keeps the blob from the collector of garbage until the link is there.
  const known = await db.selectFrom('container_blobs').select('id').where('digest', '=', digest).forKeyShare().executeTakeFirst()
  const { id } =
    known ??
    (await db
      .insertInto('container_blobs')
      .values({ digest, size, object_id: await objectId(db), created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow())
  await db
    .insertInto('container_repository_blobs')
    .values({ repository_id: repositoryId, blob_id: id, linked_at: now })
    .onConflict(conflict => conflict.columns(['repository_id', 'blob_id']).doUpdateSet({ linked_at: now }))
    .execute()
}

/**
 * Links a blob of another repository.
 * @returns whether it was there
 */
export function mountBlob({ db, now }: Context, repositoryId: number, fromRepositoryId: number, digest: string): Promise<boolean> {
  return transact(db, async db => {
    const { rows } = await sql<{ id: number }>`
      select b.id from container_blobs b join container_repository_blobs l on l.blob_id = b.id
       where b.digest = ${digest} and l.repository_id = ${fromRepositoryId} for key share`.execute(db)
    if (rows.length === 0) return false
    const absent = () => Promise.reject(new Error(`the blob ${digest} went away although it was locked`))
    await linkBlob(db, repositoryId, { digest, size: 0, objectId: absent }, now)
    return true
  })
}

/** A link that is younger is not written again. In milliseconds; the collector of garbage waits far longer. */
const FRESH = 60 * 60 * 1000

/**
 * Keeps a blob from the collector of garbage for a while: a client that pushes has asked for it, and will not send it because it is there.
 * @returns whether it is still there
 */
export async function keepBlob(
  { deps, now }: Pick<Context, 'deps' | 'now'>,
  repositoryId: number,
  { id, linked_at }: BlobRow,
): Promise<boolean> {
  if (Date.parse(linked_at) >= now.getTime() - FRESH) return true
  const kept = await deps.database.db
    .updateTable('container_repository_blobs')
    .set({ linked_at: now })
    .where('repository_id', '=', repositoryId)
    .where('blob_id', '=', id)
    .returning('blob_id')
    .executeTakeFirst()
  return kept !== undefined
}

/** Takes a blob out of a repository. @throws Refusal 405 where a manifest names it */
export async function unlinkBlob({ db }: Pick<Context, 'db'>, repositoryId: number, { id }: BlobRow): Promise<void> {
  // A manifest that comes meanwhile waits for the lock, and then finds no link.
  await db
    .selectFrom('container_repository_blobs')
    .select('blob_id')
    .where('repository_id', '=', repositoryId)
    .where('blob_id', '=', id)
    .forUpdate()
    .execute()
  const used = await db
    .selectFrom('container_manifest_blobs')
    .select('manifest_id')
    .where('repository_id', '=', repositoryId)
    .where('blob_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  if (used) throw new RegistryRefusal('UNSUPPORTED', 'a manifest names the blob: delete that first')
  await db.deleteFrom('container_repository_blobs').where('repository_id', '=', repositoryId).where('blob_id', '=', id).execute()
}
