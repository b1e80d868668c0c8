/** The end of objects: of rows that nothing names any more, and of bytes that no row names. */
import { sql } from 'kysely'
import type { Database, Db } from '../db/connection.ts'
import type { Log } from '../db/log.ts'
import { anyOf } from '../db/statements/any.ts'
import type { ObjectStore } from './store.ts'

interface Parts {
  readonly database: Database
  readonly objects: ObjectStore
  readonly log: Log
  readonly now: () => Date
}

/** A row may be older than the one that names it by the length of a transaction; this is far longer. In milliseconds. */
const ROW_GRACE = 10 * 60 * 1000
/** The same for bytes, which may have been on their way for hours: a bucket dates them by the beginning of their upload. */
const BYTES_GRACE = 24 * 60 * 60 * 1000

const BATCH = 500

/** Deletes the rows that no foreign key names, and then their bytes; what a crash leaves in between is swept below. */
export async function dropUnusedObjects({ database, objects, log, now }: Parts): Promise<void> {
  const before = new Date(now().getTime() - ROW_GRACE)
  const named = await namedElsewhere(database.db)
  for (let dropped = BATCH; dropped === BATCH; ) {
    // A row that is being named just now is not deleted: the foreign key stops the statement, and the task runs again.
    const { rows } = await sql<{ key: string }>`
      delete from stored_objects where id in (
        select id from stored_objects where created_at < ${before} and not (${named}) order by id limit ${sql.lit(BATCH)}
      ) returning key`.execute(database.db)
    await objects.delete(rows.map(row => row.key))
    dropped = rows.length
    if (dropped > 0) log.info({ dropped }, 'objects that nothing names were deleted')
  }
}

/** Is a row of `stored_objects` named by any foreign key of the database? */
async function namedElsewhere(db: Db) {
  const { rows } = await sql<{ table: string; column: string }>`
    select t.relname as "table", a.attname as "column"
      from pg_constraint c join pg_class t on t.oid = c.conrelid
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
     where c.contype = 'f' and c.confrelid = 'stored_objects'::regclass`.execute(db)
  const conditions = rows.map(
    ({ table, column }) =>
      sql<boolean>`exists (select from ${sql.table(table)} where ${sql.ref(`${table}.${column}`)} = stored_objects.id)`,
  )
  return conditions.length === 0 ? sql<boolean>`false` : sql.join(conditions, sql` or `)
}

/**
 * Is so much without an owner that the database is rather one of another instance, or has lost its rows? Then nothing is deleted: it would be what
 * the right database needs.
 */
export const rowsAreMissing = ({ unowned, all }: { readonly unowned: number; readonly all: number }): boolean => unowned * 2 > all

/** What an operator does where rows are missing. */
export const FIT_TOGETHER = 'see that DATABASE_URL and the data directory belong together; if they do, restore a backup'

/** Deletes bytes that no row names: of requests that failed after their bytes had come, and of crashes. None where the rows are missing. */
export async function sweepObjects(parts: Parts): Promise<void> {
  const { objects, log, now } = parts
  await objects.removeUnfinished(new Date(now().getTime() - BYTES_GRACE))
  const counts = { unowned: 0, all: 0 }
  for await (const { isUnknown } of findUnknownObjects(parts)) {
    counts.all += 1
    if (isUnknown) counts.unowned += 1
  }
  if (counts.unowned === 0) return
  if (rowsAreMissing(counts)) return log.error(counts, `most files have no row, so none is deleted: ${FIT_TOGETHER}`)
  let batch: string[] = []
  let removed = 0
  const remove = async () => {
    await objects.delete(batch)
    removed += batch.length
    batch = []
  }
  for await (const { key, isUnknown } of findUnknownObjects(parts)) {
    if (isUnknown) batch.push(key)
    if (batch.length === BATCH) await remove()
  }
  await remove()
  if (removed > 0) log.info({ removed }, 'bytes that no row names were deleted')
}

/** Every object, and whether it has been there for a while and no row names it. */
export async function* findUnknownObjects({
  database,
  objects,
  now,
}: Parts): AsyncGenerator<{ readonly key: string; readonly isUnknown: boolean }, void, void> {
  const before = new Date(now().getTime() - BYTES_GRACE)
  let batch: string[] = []
  async function* look() {
    const known = await database.db.selectFrom('stored_objects').select('key').where('key', '=', anyOf(batch)).execute()
    const names = new Set(known.map(row => row.key))
    yield* batch.map(key => ({ key, isUnknown: !names.has(key) }))
    batch = []
  }
  for await (const { key, modifiedAt } of objects.list()) {
    if (modifiedAt < before) batch.push(key)
    else yield { key, isUnknown: false }
    if (batch.length === BATCH) yield* look()
  }
  yield* look()
}
