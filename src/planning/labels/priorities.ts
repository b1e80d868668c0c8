/** The order of a project's labels by priority. */
import { sql } from 'kysely'
import { type Replacement, replacementRows } from '../../collaboration/item_kinds/replacements.ts'
import type { Actor } from '../../platform/access/actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { PlanningPlace } from '../../spaces/places/places.ts'
import { labelsIn } from './queries.ts'

/** Where a label goes in the order. */
export const priorityMoves = ['up', 'down', 'last', 'none'] as const
export type PriorityMove = (typeof priorityMoves)[number]

/** The labels of a project that have a priority, the most urgent first. */
export const prioritizedLabels = (db: Db, actor: Actor, place: PlanningPlace) =>
  labelsIn(db, actor, place, {})
    .innerJoin('label_priorities', join =>
      join.onRef('label_priorities.label_id', '=', 'labels.id').on('label_priorities.project_id', '=', place.id),
    )
    .orderBy('label_priorities.priority')
    .orderBy('labels.name')
    .orderBy('labels.id')

/** The ids in the order after a move. Pure. */
export function afterMove(ids: readonly number[], moved: number, move: PriorityMove): number[] {
  const others = ids.filter(id => id !== moved)
  const at = ids.indexOf(moved)
  if (move === 'none') return others
  if (move === 'last' || at < 0) return [...others, moved]
  return others.toSpliced(Math.max(0, at + (move === 'up' ? -1 : 1)), 0, moved)
}

/** Moves a label in a project's order of priority, into it or out of it; those after it have consecutive numbers from 0. */
export async function movePriority(db: Db, actor: Actor, place: PlanningPlace, labelId: number, move: PriorityMove): Promise<void> {
  // Of two moves at the same time the second sees what the first has made.
  await db.selectFrom('projects').select('id').where('id', '=', place.id).forNoKeyUpdate().execute()
  const rows = await prioritizedLabels(db, actor, place).clearSelect().select('labels.id').execute()
  const ids = afterMove(
    rows.map(({ id }) => id),
    labelId,
    move,
  )
  await db.deleteFrom('label_priorities').where('project_id', '=', place.id).where('label_id', '=', labelId).execute()
  await sql`insert into label_priorities (label_id, project_id, priority)
            select id, ${place.id}, place - 1 from unnest(${ids}::bigint[]) with ordinality as o(id, place)
            on conflict (label_id, project_id) do update set priority = excluded.priority`.execute(db)
}

/** Gives labels the priorities that those they replace have in their projects, unless they have one there. */
export const takeOverPriorities = (db: Db, replacements: readonly Replacement[]) =>
  sql`insert into label_priorities (label_id, project_id, priority)
    select r.to_id, p.project_id, min(p.priority) from ${replacementRows(replacements)}
      join label_priorities p on p.label_id = r.from_id and p.project_id = r.project_id
     group by r.to_id, p.project_id
    on conflict do nothing`.execute(db)

/** Removes the priorities of replaced labels in these projects. */
export const removeFormerPriorities = (db: Db, replacements: readonly Replacement[]) =>
  sql`delete from label_priorities using ${replacementRows(replacements)}
    where label_priorities.label_id = r.from_id and label_priorities.project_id = r.project_id`.execute(db)
