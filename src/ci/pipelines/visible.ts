/** Whose pipelines and jobs an actor may read, as SQL. */
import { type RawBuilder, sql } from 'kysely'
import { roles } from '../../access/abilities.ts'
import { type Actor, isAdmin } from '../../access/actor.ts'
import { isProjectMember, projectsOpenTo } from '../../access/visible.ts'
import type { Db } from '../../db/connection.ts'

/** May the actor read jobs of the project `projects`, as far as `public_jobs` goes? As the ability `read_pipeline` has it. */
function jobsOpenTo(actor: Actor): RawBuilder<boolean> {
  if (isAdmin(actor)) return sql`true`
  return actor.user ? sql`(projects.public_jobs or ${isProjectMember(actor.user.id, roles.reporter)})` : sql`projects.public_jobs`
}

/** Which of these projects have pipelines that the actor may read: one statement. */
export async function projectsWithOpenPipelines(db: Db, actor: Actor, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const among = sql<boolean>`projects.id = any(${ids}) and ${jobsOpenTo(actor)}`
  const built = projectsOpenTo(actor, 'builds', among)
  const { rows } = await sql<{ id: number }>`${projectsOpenTo(actor, 'repository', sql`projects.id in (${built})`)}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
