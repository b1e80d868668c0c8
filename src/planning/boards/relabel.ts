/** Merging and replacing of labels and milestones: boards and lists of the former ones get the remaining one. */
import { sql } from 'kysely'
import { type Replacement, replacementRows } from '../../collaboration/item_kinds/replacements.ts'
import type { Place } from '../../platform/access/places.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { movedPlaces } from '../shared/moved_places.ts'

/** Replaces the first of a board's lists of `from` by a list of `to`, unless it has one already. */
const moveLists = (db: Db, column: 'label_id' | 'milestone_id', from: readonly number[], to: number) =>
  sql`update board_lists set ${sql.ref(column)} = ${to}
       where id in (select min(id) from board_lists where ${sql.ref(column)} = any(${from}) group by board_id)
         and not exists (select from board_lists other where other.board_id = board_lists.board_id and other.${sql.ref(column)} = ${to})`.execute(
    db,
  )

/** Replaces the labels `from`, which are about to be deleted, by `to` on boards and lists. */
export async function replaceLabelsOnBoards(db: Db, from: readonly number[], to: number): Promise<void> {
  await moveLists(db, 'label_id', from, to)
  await sql`insert into board_labels (board_id, label_id)
    select distinct board_id, ${to}::bigint from board_labels where label_id = any(${from})
    on conflict do nothing`.execute(db)
}

/** Replaces the milestones `from`, which are about to be deleted, by `to` on boards and lists. */
export async function replaceMilestonesOnBoards(db: Db, from: readonly number[], to: number): Promise<void> {
  await moveLists(db, 'milestone_id', from, to)
  await db.updateTable('boards').set({ milestone_id: to }).where('milestone_id', '=', anyOf(from)).execute()
}

/** The boards of the place that a replacement `r` is for. */
const boardOfPlace = sql<boolean>`(boards.project_id = r.project_id or boards.namespace_id = r.namespace_id)`

/** Turns the lists of `from_id` into lists of `to_id`. A board shows no list twice: where it has one of `to_id`, the other is removed. */
const replaceLists = (db: Db, column: 'label_id' | 'milestone_id', replacements: readonly Replacement[]) =>
  sql`with found as (
      select l.id, r.to_id, row_number() over (partition by l.board_id, r.to_id order by l.position, l.id) as rank,
             exists (select from board_lists other where other.board_id = l.board_id and other.${sql.ref(column)} = r.to_id) as shown
        from ${replacementRows(replacements)} join board_lists l on l.${sql.ref(column)} = r.from_id
        join boards on boards.id = l.board_id and ${boardOfPlace}),
    removed as (delete from board_lists using found where found.id = board_lists.id and (found.shown or found.rank > 1))
    update board_lists set ${sql.ref(column)} = found.to_id from found
     where found.id = board_lists.id and not found.shown and found.rank = 1`.execute(db)

/** Replaces labels on the boards of some projects and groups alone, and on their lists. */
export async function replaceLabelsOnBoardsIn(db: Db, replacements: readonly Replacement[]): Promise<void> {
  await replaceLists(db, 'label_id', replacements)
  await sql`insert into board_labels (board_id, label_id)
    select l.board_id, r.to_id from ${replacementRows(replacements)}
      join board_labels l on l.label_id = r.from_id join boards on boards.id = l.board_id and ${boardOfPlace}
    on conflict do nothing`.execute(db)
  await sql`delete from board_labels using boards, ${replacementRows(replacements)}
    where boards.id = board_labels.board_id and board_labels.label_id = r.from_id and ${boardOfPlace}`.execute(db)
}

/** Replaces milestones on the boards of some projects and groups alone, and on their lists. */
export async function replaceMilestonesOnBoardsIn(db: Db, replacements: readonly Replacement[]): Promise<void> {
  await replaceLists(db, 'milestone_id', replacements)
  await sql`update boards set milestone_id = r.to_id from ${replacementRows(replacements)}
    where boards.milestone_id = r.from_id and ${boardOfPlace}`.execute(db)
}

/** Removes lists of iterations from moved boards if the groups of these are not above them. */
export const removeListsOfOtherGroups = (db: Db, moved: Place) =>
  sql`delete from board_lists using boards, iterations, ${movedPlaces(moved)}
    where boards.id = board_lists.board_id and (boards.project_id = moved.project_id or boards.namespace_id = moved.namespace_id)
      and iterations.id = board_lists.iteration_id and iterations.namespace_id <> all(moved.above)`.execute(db)
