/** Opening an issue in a column of a board: it gets what the column stands for and what the board is narrowed to, and comes first. */
import { transact } from '../../platform/db/transact.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { createIssueFromRequest } from '../issues/changes/creation/from_request.ts'
import { reorderIssue } from '../issues/changes/reorder.ts'
import type { IssueList, IssueRow } from '../issues/queries.ts'
import { labelsById } from '../labels/queries.ts'
import { type Column, findColumns } from './columns.ts'
import { type BoardRow, listsOfBoard } from './queries.ts'

/** What an issue of a column has. */
async function attributesOf({ db, tier }: Context, board: BoardRow, column: Column) {
  const list = typeof column === 'string' ? undefined : column
  const isFree = tier === 'free'
  const labels = await labelsById(db, [...(isFree ? [] : board.label_ids), ...(list?.label_id == null ? [] : [list.label_id])])
  const given = { labels: [...labels.values()].map(({ name }) => name) }
  if (isFree) return given
  const people = [board.assignee_id, list?.assignee_id].filter(id => id != null)
  return {
    ...given,
    assignee_ids: [...new Set(people)],
    milestone_id: list?.milestone_id ?? board.milestone_id,
    iteration_id: list?.iteration_id ?? null,
    weight: board.weight,
  }
}

/**
 * Opens an issue in a column of open issues. `ctx.db` must not be a transaction.
 * @param base the issues that may be on the board
 */
export async function createOnBoard(
  ctx: Context,
  project: ProjectWithRole,
  { board, column, base, title }: { board: BoardRow; column: Column; base: Pick<IssueList, 'unordered'>; title: string },
): Promise<IssueRow> {
  const lists = await listsOfBoard(ctx.db, board.id).execute()
  const [found] = await findColumns(ctx.db, board, lists, base, [{ column, limit: 1 }])
  const issue = await createIssueFromRequest(ctx, project, { ...(await attributesOf(ctx, board, column)), title }, {})
  const [first] = found?.ids ?? []
  if (first === undefined) return issue
  return transact(ctx.db, db => reorderIssue({ ...ctx, db }, issue, { move_before_id: first }))
}
