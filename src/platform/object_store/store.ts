/**
 * The object store: bytes outside of git, such as avatars, uploads, LFS objects, artifacts. A folder by default
 * (local.ts), a bucket of any S3-compatible service by configuration (s3.ts).
 *
 * Bytes come first and the row that names them last, so that no row ever names bytes that are not there; what no row
 * names is swept (unused.ts). A slice keeps a file like this:
 *
 *     // Store: before or in the transaction; large files before it (`writes: 'own'`), since a transaction must be short.
 *     const stored = await ctx.deps.objects.put(ctx.body, { size, sha256 })
 *     // Name it: in the transaction, from a column `object_id bigint not null references stored_objects` with an index.
 *     await transact(ctx.deps.database.db, async db => {
 *       const object_id = await recordObject(db, stored)
 *       await db.insertInto('things').values({ project_id, filename, object_id }).execute()
 *     })
 *
 *     // A file of a multipart body (platform/kernel/declaration/types.ts `Upload`), small enough for the request's own transaction:
 *     const object_id = await storeUpload(ctx, params.file)
 *
 *     // Serve, with ranges, ETag and length: platform/kernel/answer/object.ts
 *     run: ctx => objectAnswer(ctx, ctx.object, { mediaType: 'image/png', disposition: 'inline; filename="a.png"' })
 *
 *     // Drop: delete or cascade the row that names it. Nothing else: the sweeper finds out by the foreign keys.
 */
import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Expected, StoredBytes } from './measured.ts'

/** A part of an object, both ends counted, from 0. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** An object as a listing shows it. */
export interface ListedObject {
  readonly key: string
  readonly modifiedAt: Date
}

export interface ObjectStore {
  /** Is the store there, and may it be used? @throws ObjectStoreUnfit */
  check(): Promise<void>
  /**
   * Streams bytes into a new object. It exists when this resolves, complete and on disk, and not before.
   * @param key of an object that comes from another store; default: one that no object has
   * @throws ObjectMismatch, and whatever breaks the source off; nothing is left then
   */
  put(source: Readable, expected?: Expected, key?: string): Promise<StoredBytes>
  /** The bytes of an object, or a part of them. @throws ObjectMissing */
  read(key: string, range?: ByteRange): Promise<Readable>
  /** Bytes of an object; undefined where the store does not have it. */
  sizeOf(key: string): Promise<number | undefined>
  /** Deletes objects; those that do not exist are deleted already. */
  delete(keys: readonly string[]): Promise<void>
  /** Every object, in no order. */
  list(): AsyncIterable<ListedObject>
  /** Deletes what was begun before this time and never completed: of a crash, or a connection that broke. */
  removeUnfinished(before: Date): Promise<void>
  close(): Promise<void>
}

/** A row names an object that the store does not have: it was deleted behind Ingot's back. */
export class ObjectMissing extends Error {
  override name = 'ObjectMissing'
  constructor(key: string, options?: ErrorOptions) {
    super(`the object store has no object ${key}`, options)
  }
}

/** The store did not answer, or would not do what it was asked. */
export class ObjectStoreUnavailable extends Error {
  override name = 'ObjectStoreUnavailable'
}

/** The store cannot be used as it is configured; the message says why. */
export class ObjectStoreUnfit extends Error {
  override name = 'ObjectStoreUnfit'
}

/** A key that no object has. The first two characters spread objects over 256 folders. */
export function newKey(): string {
  const id = randomUUID()
  return `${id.slice(0, 2)}/${id}`
}

/** Is this a key that `newKey` makes? A bucket may hold objects of others too. */
export const isKey = (text: string): boolean => /^([0-9a-f]{2})\/\1[0-9a-f]{6}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
