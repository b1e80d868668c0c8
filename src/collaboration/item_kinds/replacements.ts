/** Labels and milestones that take the place of others within projects and groups, as a transfer has them. */
import { type RawBuilder, sql } from 'kysely'

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
