/** Moving an issue over a board: what its new column stands for, and its position, by the commands that change and reorder issues. */
import { usersById } from '../../identity/users/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'
import { type Neighbours, reorderIssue } from '../issues/changes/reorder.ts'
import { type IssueChanges, updateIssue } from '../issues/changes/update.ts'
import { type IssueRow, visibleIssuesById } from '../issues/queries.ts'
import { labelsById } from '../labels/queries.ts'
import type { Column } from './columns.ts'
import type { BoardListRow } from './queries.ts'

/** A move between columns. `from` is unknown where the issue is only known to be on the board. */
export interface BoardMove extends Neighbours {
  readonly from?: Column | undefined
  readonly to: Column
  /** All lists of the board. */
  readonly lists: readonly BoardListRow[]
}

const isList = (column: Column | undefined): column is BoardListRow => typeof column === 'object'

/**
 * The ids of the labels that a move takes away: that of the first list where the second has one too, those of all lists where it leads to
 * the open or closed issues (public documentation of issue boards at 14.0).
 */
function labelsLeft({ from, to, lists }: BoardMove): number[] {
  if (!isList(to)) return lists.flatMap(({ label_id }) => label_id ?? [])
  return isList(from) && to.label_id !== null && from.label_id !== null && from.label_id !== to.label_id ? [from.label_id] : []
}

/** The value of a milestone or iteration after a move; undefined where it stays. */
function valueAfter({ from, to }: BoardMove, name: 'milestone_id' | 'iteration_id'): number | null | undefined {
  if (isList(to)) return to[name] ?? undefined
  return to === 'open' && isList(from) && from[name] !== null ? null : undefined
}

/** The assignees after a move; undefined where they stay. */
function assigneesAfter({ from, to }: BoardMove, present: readonly number[]): readonly number[] | undefined {
  const left = isList(from) ? from.assignee_id : null
  if (isList(to) && to.assignee_id !== null)
    return to.assignee_id === left ? undefined : [...new Set([to.assignee_id, ...present.filter(id => id !== left)])]
  return to === 'open' && left !== null ? present.filter(id => id !== left) : undefined
}

/** The changes of an issue that a move stands for. */
async function changesOf({ db }: Context, issue: IssueRow, move: BoardMove): Promise<IssueChanges> {
  const { to } = move
  const added = isList(to) && to.label_id !== null ? [to.label_id] : []
  const left = labelsLeft(move).filter(id => issue.label_ids.includes(id))
  const labels = await labelsById(db, [...added, ...left])
  const names = (ids: readonly number[]) => ids.flatMap(id => labels.get(id)?.name ?? [])
  const state_event = to === 'closed' ? 'close' : issue.state === 'closed' ? 'reopen' : undefined
  const all = {
    state_event,
    add_labels: added.length > 0 && !issue.label_ids.includes(added[0] as number) ? names(added) : undefined,
    remove_labels: left.length > 0 ? names(left) : undefined,
    milestone_id: valueAfter(move, 'milestone_id'),
    iteration_id: valueAfter(move, 'iteration_id'),
    assignee_ids: assigneesAfter(move, issue.assignee_ids),
  } satisfies IssueChanges
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

/** 400 where an issue did not get what its new list stands for. */
async function assertIsIn(ctx: Context, issue: IssueRow, to: Column): Promise<void> {
  if (!isList(to)) return
  if (to.label_id !== null && !issue.label_ids.includes(to.label_id))
    throw invalid({ list: ['cannot take it: its project has another label of this name'] })
  if (to.assignee_id !== null && !issue.assignee_ids.includes(to.assignee_id)) {
    const user = (await usersById(ctx.db, [to.assignee_id])).get(to.assignee_id)
    throw invalid({ list: [`cannot take it: ${user?.name ?? 'the account'} may not see the issues of its project`] })
  }
}

/** Neighbours that were deleted or moved meanwhile do not refuse a move: it goes next to the one that is left, or stays in its order. */
async function moveBeside(ctx: Context, issue: IssueRow, { move_after_id, move_before_id }: Neighbours): Promise<void> {
  const ids = [move_after_id, move_before_id].filter(id => id !== undefined && id !== issue.id) as number[]
  const known = await visibleIssuesById(ctx.db, ctx.actor, ids, null)
  // Next to one of them: what stands between the two in other columns keeps positions of its own.
  if (move_after_id !== undefined && known.has(move_after_id)) await reorderIssue(ctx, issue, { move_after_id })
  else if (move_before_id !== undefined && known.has(move_before_id)) await reorderIssue(ctx, issue, { move_before_id })
}

/**
 * Moves an issue of `project` to a column of a board, next to its neighbours there, in the caller's transaction. The closed issues are in the
 * order of their closing, whatever the neighbours. 400 where the list cannot have it.
 */
export async function moveOnBoard(ctx: Context, project: ProjectRow, issue: IssueRow, move: BoardMove): Promise<void> {
  if (move.to !== 'closed') await moveBeside(ctx, issue, move)
  const changes = await changesOf(ctx, issue, move)
  if (Object.keys(changes).length > 0) await assertIsIn(ctx, await updateIssue(ctx, project, issue, changes), move.to)
}
