/** How far iterations are: the issues of each that the reader may see, by state. */
import { sql } from 'kysely'
import type { Actor } from '../../platform/access/actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { issueVisibleTo } from '../issues/lists/visible.ts'
import { type Progress, progressColumns } from '../shared/progress.ts'

/** The progress of iterations by their ids: one statement. */
export async function iterationProgress(db: Db, actor: Actor, ids: readonly number[]): Promise<ReadonlyMap<number, Progress>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Progress & { id: number }>`
    select issues.iteration_id as id, ${progressColumns}
      from issues where issues.iteration_id = ${anyOf(ids)} and ${issueVisibleTo(actor)} group by issues.iteration_id`.execute(db)
  return new Map(rows.map(row => [row.id, row]))
}
