/** Inserts many rows, for those that write what is known already: an archive that is read back, a copy. Nothing follows from it, no event and no note. */
import type { Insertable } from 'kysely'
import type { Db } from '../connection.ts'
import type { DB } from '../schema.ts'

/** Rows of one statement: a statement has at most 65,535 values. */
const BATCH = 500

/** Inserts rows in this order. */
export async function insertRows<T extends keyof DB & string>(db: Db, table: T, rows: readonly Insertable<DB[T]>[]): Promise<void> {
  for (let at = 0; at < rows.length; at += BATCH)
    await db
      .insertInto(table)
      .values(rows.slice(at, at + BATCH) as never)
      .execute()
}

/** Inserts rows of a table with ids of its own, and answers the ids in the order of the rows. */
export async function insertRowsWithIds<T extends keyof DB & string>(
  db: Db,
  table: T,
  rows: readonly Insertable<DB[T]>[],
): Promise<number[]> {
  const ids: number[] = []
  for (let at = 0; at < rows.length; at += BATCH) {
    const inserted = await db
      .insertInto(table)
      .values(rows.slice(at, at + BATCH) as never)
      .returning('id' as never)
      .execute()
    ids.push(...(inserted as unknown as { readonly id: number }[]).map(({ id }) => id))
  }
  return ids
}
