/** Writes of LFS objects. */
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Context, Deps } from '../../platform/kernel/context.ts'
import { badRequest, unprocessable } from '../../platform/kernel/errors.ts'
import { isClientGone, whenBrokenOff } from '../../platform/kernel/request/wire.ts'
import { Measured, ObjectMismatch, type StoredBytes } from '../../platform/object_store/measured.ts'
import { recordObject } from '../../platform/object_store/rows.ts'
import { addToStatistics } from '../../spaces/project_statistics/commands.ts'
import type { Stored } from '../../spaces/projects/repository/store.ts'
import { withRoomForFile } from '../../spaces/storage_limits/limits.ts'
import { lfsSizesIn } from './queries.ts'

/** The object that a client announces. */
export interface LfsPointer {
  /** Hex SHA-256 of the bytes. */
  readonly oid: string
  /** In bytes. */
  readonly size: number
}

/**
 * Receives the bytes of an object for a project, and links it. Bytes that the server has already are read, too, but not stored twice:
 * knowing an oid does not prove having the file.
 * @throws Refusal 413 if the storage limit of the project would be exceeded
 * @throws Refusal 422 for bytes that do not match the pointer; they are not stored
 */
export async function receiveLfsObject(ctx: Context, project: Stored, pointer: LfsPointer, body: Readable): Promise<void> {
  const { db } = ctx.deps.database
  const length = ctx.request.headers['content-length']
  if (length !== undefined && Number(length) !== pointer.size) throw unprocessable('The size of the object is not the one announced')
  const isLinked = (await lfsSizesIn(db, project.id, [pointer.oid])).size > 0
  await withRoomForFile(ctx.deps, project, { bytes: isLinked ? 0 : pointer.size }, async counted => {
    const stored = await receive(ctx, pointer, body, await isStored(db, pointer.oid))
    const isKnown = await transact(db, async db => {
      const known = await lockObject(db, pointer.oid)
      const id = known ?? (stored && (await addObject(db, pointer, stored)))
      if (id === undefined) throw unprocessable('The object was dropped while it came: send it again')
      const link = await db
        .insertInto('lfs_objects_projects')
        .values({ project_id: project.id, lfs_object_id: id })
        .onConflict(conflict => conflict.doNothing())
        .returning('project_id')
        .executeTakeFirst()
      if (link) {
        await addToStatistics(db, project.id, 'lfs_objects_size', pointer.size)
        await counted(db)
      }
      return known !== undefined
    })
    // Another request has brought the same bytes meanwhile: these are named by nothing, and count for no project.
    if (stored && isKnown) await ctx.deps.objects.delete([stored.key])
  })
}

/** Reads all bytes, into the store unless it has them. */
async function receive(ctx: Context, { oid, size }: LfsPointer, body: Readable, isKnown: boolean): Promise<StoredBytes | undefined> {
  const expected = { size, sha256: oid }
  try {
    if (!isKnown) return await ctx.deps.objects.put(body, expected)
    const measured = body.pipe(new Measured(expected)).resume()
    whenBrokenOff(body, error => measured.destroy(error))
    await finished(measured)
    return undefined
  } catch (error) {
    if (error instanceof ObjectMismatch) throw unprocessable(`The ${error.what} of the object is not the one announced`)
    throw isClientGone(error) || ctx.request.signal.aborted ? badRequest('the body ended early') : error
  }
}

const isStored = async (db: Db, oid: string): Promise<boolean> =>
  (await db.selectFrom('lfs_objects').select('id').where('oid', '=', oid).executeTakeFirst()) !== undefined

/** The id of an object, locked against deletion until the transaction ends. */
async function lockObject(db: Db, oid: string): Promise<number | undefined> {
  const row = await db.selectFrom('lfs_objects').select('id').where('oid', '=', oid).forKeyShare().executeTakeFirst()
  return row?.id
}

/** Inserts an object; of two concurrent uploads the second one reuses the first row, and its own bytes are swept. */
async function addObject(db: Db, { oid, size }: LfsPointer, stored: StoredBytes): Promise<number> {
  const object_id = await recordObject(db, stored)
  const { id } = await db
    .insertInto('lfs_objects')
    .values({ oid, size, object_id })
    .onConflict(conflict => conflict.column('oid').doUpdateSet({ oid }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Links an object to a project, whose bytes are stored and were found to be those of its oid. Bytes that the server has already are swept. */
export async function linkLfsObject(db: Db, projectId: number, pointer: LfsPointer, stored: StoredBytes): Promise<void> {
  const id = (await lockObject(db, pointer.oid)) ?? (await addObject(db, pointer, stored))
  const link = await db
    .insertInto('lfs_objects_projects')
    .values({ project_id: projectId, lfs_object_id: id })
    .onConflict(conflict => conflict.doNothing())
    .returning('project_id')
    .executeTakeFirst()
  if (link) await addToStatistics(db, projectId, 'lfs_objects_size', pointer.size)
}

/** Links all LFS objects of a project to another one: a fork needs what the pointers in its repository name. */
export async function copyLfsObjects(db: Db, fromProjectId: number, toProjectId: number): Promise<void> {
  const { rows } = await sql<{ bytes: number }>`
    with linked as (
      insert into lfs_objects_projects (project_id, lfs_object_id)
      select ${toProjectId}, lfs_object_id from lfs_objects_projects where project_id = ${fromProjectId}
      on conflict do nothing returning lfs_object_id
    )
    select coalesce(sum(size), 0) as bytes from lfs_objects where id in (select lfs_object_id from linked)`.execute(db)
  await addToStatistics(db, toProjectId, 'lfs_objects_size', rows[0]?.bytes ?? 0)
}

/** An object can exist before its first link for the length of a transaction; this is far longer. In milliseconds. */
const GRACE = 60 * 60 * 1000

/** Deletes objects without a project; the object store sweeps their bytes. */
export async function dropUnusedLfsObjects({ database, now }: Deps): Promise<void> {
  await database.db
    .deleteFrom('lfs_objects')
    .where('created_at', '<', new Date(now().getTime() - GRACE).toISOString())
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('lfs_objects_projects').select('project_id').whereRef('lfs_object_id', '=', 'lfs_objects.id'))),
    )
    .execute()
}
