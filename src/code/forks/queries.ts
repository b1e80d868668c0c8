/** Reads of forks. */
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../platform/access/actor.ts'
import { projectVisibleTo } from '../../platform/access/visible.ts'
import { anyOf } from '../../platform/db/any.ts'
import type { Db } from '../../platform/db/connection.ts'
import { type ProjectRow, projects } from '../../spaces/projects/queries.ts'

/** Is the project `projects` a fork of this one? */
export const isForkOf = (sourceId: number): RawBuilder<boolean> =>
  sql`projects.id in (select project_id from project_forks where source_id = ${sourceId})`

/** What each of these projects was forked from, as far as the actor may know of it, by the id of the fork: one statement. */
export async function sourcesOf(db: Db, actor: Actor, ids: readonly number[]): Promise<Map<number, ProjectRow>> {
  if (ids.length === 0) return new Map()
  const rows = await projects(db)
    .innerJoin('project_forks', 'project_forks.source_id', 'projects.id')
    .select('project_forks.project_id as fork_id')
    .where('project_forks.project_id', '=', anyOf(ids))
    .where(projectVisibleTo(actor) as RawBuilder<boolean>)
    .execute()
  return new Map(rows.map(row => [row.fork_id, row]))
}

/** The project that a network of forks began with. A circle of forks cannot be made. */
const rootOf = (id: number): RawBuilder<number> => sql`(
  with recursive above (id) as (
    values (${id}::bigint)
    union
    select source_id from project_forks join above on above.id = project_forks.project_id
  )
  select id from above where not exists (select from project_forks where project_id = above.id))`

/** Do these two projects come, by forks of forks, from the same one? */
export async function areInOneNetwork(db: Db, one: number, other: number): Promise<boolean> {
  const { rows } = await sql<{ same: boolean }>`select ${rootOf(one)} = ${rootOf(other)} as same`.execute(db)
  return rows[0]?.same === true
}
