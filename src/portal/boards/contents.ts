/** What the page of a board shows: its columns with the first cards of each, in a fixed number of statements whatever their number. */
import type { Static } from 'typebox'
import { COUNTED, type Column, type FoundColumn, findColumns, keyOf } from '../../planning/boards/columns.ts'
import { Board } from '../../planning/boards/entity.ts'
import { type BoardListRow, listsOfBoard } from '../../planning/boards/queries.ts'
import { IssueWithLabelDetails } from '../../planning/issues/entity.ts'
import { blockedAmong } from '../../planning/issues/links/queries.ts'
import { type IssueList, issues } from '../../planning/issues/queries.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import { decodeForm } from '../../platform/kernel/request/wire.ts'
import { readAs } from '../../platform/pages/answers.ts'
import { messagesOf } from '../../platform/pages/forms/form.ts'
import type { ListedIssue } from '../issues/lists/list_view.ts'
import type { FilterParams } from '../items/filter_text.ts'
import type { BoardKind, InBoard } from './scope.ts'

/** Cards that a column begins with, and that each further part has. */
export const CARDS = 20
/** Cards of a column, and of all columns, that one answer has at most. */
const MOST_CARDS = 200
const MOST_OF_ALL = 1_000
/** Lists that a board shows. */
export const MOST_LISTS = 50

type ShownList = Static<typeof Board.schema>['lists'][number]

/** A card: an issue, and whether another one blocks it. */
export type Card = ListedIssue & { readonly isBlocked: boolean }

/** A column with its cards. */
export interface ShownColumn extends Omit<FoundColumn, 'ids'> {
  readonly key: string
  /** The JSON of its list; undefined for the open and the closed issues. */
  readonly list: ShownList | undefined
  readonly cards: readonly Card[]
}

/** A board with what it shows. */
export interface Contents {
  readonly shown: Static<typeof Board.schema>
  readonly columns: readonly ShownColumn[]
  /** Lists that are not shown. */
  readonly further: number
  /** What is wrong with the filter: nothing is shown then. */
  readonly wrong: string | undefined
}

/** The lists of a board that the tier has. Contract: those of assignees, milestones and iterations are premium (issue boards API at 14.0). */
const ofTier = (lists: readonly BoardListRow[], tier: Context['tier']): readonly BoardListRow[] =>
  tier === 'free' ? lists.filter(list => list.label_id !== null) : lists

/** The issues that may be on the board: those of the list of the API with the filters of the address. */
async function issuesFor(ctx: Context & InBoard, kind: BoardKind, params: FilterParams): Promise<IssueList> {
  const { state: _state, order_by: _order, sort: _sort, shown: _shown, after: _after, ...filters } = params
  const wire = decodeForm(new URLSearchParams(filters as Record<string, string>).toString())
  return (await kind.issues.run({ ...ctx, params: readAs(ctx, kind.issues, wire) } as never)) as IssueList
}

/** How many cards of each column a page has that is fetched again: `open:40,12:60`. */
function sizesOf(text: string | undefined): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>()
  let left = MOST_OF_ALL
  for (const [, key = '', count] of (text ?? '').matchAll(/(\w{1,15}):(\d{1,5})/g)) {
    const size = Math.max(CARDS, Math.min(Number(count), MOST_CARDS, left))
    left = Math.max(0, left - size)
    sizes.set(key, size)
  }
  return sizes
}

/** Loads the cards of columns. */
async function withCards(ctx: Context & InBoard, found: readonly FoundColumn[], lists: readonly ShownList[]): Promise<ShownColumn[]> {
  const ids = [...new Set(found.flatMap(column => column.ids))]
  const [rows, blocked] = await Promise.all([
    ids.length === 0 ? [] : issues(ctx.db, ctx.place.full_path).where('issues.id', '=', anyOf(ids)).execute(),
    blockedAmong(ctx.db, ctx.actor, ids),
  ])
  const presented = (await presentAll(IssueWithLabelDetails, ctx, rows)) as unknown as readonly ListedIssue[]
  const byId = new Map(presented.map(issue => [issue.id, { ...issue, isBlocked: blocked.has(issue.id) }]))
  return found.map(({ ids, ...column }) => ({
    ...column,
    key: keyOf(column.column),
    list: lists.find(({ id }) => String(id) === keyOf(column.column)),
    cards: ids.flatMap(id => byId.get(id) ?? []),
  }))
}

/** The JSON of a board, with the rows of its lists. */
async function boardWithLists(ctx: Context & InBoard) {
  const [lists, [shown]] = await Promise.all([listsOfBoard(ctx.db, ctx.board.id).execute(), presentAll(Board, ctx, [ctx.board])])
  return { lists: ofTier(lists, ctx.tier), shown: shown as unknown as Contents['shown'] }
}

/** On tier `free` a board shows all issues of its place. */
const scopeOfTier = ({ board, tier }: Context & InBoard): InBoard['board'] =>
  tier === 'free' ? { ...board, milestone_id: null, assignee_id: null, weight: null, label_ids: [] } : board

/** The whole board with the filters of the address. */
export async function contentsOf(ctx: Context & InBoard, kind: BoardKind, params: FilterParams): Promise<Contents> {
  const { lists, shown } = await boardWithLists(ctx)
  const sizes = sizesOf(params.shown)
  const visible = lists.slice(0, MOST_LISTS)
  const columns: Column[] = [
    ...(ctx.board.hide_backlog_list ? [] : (['open'] as const)),
    ...visible,
    ...(ctx.board.hide_closed_list ? [] : (['closed'] as const)),
  ]
  const parts = columns.map(column => ({ column, limit: sizes.get(keyOf(column)) ?? CARDS }))
  const further = lists.length - visible.length
  try {
    const found = await findColumns(ctx.db, scopeOfTier(ctx), lists, await issuesFor(ctx, kind, params), parts)
    return { shown, columns: await withCards(ctx, found, shown.lists), further, wrong: undefined }
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) throw error
    return { shown, columns: [], further, wrong: messagesOf(error, []).alert ?? 'The filter cannot be read.' }
  }
}

/** What comes after a place of one column. */
export async function restOf(
  ctx: Context & InBoard & { readonly column: Column },
  kind: BoardKind,
  params: FilterParams,
  after: string | undefined,
): Promise<ShownColumn> {
  const { lists, shown } = await boardWithLists(ctx)
  const parts = [{ column: ctx.column, limit: CARDS * 2, after }]
  const found = await findColumns(ctx.db, scopeOfTier(ctx), lists, await issuesFor(ctx, kind, params), parts)
  const [column] = await withCards(ctx, found, shown.lists)
  return column as ShownColumn
}

/** A number of issues; very many are not counted. */
export const countInWords = (total: number): string => (total > COUNTED ? `${COUNTED.toLocaleString('en')}+` : total.toLocaleString('en'))
