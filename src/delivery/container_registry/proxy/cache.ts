/** What groups keep of the images that are pulled through them. Rows are written beside the request, which may be over before its bytes are. */

import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { lockName } from '../../../platform/db/statements/named_locks.ts'
import { transact } from '../../../platform/db/transact.ts'
import { enqueue } from '../../../platform/events/worker.ts'
import type { Deps } from '../../../platform/kernel/context.ts'
import type { StoredBytes } from '../../../platform/object_store/measured.ts'
import { recordObject } from '../../../platform/object_store/rows.ts'

const DAY = 24 * 60 * 60 * 1000

/** How long something is kept that nobody pulls, in milliseconds. */
const KEPT = 90 * DAY

/** When the bytes of what made room are deleted: rows that nothing names wait ten minutes. In milliseconds. */
const SOON = 11 * 60 * 1000

/** Rows of one statement. */
const BATCH = 200

/** A manifest that a group keeps. */
export interface KeptManifest {
  readonly digest: string
  readonly media_type: string
  readonly payload: Buffer
}

/** The digest of bytes, as registries write it. */
export const digestOfBytes = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

/** The manifest that a group keeps under a tag or a digest. */
export const keptManifest = (db: Db, groupId: number, image: string, reference: string): Promise<KeptManifest | undefined> =>
  db
    .selectFrom('dependency_proxy_manifests')
    .select(['digest', 'media_type', 'payload'])
    .where('namespace_id', '=', groupId)
    .where('image', '=', image)
    .where('reference', '=', reference)
    .executeTakeFirst()

type Keeping = Pick<Deps, 'config' | 'database' | 'now'>

/** Bytes that each group keeps; undefined for any number. */
export const mostKept = ({ config }: Pick<Deps, 'config'>): number | undefined =>
  config.dependencyProxySize === 0 ? undefined : config.dependencyProxySize * 1024 * 1024

/** Removes what a group has not pulled for longest, until the rest has room. Those who keep something at the same time wait. */
async function makeRoom(db: Db, deps: Keeping, groupId: number): Promise<void> {
  const most = mostKept(deps)
  if (most === undefined) return
  await lockName(db, 'room of a dependency proxy', groupId)
  // Of one day what came last stays, and manifests, which are small, before blobs.
  const { rows } = await sql<{ dropped: number }>`
    with kept as (
      select 0 as kind, b.id, b.read_on, o.size::bigint as size
        from dependency_proxy_blobs b join stored_objects o on o.id = b.object_id where b.namespace_id = ${groupId}
       union all
      select 1, id, read_on, octet_length(payload) from dependency_proxy_manifests where namespace_id = ${groupId}),
    over as (
      select kind, id from (select kind, id, sum(size) over (order by read_on desc, kind desc, id desc) as upto from kept) summed
       where upto > ${most}),
    blobs as (delete from dependency_proxy_blobs where id in (select id from over where kind = 0) returning id),
    manifests as (delete from dependency_proxy_manifests where id in (select id from over where kind = 1) returning id)
    select (select count(*) from blobs)::int as dropped`.execute(db)
  // Its bytes go soon, and not with the clock: a group that pulls more and more must not fill the disk meanwhile.
  if (rows[0]?.dropped)
    await enqueue(db, 'drop_unused_objects', {}, { jobKey: 'drop_unused_objects of proxies', runAt: new Date(deps.now().getTime() + SOON) })
}

/** Keeps a manifest under a tag or a digest, in place of the one that it had. */
export async function keepManifest(
  deps: Keeping,
  groupId: number,
  at: { readonly image: string; readonly reference: string },
  manifest: KeptManifest,
): Promise<void> {
  const written = { ...manifest, read_on: dayOf(deps.now()) }
  await transact(deps.database.db, async db => {
    await db
      .insertInto('dependency_proxy_manifests')
      .values({ namespace_id: groupId, ...at, ...written })
      .onConflict(conflict => conflict.constraint('dependency_proxy_manifests_reference_key').doUpdateSet(written))
      .execute()
    await makeRoom(db, deps, groupId)
  })
}

/** The blob that a group keeps, with where its bytes are. */
export const keptBlob = (db: Db, groupId: number, digest: string) =>
  db
    .selectFrom('dependency_proxy_blobs')
    .innerJoin('stored_objects', 'stored_objects.id', 'dependency_proxy_blobs.object_id')
    .select(['stored_objects.key', 'stored_objects.size', 'stored_objects.sha256'])
    .where('namespace_id', '=', groupId)
    .where('digest', '=', digest)
    .executeTakeFirst()

/** Keeps a blob whose bytes are in the store; of two who bring it concurrently the first. */
export async function keepBlob(deps: Keeping & Pick<Deps, 'objects'>, groupId: number, digest: string, stored: StoredBytes): Promise<void> {
  const { database, objects, now } = deps
  const isKept = await transact(database.db, async db => {
    await lockName(db, 'blob of a dependency proxy', groupId, digest)
    if (await keptBlob(db, groupId, digest)) return false
    const object_id = await recordObject(db, stored)
    await db
      .insertInto('dependency_proxy_blobs')
      .values({ namespace_id: groupId, digest, object_id, read_on: dayOf(now()) })
      .execute()
    await makeRoom(db, deps, groupId)
    return true
  })
  if (!isKept) await objects.delete([stored.key])
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10)

/** Notes that something was pulled, once a day. */
export async function noteManifestRead(
  { database, now }: Pick<Deps, 'database' | 'now'>,
  groupId: number,
  image: string,
  reference: string,
) {
  await database.db
    .updateTable('dependency_proxy_manifests')
    .set({ read_on: dayOf(now()) })
    .where('namespace_id', '=', groupId)
    .where('image', '=', image)
    .where('reference', '=', reference)
    .where('read_on', '<', dayOf(now()))
    .execute()
}

/** The same for a blob. */
export async function noteBlobRead({ database, now }: Pick<Deps, 'database' | 'now'>, groupId: number, digest: string): Promise<void> {
  await database.db
    .updateTable('dependency_proxy_blobs')
    .set({ read_on: dayOf(now()) })
    .where('namespace_id', '=', groupId)
    .where('digest', '=', digest)
    .where('read_on', '<', dayOf(now()))
    .execute()
}

/** Removes what nobody has pulled for a while. The object store sweeps the bytes. */
export async function dropUnread({ database, now }: Deps): Promise<void> {
  const before = dayOf(new Date(now().getTime() - KEPT))
  for (const table of ['dependency_proxy_manifests', 'dependency_proxy_blobs'] as const)
    for (let dropped = BATCH; dropped === BATCH; ) {
      const { rows } = await sql`
        delete from ${sql.table(table)} where id in (
          select id from ${sql.table(table)} where read_on < ${before} order by read_on limit ${sql.lit(BATCH)} for update skip locked)
        returning id`.execute(database.db)
      dropped = rows.length
    }
}

/** A purge that comes sooner after the last one is refused (dependency proxy API at 14.0). In milliseconds. */
const BETWEEN_PURGES = 60 * 60 * 1000

/** Removes all that a group keeps. @returns whether it may: once an hour */
export async function purge(db: Db, groupId: number, now: Date): Promise<boolean> {
  const claimed = await db
    .insertInto('dependency_proxy_purges')
    .values({ namespace_id: groupId, purged_at: now })
    .onConflict(conflict =>
      conflict
        .column('namespace_id')
        .doUpdateSet({ purged_at: now })
        .where(sql<boolean>`dependency_proxy_purges.purged_at <= ${new Date(now.getTime() - BETWEEN_PURGES)}`),
    )
    .returning('namespace_id')
    .executeTakeFirst()
  if (!claimed) return false
  await db.deleteFrom('dependency_proxy_manifests').where('namespace_id', '=', groupId).execute()
  await db.deleteFrom('dependency_proxy_blobs').where('namespace_id', '=', groupId).execute()
  return true
}

/** How much a group keeps: images, and bytes of their layers. */
export async function keptBy(db: Db, groupId: number): Promise<{ readonly images: number; readonly bytes: number }> {
  const { rows } = await sql<{ images: number; bytes: number }>`
    select (select count(distinct image || ':' || reference) from dependency_proxy_manifests
             where namespace_id = ${groupId} and reference not like 'sha256:%')::int as images,
           (select coalesce(sum(o.size), 0) from dependency_proxy_blobs b join stored_objects o on o.id = b.object_id
             where b.namespace_id = ${groupId})::bigint as bytes`.execute(db)
  return rows[0] as { images: number; bytes: number }
}
