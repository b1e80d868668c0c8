/** Writes of board lists. The board's row is locked first, so that positions have no gaps. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { uniqueViolation } from '../../platform/db/errors.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid, notFound } from '../../platform/kernel/errors.ts'
import type { PlanningPlace } from '../../spaces/places/places.ts'
import { type BoardListRow, type BoardRow, listOfBoard, listsOfBoard } from './queries.ts'
import { assertSubjectsAreVisible, type SubjectIds } from './subjects.ts'

/** Maximum number of issues, or maximum weight, that a list should hold; 0 for no limit. */
export interface Limits {
  readonly max_issue_count?: number | undefined
  readonly max_issue_weight?: number | undefined
  readonly limit_metric?: 'all_metrics' | 'issue_count' | 'issue_weights' | undefined
}

/** The ids of a board's lists from left to right, about to change and locked until the transaction ends. */
async function lockLists({ db, now }: Context, boardId: number): Promise<number[]> {
  await db.updateTable('boards').set({ updated_at: now }).where('id', '=', boardId).execute()
  return (await listsOfBoard(db, boardId).execute()).map(list => list.id)
}

/** Sets the positions 0, 1, 2 … in this order. */
const putInOrder = (db: Db, ids: readonly number[]) =>
  sql`update board_lists set position = o.place - 1
        from unnest(${ids}::bigint[]) with ordinality as o(id, place) where board_lists.id = o.id`.execute(db)

/** Adds a list at the end; 400 for a subject that cannot be used here or has a list on this board already. */
export async function createList(
  ctx: Context,
  place: PlanningPlace,
  board: BoardRow,
  { label_id, assignee_id, milestone_id, iteration_id, ...limits }: SubjectIds & Limits,
): Promise<BoardListRow> {
  const { db, now } = ctx
  const subject = { label_id, assignee_id, milestone_id, iteration_id }
  await assertSubjectsAreVisible(ctx, place, subject)
  const others = await lockLists(ctx, board.id)
  const { id } = await db
    .insertInto('board_lists')
    .values({ board_id: board.id, ...subject, ...limits, position: others.length, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(error => {
      const [, noun] = /^board_lists_(\w+)_key$/.exec(uniqueViolation(error) ?? '') ?? []
      throw noun === undefined ? error : invalid({ [`${noun}_id`]: ['has already been taken'] })
    })
  return (await listOfBoard(db, board.id, id)) as BoardListRow
}

/** Moves a list to a position, at most to the end, and changes its limits. 404 if it was removed meanwhile. */
export async function updateList(
  ctx: Context,
  list: BoardListRow,
  { position, ...limits }: Limits & { readonly position?: number | undefined },
): Promise<BoardListRow> {
  const { db, now } = ctx
  const ids = await lockLists(ctx, list.board_id)
  // Its place in the order would be a gap.
  if (!ids.includes(list.id)) throw notFound('List')
  if (position !== undefined) {
    const others = ids.filter(id => id !== list.id)
    await putInOrder(db, others.toSpliced(position, 0, list.id))
  }
  await db
    .updateTable('board_lists')
    .set({ ...limits, updated_at: now })
    .where('id', '=', list.id)
    .execute()
  return (await listOfBoard(db, list.board_id, list.id)) as BoardListRow
}

/** Deletes a list; the lists after it move up. */
export async function removeList(ctx: Context, list: BoardListRow): Promise<void> {
  const { db } = ctx
  const ids = await lockLists(ctx, list.board_id)
  await db.deleteFrom('board_lists').where('id', '=', list.id).returning('id').executeTakeFirstOrThrow()
  await putInOrder(
    db,
    ids.filter(id => id !== list.id),
  )
}
