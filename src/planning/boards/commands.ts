/** Writes of boards. */
import type { Context } from '../../platform/kernel/context.ts'
import type { PlanningPlace } from '../../spaces/places/places.ts'
import { labelsForNames } from '../labels/commands.ts'
import { type BoardRow, boardById } from './queries.ts'
import { assertSubjectsAreVisible } from './subjects.ts'

export interface BoardChanges {
  readonly name?: string | undefined
  readonly hide_backlog_list?: boolean | undefined
  readonly hide_closed_list?: boolean | undefined
  readonly milestone_id?: number | null | undefined
  readonly assignee_id?: number | null | undefined
  readonly weight?: number | null | undefined
  /** Label names. */
  readonly labels?: readonly string[] | undefined
}

/** Creates a board without lists. */
export async function createBoard(ctx: Context, place: PlanningPlace, name: string): Promise<BoardRow> {
  const { id } = await ctx.db
    .insertInto('boards')
    .values({ ...place.key, name, created_at: ctx.now, updated_at: ctx.now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return (await boardById(ctx.db, place, id)) as BoardRow
}

/** Changes a board. 400 for a milestone that cannot be used in the place, or for an unknown user. */
export async function updateBoard(
  ctx: Context,
  place: PlanningPlace,
  board: BoardRow,
  { labels, ...changes }: BoardChanges,
): Promise<BoardRow> {
  const { db, now } = ctx
  await assertSubjectsAreVisible(ctx, place, changes)
  await db
    .updateTable('boards')
    .set({ ...changes, updated_at: now })
    .where('id', '=', board.id)
    .execute()
  if (labels !== undefined) {
    const ids = await labelsForNames(ctx, place, labels)
    await db.deleteFrom('board_labels').where('board_id', '=', board.id).execute()
    if (ids.length > 0)
      await db
        .insertInto('board_labels')
        .values(ids.map(label_id => ({ board_id: board.id, label_id })))
        .execute()
  }
  return (await boardById(db, place, board.id)) as BoardRow
}

/** Deletes a board with its lists. */
export const removeBoard = async ({ db }: Context, board: BoardRow): Promise<void> => {
  await db.deleteFrom('boards').where('id', '=', board.id).returning('id').executeTakeFirstOrThrow()
}
