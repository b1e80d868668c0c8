/**
 * The collector of garbage: what nothing names any more, and has not been named for a while, is deleted. Each step locks rows that nobody else
 * holds and looks again before it deletes them. Who begins to use one of them (an upload, a mount, a manifest, a tag) locks it too: either they
 * come first, and it is in use when the collector looks again, or they wait, find it gone and bring it themselves.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { dropManifest, markUntagged } from './manifests.ts'

const HOUR = 60 * 60 * 1000

/** How long something is kept that nothing names, in milliseconds. */
const KEPT = {
  /** An upload since its last byte. */
  upload: 24 * HOUR,
  /** A blob that a client has pushed, mounted or asked for, and that no manifest names yet. */
  link: 24 * HOUR,
  /** A blob that no repository has: longer than a transaction. */
  blob: HOUR,
  /** A manifest without a tag: those who pulled the image by its digest have time to notice. */
  manifest: 7 * 24 * HOUR,
} as const

/** Rows of one transaction. */
const BATCH = 200

/** Deletes what nothing names: uploads that stopped, manifests without a tag, blobs without a manifest, and blobs without a repository. */
export async function collectGarbage(deps: Deps): Promise<void> {
  const now = deps.now()
  const before = (kept: number) => new Date(now.getTime() - kept)
  await inBatches(deps, db => dropUploads(db, before(KEPT.upload)))
  await inBatches(deps, db => dropManifests(db, before(KEPT.manifest), now))
  await inBatches(deps, db => dropLinks(db, before(KEPT.link)))
  await inBatches(deps, db => dropBlobs(db, before(KEPT.blob)))
}

async function inBatches({ database }: Deps, step: (db: Db) => Promise<number>): Promise<void> {
  while ((await transact(database.db, step)) === BATCH);
}

async function rowsOf<Row>(db: Db, statement: RawBuilder<Row>): Promise<readonly Row[]> {
  return (await statement.execute(db)).rows
}

async function dropUploads(db: Db, before: Date): Promise<number> {
  const rows = await rowsOf(
    db,
    sql`delete from container_uploads where id in (
          select id from container_uploads where updated_at < ${before} order by updated_at limit ${sql.lit(BATCH)} for update skip locked)
        returning id`,
  )
  return rows.length
}

const isUnnamed = sql<boolean>`
  not exists (select from container_tags t where t.manifest_id = m.id)
  and not exists (select from container_manifest_children c where c.child_id = m.id)`

async function dropManifests(db: Db, before: Date, now: Date): Promise<number> {
  const locked = await rowsOf(
    db,
    sql<{ id: number }>`select m.id from container_manifests m where m.untagged_at < ${before} and ${isUnnamed}
                         order by m.untagged_at limit ${sql.lit(BATCH)} for update skip locked`,
  )
  if (locked.length === 0) return 0
  const ids = locked.map(({ id }) => id)
  const unnamed = await rowsOf(
    db,
    sql<{ id: number; repository_id: number; digest: string }>`
      select m.id, m.repository_id, m.digest from container_manifests m where m.id = ${anyOf(ids)} and m.untagged_at < ${before} and ${isUnnamed}`,
  )
  for (const { id, repository_id, digest } of unnamed) {
    await markUntagged(db, await dropManifest(db, id), now)
    // What was about it has lost its reason.
    const about = await rowsOf(
      db,
      sql<{ id: number }>`select id from container_manifests where repository_id = ${repository_id} and subject_digest = ${digest}`,
    )
    await markUntagged(
      db,
      about.map(row => row.id),
      now,
    )
  }
  return locked.length
}

const isUnused = sql<boolean>`
  not exists (select from container_manifest_blobs n where n.repository_id = l.repository_id and n.blob_id = l.blob_id)`

async function dropLinks(db: Db, before: Date): Promise<number> {
  const locked = await rowsOf(
    db,
    sql<{ repository_id: number; blob_id: number }>`
      select l.repository_id, l.blob_id from container_repository_blobs l where l.linked_at < ${before} and ${isUnused}
       order by l.linked_at limit ${sql.lit(BATCH)} for update skip locked`,
  )
  for (const { repository_id, blob_id } of locked)
    await sql`delete from container_repository_blobs l
               where l.repository_id = ${repository_id} and l.blob_id = ${blob_id} and l.linked_at < ${before} and ${isUnused}`.execute(db)
  return locked.length
}

const isNowhere = sql<boolean>`not exists (select from container_repository_blobs l where l.blob_id = b.id)`

async function dropBlobs(db: Db, before: Date): Promise<number> {
  const locked = await rowsOf(
    db,
    sql<{ id: number }>`select b.id from container_blobs b where b.created_at < ${before} and ${isNowhere}
                         order by b.id limit ${sql.lit(BATCH)} for update skip locked`,
  )
  if (locked.length === 0) return 0
  // The object store sweeps the bytes.
  await sql`delete from container_blobs b where b.id = ${anyOf(locked.map(({ id }) => id))} and ${isNowhere}`.execute(db)
  return locked.length
}
