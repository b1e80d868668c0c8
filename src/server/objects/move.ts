/**
 * Copies the objects that rows name from one store to another. What is there already is not sent again, so that a run that was interrupted
 * goes on where it ended, and one that follows the first sends only what came in between. Bytes are checked by their digest on the way.
 */
import type { Database } from '../../platform/db/connection.ts'
import { ObjectMismatch } from '../../platform/object_store/measured.ts'
import { ObjectMissing, type ObjectStore } from '../../platform/object_store/store.ts'

/** Rows that are read by one statement. */
const BATCH = 500

/** Objects on their way at the same time. */
const CONCURRENCY = 8

export interface MoveParts {
  readonly database: Pick<Database, 'db'>
  readonly from: ObjectStore
  readonly to: ObjectStore
  /** Called after each object. */
  readonly onProgress?: () => void
  /** Ends it after the objects that are on their way. */
  readonly signal?: AbortSignal
}

/** What became of the objects. */
export interface Moved {
  /** Sent in this run. */
  copied: number
  /** In bytes. */
  bytes: number
  /** Those that the new store had already. */
  present: number
  /** Keys that neither store has, and keys whose bytes in the old store are not those of the row. */
  readonly missing: string[]
  readonly damaged: string[]
}

interface Row {
  readonly id: number
  readonly key: string
  readonly size: number
  readonly sha256: string
}

/** How many objects rows name. */
export async function countObjects({ db }: Pick<Database, 'db'>): Promise<number> {
  const { count } = await db
    .selectFrom('stored_objects')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Copies what the new store lacks. */
export async function copyObjects(parts: MoveParts): Promise<Moved> {
  const moved: Moved = { copied: 0, bytes: 0, present: 0, missing: [], damaged: [] }
  for await (const rows of batchesOf(parts)) await eachOf(rows, row => copyOne(parts, row, moved), parts)
  return moved
}

async function copyOne({ from, to }: MoveParts, { key, size, sha256 }: Row, moved: Moved): Promise<void> {
  if ((await to.sizeOf(key)) === size) {
    moved.present++
    return
  }
  try {
    await to.put(await from.read(key), { size, sha256 }, key)
    moved.copied++
    moved.bytes += size
  } catch (error) {
    if (error instanceof ObjectMissing) moved.missing.push(key)
    else if (error instanceof ObjectMismatch) moved.damaged.push(key)
    else throw error
  }
}

/**
 * Deletes those objects of the old store that the new one has.
 * @returns how many are in both, or were
 */
export async function deleteCopied(parts: MoveParts): Promise<number> {
  let deleted = 0
  const deleteOne = async ({ key, size }: Row) => {
    if ((await parts.to.sizeOf(key)) !== size || (await parts.from.sizeOf(key)) === undefined) return
    await parts.from.delete([key])
    deleted++
  }
  for await (const rows of batchesOf(parts)) await eachOf(rows, deleteOne, parts)
  return deleted
}

async function* batchesOf({ database, signal }: MoveParts): AsyncGenerator<readonly Row[]> {
  let last = 0
  while (!signal?.aborted) {
    const rows = await database.db
      .selectFrom('stored_objects')
      .select(['id', 'key', 'size', 'sha256'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(BATCH)
      .execute()
    if (rows.length === 0) return
    yield rows
    last = rows.at(-1)?.id ?? last
  }
}

/** Does the work of all rows, some at a time; the first failure ends it, once what is on its way has ended. */
async function eachOf(rows: readonly Row[], work: (row: Row) => Promise<void>, { onProgress, signal }: MoveParts): Promise<void> {
  const left = rows.values()
  let failed = false
  const lane = async () => {
    for (const row of left) {
      if (failed || signal?.aborted) return
      try {
        await work(row)
      } catch (error) {
        failed = true
        throw error
      }
      onProgress?.()
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: CONCURRENCY }, lane))
  const failure = ended.find(each => each.status === 'rejected')
  if (failure) throw failure.reason
}
