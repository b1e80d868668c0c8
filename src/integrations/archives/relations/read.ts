/** How rows of the database are read for an archive: in a fixed number of statements for each part, and no more together than memory holds. */
import { type RawBuilder, sql } from 'kysely'
import type { Place } from '../../../platform/access/places.ts'
import type { Db } from '../../../platform/db/connection.ts'

/** Rows by the id in a column, in one pass. */
export function byId<R extends object, C extends keyof R>(rows: readonly R[], column: C): (id: number) => R[] {
  const found = Map.groupBy(rows, row => row[column] as number)
  return id => found.get(id) ?? []
}

/** Of rows that belong to a project or group: is it this one? */
export const isOf = (place: Place): RawBuilder<boolean> =>
  'project_id' in place ? sql<boolean>`project_id = ${place.project_id}` : sql<boolean>`namespace_id = ${place.namespace_id}`

/** Bytes of texts after which a page of items ends: its rows are in memory together. */
const MOST_BYTES = 8 * 1024 * 1024

/** The column of `notes` that names an item of a table. */
const columns = { issues: 'issue_id', merge_requests: 'merge_request_id', epics: 'epic_id' } as const

/** The column that says whose the items of a table are. */
const places = { issues: 'project_id', merge_requests: 'project_id', epics: 'namespace_id' } as const

/** Ids of the items after one, in their order: so many at most, and no more than the texts of which have room in memory, but one. */
export async function nextItems(
  db: Db,
  table: keyof typeof columns,
  placeId: number,
  { after, most }: { readonly after: number; readonly most: number },
): Promise<number[]> {
  const { rows } = await sql<{ readonly id: number; readonly bytes: number }>`
    select items.id, coalesce(octet_length(items.description), 0)
        + coalesce((select sum(octet_length(notes.body)) from notes where ${sql.ref(`notes.${columns[table]}`)} = items.id), 0)::float8 as bytes
      from ${sql.table(table)} as items
     where ${sql.ref(`items.${places[table]}`)} = ${placeId} and items.id > ${after}
     order by items.id limit ${most}`.execute(db)
  const ids: number[] = []
  let bytes = 0
  for (const row of rows) {
    bytes += row.bytes
    if (bytes > MOST_BYTES && ids.length > 0) break
    ids.push(row.id)
  }
  return ids
}
