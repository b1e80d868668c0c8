/** Trees of epics, and how far each is. */
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../platform/access/actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import { idArray } from '../../platform/db/statements/any.ts'
import { issueVisibleTo } from '../issues/lists/visible.ts'
import { epicVisibleTo } from '../shared/epics.ts'
import { type Progress, progressColumns } from '../shared/progress.ts'

/**
 * Epics and those below them: `root` is the epic that was asked for, `id` what is below it. Levels are bounded where epics are changed
 * (children/commands.ts), so this ends.
 */
const trees = (ids: readonly number[]): RawBuilder<unknown> => sql`
  tree as (
    select id as root, id from epics where id = any(${idArray(ids)})
    union select tree.root, epics.id from epics join tree on epics.parent_id = tree.id
  )`

/** How far epics are with all that is below them, by id: of the issues that the reader may see. One statement. */
export async function epicProgress(db: Db, actor: Actor, ids: readonly number[]): Promise<ReadonlyMap<number, Progress>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Progress & { id: number }>`
    with recursive ${trees(ids)}
    select tree.root as id, ${progressColumns}
      from tree join issues on issues.epic_id = tree.id
     where ${issueVisibleTo(actor)} group by tree.root`.execute(db)
  return new Map(rows.map(row => [row.id, row]))
}

/** The ids of epics below others, however deep, that the reader may see; at most `most`. One statement. */
export async function epicIdsBelow(db: Db, actor: Actor, ids: readonly number[], most: number): Promise<number[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    with recursive ${trees(ids)}
    select distinct epics.id from tree join epics on epics.id = tree.id join namespaces on namespaces.id = epics.namespace_id
     where epics.id <> all(${idArray(ids)}) and ${epicVisibleTo(actor)} order by epics.id limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}
