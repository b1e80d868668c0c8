/** Reads of forks. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'

/** Is the project `projects` a fork of this one? */
export const isForkOf = (sourceId: number): RawBuilder<boolean> =>
  sql`projects.id in (select project_id from project_forks where source_id = ${sourceId})`

/** The root of a fork network. Fork relations cannot form a cycle. */
const rootOf = (id: number): RawBuilder<number> => sql`(
  with recursive above (id) as (
    values (${id}::bigint)
    union
    select source_id from project_forks join above on above.id = project_forks.project_id
  )
  select id from above where not exists (select from project_forks where project_id = above.id))`

/** Do these two projects belong to one fork network? */
export async function areInOneNetwork(db: Db, one: number, other: number): Promise<boolean> {
  const { rows } = await sql<{ same: boolean }>`select ${rootOf(one)} = ${rootOf(other)} as same`.execute(db)
  return rows[0]?.same === true
}
