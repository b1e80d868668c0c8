/** The rows that name objects. */
import { createReadStream } from 'node:fs'
import type { Db } from '../db/connection.ts'
import { anyOf } from '../db/statements/any.ts'
import type { StoredBytes } from './measured.ts'
import type { ObjectStore } from './store.ts'

/** An object as a row names it; what `objectAnswer` serves. */
export interface ObjectRow {
  readonly key: string
  /** In bytes. */
  readonly size: number
  /** Hex. */
  readonly sha256: string
}

/**
 * The id of a new row for these bytes. `db` must be the transaction that names the id from a row of its own: whatever no
 * foreign key names is deleted.
 */
export async function recordObject(db: Db, { key, size, sha256 }: StoredBytes): Promise<number> {
  const { id } = await db.insertInto('stored_objects').values({ key, size, sha256 }).returning('id').executeTakeFirstOrThrow()
  return id
}

/**
 * Drops rows that nothing names any more, for those who drop very many: others leave it to the clock (unused.ts). Answers the keys, whose
 * bytes are to be deleted once the transaction has ended; what a crash leaves of them is swept.
 */
export async function dropObjects(db: Db, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return []
  const dropped = await db.deleteFrom('stored_objects').where('id', '=', anyOf(ids)).returning('key').execute()
  return dropped.map(({ key }) => key)
}

/** A file on its way into the store: of a multipart body (platform/kernel/declaration/types.ts `Upload`). */
interface ReceivedFile {
  readonly file: string
  readonly size: number
  readonly sha256: string
}

/**
 * Stores a file that came in a multipart body, and answers the id of its row. For small files, since the transaction waits
 * for the store; should the transaction fail, the bytes are swept.
 */
export async function storeUpload(
  ctx: { readonly db: Db; readonly deps: { readonly objects: ObjectStore } },
  upload: ReceivedFile,
): Promise<number> {
  return recordObject(ctx.db, await putUpload(ctx.deps.objects, upload))
}

/** The bytes of a file that came in a multipart body, stored and not yet named by a row. */
export const putUpload = (objects: ObjectStore, { file, size, sha256 }: ReceivedFile): Promise<StoredBytes> =>
  objects.put(createReadStream(file), { size, sha256 })
