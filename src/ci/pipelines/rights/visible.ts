/** Whose pipelines and jobs an actor may read, in SQL. */
import { sql } from 'kysely'
import { projectsAllowing } from '../../../platform/access/ability_conditions.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import type { Db } from '../../../platform/db/connection.ts'

/** Which of these projects have pipelines that the actor may read: one statement. */
export async function projectsWithOpenPipelines(db: Db, actor: Actor, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`${projectsAllowing(actor, 'read_pipeline', sql`projects.id = any(${ids})`)}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
