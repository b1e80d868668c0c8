/** Labels and milestones that take the place of others within projects and groups, as a transfer has them. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { DB } from '../../platform/db/schema.ts'

/** A project or group as rows name it: one of the two is null. */
export interface PlaceColumns {
  readonly project_id: number | null
  readonly namespace_id: number | null
}

/** A label or milestone, and the project or group that it is copied into. */
export interface CopiedInto extends PlaceColumns {
  readonly from_id: number
}

/** In this project or group, the label or milestone `to_id` takes the place of `from_id`. */
export interface Replacement extends CopiedInto {
  readonly to_id: number
}

/** The replacements as rows of a `from` clause, named `r`: the statement is the same whatever their number. */
export const replacementRows = (replacements: readonly Replacement[]): RawBuilder<unknown> =>
  sql`unnest(${replacements.map(row => row.project_id)}::bigint[], ${replacements.map(row => row.namespace_id)}::bigint[],
             ${replacements.map(row => row.from_id)}::bigint[], ${replacements.map(row => row.to_id)}::bigint[])
      as r(project_id, namespace_id, from_id, to_id)`

/** Where a kind of items has its labels: the table of the items, the column of their project or group, and the table that joins them with labels. */
export interface LabelledItems {
  readonly items: keyof DB
  readonly place: 'project_id' | 'namespace_id'
  readonly labels: keyof DB
  /** The column of the item there. */
  readonly item: `${string}_id`
}

/** Replaces labels on the items of some projects or groups alone. Two statements. */
export async function replaceLabelsOfItems(
  db: Db,
  { items, place, labels, item }: LabelledItems,
  replacements: readonly Replacement[],
): Promise<void> {
  const [table, joined, itemId] = [sql.table(items), sql.table(labels), sql.ref(item)]
  const inPlace = sql`${sql.ref(`${items}.${place}`)} = ${sql.ref(`r.${place}`)}`
  await sql`insert into ${joined} (${itemId}, label_id)
    select l.${itemId}, r.to_id from ${replacementRows(replacements)}
      join ${table} on ${inPlace} join ${joined} l on l.${itemId} = ${table}.id and l.label_id = r.from_id
    on conflict do nothing`.execute(db)
  await sql`delete from ${joined} l using ${table}, ${replacementRows(replacements)}
    where ${table}.id = l.${itemId} and ${inPlace} and l.label_id = r.from_id`.execute(db)
}
