/**
 * Blobs on their way. Each request brings a part, which is an object of its own; at the end the parts become one object, unless there is only
 * one. Memory stays constant, and the digest is that of the bytes as they were stored.
 */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { badRequest } from '../../platform/kernel/errors.ts'
import { isClientGone } from '../../platform/kernel/request/wire.ts'
import { type Expected, ObjectMismatch, type StoredBytes } from '../../platform/object_store/measured.ts'
import { recordObject } from '../../platform/object_store/rows.ts'
import type { Stored } from '../../spaces/projects/repository/store.ts'
import { withRoomForArriving } from '../../spaces/storage_limits/arriving.ts'
import { withRoomForFile } from '../../spaces/storage_limits/limits.ts'
import { unlessRefused } from '../../spaces/storage_limits/refused.ts'
import { linkBlob } from './blobs.ts'
import { RegistryRefusal } from './distribution/refusals.ts'
import { algorithmOf, hexOf } from './names.ts'

/** An upload with the bytes that have come. */
export interface UploadRow {
  readonly id: string
  readonly repository_id: number
  readonly size: number
}

/** An upload of a repository, if there is one. */
export const uploadIn = (db: Db, repositoryId: number, id: string): Promise<UploadRow | undefined> =>
  db
    .selectFrom('container_uploads')
    .select(['id', 'repository_id', 'size'])
    .where('repository_id', '=', repositoryId)
    .where('id', '=', id)
    .executeTakeFirst()

/** Begins an upload. */
export const startUpload = ({ db, now }: Pick<Context, 'db' | 'now'>, repositoryId: number): Promise<UploadRow> =>
  db
    .insertInto('container_uploads')
    .values({ repository_id: repositoryId, created_at: now, updated_at: now })
    .returning(['id', 'repository_id', 'size'])
    .executeTakeFirstOrThrow()

const unknownUpload = () => new RegistryRefusal('BLOB_UPLOAD_UNKNOWN', 'blob upload unknown to registry')

/** Removes an upload with its parts. @returns whether it was there */
const dropUpload = async (db: Db, { id }: UploadRow): Promise<boolean> =>
  (await db.deleteFrom('container_uploads').where('id', '=', id).returning('id').executeTakeFirst()) !== undefined

/**
 * Ends an upload; the object store sweeps what has come.
 * @throws Refusal 404 where it has ended meanwhile, perhaps with its blob
 */
export async function cancelUpload({ db }: Pick<Context, 'db'>, upload: UploadRow): Promise<void> {
  if (!(await dropUpload(db, upload))) throw unknownUpload()
}

const wrongDigest = (digest: string) => new RegistryRefusal('DIGEST_INVALID', 'provided digest did not match uploaded content', { digest })

/** Bytes into the store. */
async function store({ deps, request }: Context, source: Readable, expected: Expected = {}): Promise<StoredBytes> {
  try {
    return await deps.objects.put(source, expected)
  } catch (error) {
    if (error instanceof ObjectMismatch) {
      // The rest is read and dropped, so that the client sees the answer.
      source.resume()
      throw error.what === 'sha256'
        ? wrongDigest(`sha256:${expected.sha256}`)
        : new RegistryRefusal('SIZE_INVALID', 'provided length did not match content length')
    }
    throw isClientGone(error) || request.signal.aborted ? badRequest('the body ended early') : error
  }
}

/** Bytes that a request brings. */
export interface Chunk {
  readonly body: Readable
  /** Undefined where the client does not say it. */
  readonly size: number | undefined
  /** Where the client says that they begin. */
  readonly start: number | undefined
}

const outOfOrder = ({ id, size }: UploadRow, location: string) =>
  new RegistryRefusal('RANGE_INVALID', 'invalid content range', { uploaded: size }, undefined, {
    location,
    range: rangeOf(size),
    'docker-upload-uuid': id,
  })

/** What has come of an upload, as its headers say it. */
export const rangeOf = (size: number): string => `0-${Math.max(0, size - 1)}`

/**
 * Adds bytes to an upload, and returns how many it has then.
 * @throws Refusal 416 where they are not the next ones
 */
export async function appendToUpload(
  ctx: Context,
  project: Stored,
  upload: UploadRow,
  { body, size, start }: Chunk,
  location: string,
): Promise<UploadRow> {
  if (start !== undefined && start !== upload.size) throw outOfOrder(upload, location)
  const name = (stored: StoredBytes, counted: (db: Db) => Promise<void>) =>
    transact(ctx.deps.database.db, async db => {
      const now = await db.selectFrom('container_uploads').select('size').where('id', '=', upload.id).forUpdate().executeTakeFirst()
      if (!now) throw unknownUpload()
      // Another request has brought bytes meanwhile.
      if (now.size !== upload.size) throw outOfOrder({ ...upload, size: now.size }, location)
      if (stored.size === 0) return upload
      const object_id = await recordObject(db, stored)
      await db
        .insertInto('container_upload_parts')
        .values({ upload_id: upload.id, start: upload.size, size: stored.size, object_id })
        .execute()
      await counted(db)
      const total = upload.size + stored.size
      await db.updateTable('container_uploads').set({ size: total, updated_at: ctx.now }).where('id', '=', upload.id).execute()
      return { ...upload, size: total }
    })
  const keep = async (bytes: Readable, counted: (db: Db) => Promise<void>) => {
    const stored = await store(ctx, bytes, size === undefined ? {} : { size })
    return unlessRefused(ctx.deps, stored, () => name(stored, counted))
  }
  return size === undefined
    ? withRoomForArriving(ctx.deps, project, body, keep)
    : withRoomForFile(ctx.deps, project, { bytes: size }, counted => keep(body, counted))
}

/** A part of an upload, with where its bytes are. */
interface Part {
  readonly object_id: number
  readonly key: string
  readonly sha256: string
}

const partsOf = (db: Db, { id }: UploadRow): Promise<Part[]> =>
  db
    .selectFrom('container_upload_parts')
    .innerJoin('stored_objects', 'stored_objects.id', 'container_upload_parts.object_id')
    .select(['object_id', 'key', 'sha256'])
    .where('upload_id', '=', id)
    .orderBy('start')
    .execute()

/** Bytes that are as their digest says, and the row that names them if one does. */
interface Proven {
  readonly stored: Pick<StoredBytes, 'key' | 'size' | 'sha256'>
  readonly objectId?: number
}

async function* bytesOf({ deps }: Context, parts: readonly Part[]): AsyncGenerator<Buffer> {
  for (const { key } of parts) yield* await deps.objects.read(key)
}

/** The bytes of the parts as one object. @throws Refusal 400 where their digest is another one */
async function joined(ctx: Context, upload: UploadRow, parts: readonly Part[], digest: string): Promise<Proven> {
  const [only, ...others] = parts
  const isWhole = only !== undefined && others.length === 0
  if (algorithmOf(digest) === 'sha512') {
    const hash = createHash('sha512')
    for await (const chunk of bytesOf(ctx, parts)) hash.update(chunk)
    if (hash.digest('hex') !== hexOf(digest)) throw wrongDigest(digest)
    if (!isWhole) return { stored: await store(ctx, Readable.from(bytesOf(ctx, parts)), { size: upload.size }) }
  } else if (!isWhole) return { stored: await store(ctx, Readable.from(bytesOf(ctx, parts)), { sha256: hexOf(digest) }) }
  else if (only.sha256 !== hexOf(digest)) throw wrongDigest(digest)
  return { stored: { ...only, size: upload.size }, objectId: only.object_id }
}

/**
 * Ends an upload with the blob that it was for.
 * @throws Refusal 400 where the bytes have another digest; the upload is over then
 */
export async function completeUpload(ctx: Context, upload: UploadRow, digest: string): Promise<void> {
  const { db } = ctx.deps.database
  const parts = await partsOf(db, upload)
  const proven = await joined(ctx, upload, parts, digest).catch(async (error: unknown) => {
    if (error instanceof RegistryRefusal && error.code === 'DIGEST_INVALID') await dropUpload(db, upload)
    throw error
  })
  const link = () =>
    transact(db, async db => {
      const { rows } = await sql`delete from container_uploads where id = ${upload.id} and size = ${upload.size} returning id`.execute(db)
      if (rows.length === 0) throw new RegistryRefusal('BLOB_UPLOAD_INVALID', 'the upload has been changed or ended meanwhile')
      const objectId = async (db: Db) => proven.objectId ?? recordObject(db, proven.stored)
      await linkBlob(db, upload.repository_id, { digest, size: upload.size, objectId }, ctx.now)
    })
  await (proven.objectId === undefined ? unlessRefused(ctx.deps, proven.stored, link) : link())
}
