/** Moving a card over a board, dragged or by a form. */
import { type Column, ends, findColumns, keyOf } from '../../planning/boards/columns.ts'
import { moveOnBoard } from '../../planning/boards/moves.ts'
import { listsOfBoard } from '../../planning/boards/queries.ts'
import type { IssueList } from '../../planning/issues/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { integer, optional, text } from '../../platform/kernel/declaration/types.ts'
import { readAs } from '../../platform/pages/answers.ts'
import { guarded, pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { part } from '../../platform/pages/frame/document.ts'
import { localPath } from '../../platform/pages/frame/local_path.ts'
import { html } from '../../platform/pages/html.ts'
import { assertMayMove, type BoardKind, findColumn, groupKind, type InCard, projectKind } from './scope.ts'
import { titlesOf } from './titles.ts'

const columnName = (description: string) => text(description, { maxLength: 15, examples: ['closed'] })

const moveParams = {
  list: columnName('Where it goes: `open`, `closed`, or the ID of a list'),
  from: optional(columnName('The column that it comes from')),
  move_after_id: optional(integer('ID of the issue that it comes after')),
  move_before_id: optional(integer('ID of the issue that it comes before')),
}

const columnOr = async (ctx: Context & InCard, key: string | undefined): Promise<Column | undefined> =>
  key === undefined ? undefined : findColumn(ctx, key)

/** The issue that one has to come after to be the `place`th of a column, or the one that it has to come before to be the first. */
async function neighboursAt(ctx: Context & InCard, kind: BoardKind, key: string, place: number) {
  const column = await findColumn(ctx, key)
  const lists = await listsOfBoard(ctx.db, ctx.board.id).execute()
  const base = (await kind.issues.run({ ...ctx, params: readAs(ctx, kind.issues, {}) } as never)) as IssueList
  const [found] = await findColumns(ctx.db, ctx.board, lists, base, [{ column, limit: place + 1 }])
  const others = (found?.ids ?? []).filter(id => id !== ctx.issue.id)
  if (place === 1) return others[0] === undefined ? {} : { move_before_id: others[0] }
  const before = others[Math.min(place - 2, others.length - 1)]
  return before === undefined ? {} : { move_after_id: before }
}

/** Places that the form offers at most: beyond, a card is dragged. */
const MOST_PLACES = 1_000

function endpointsOf(kind: BoardKind): Readonly<Record<string, Endpoint>> {
  const { path, noun, inCard } = kind
  const move = pageEndpoint({
    route: `POST ${path}/:board_id/issues/:issue_id/drag`,
    summary: `Move an issue over a board of a ${noun}, to a place beside others`,
    scope: inCard,
    can: kind.move,
    params: moveParams,
    async run(ctx) {
      assertMayMove(ctx)
      const { list, from, ...neighbours } = ctx.params
      const [to, source, lists] = [
        await findColumn(ctx, list),
        await columnOr(ctx, from),
        await listsOfBoard(ctx.db, ctx.board.id).execute(),
      ]
      await moveOnBoard(ctx, ctx.home, ctx.issue, { ...neighbours, from: source, to, lists })
      return part(html``)
    },
  })
  const chosen = form<InCard>({
    path: `${path}/:board_id/issues/:issue_id/move`,
    summary: `Move an issue over a board of a ${noun}`,
    scope: inCard,
    of: move,
    instead: {
      of: ['move_after_id', 'move_before_id'],
      params: {
        place: optional(integer('The place in the column, from 1 at the top', { minimum: 1, maximum: MOST_PLACES })),
        back: optional(text('The page to show again', { maxLength: 4_000 })),
      },
      adapt: async (ctx, { place, back: _back, ...params }) => ({
        ...params,
        ...(place === undefined ? {} : await neighboursAt(ctx, kind, String(params.list), Number(place))),
      }),
    },
    async fields(ctx) {
      const lists = await listsOfBoard(ctx.db, ctx.board.id).execute()
      const titles = await titlesOf(ctx, lists)
      const keys = [ends[0], ...lists.map(keyOf), ends[1]]
      return [
        { name: 'list', label: 'Column', control: 'select', hint: '', choices: keys.map(key => [key, titles.get(key) ?? key] as const) },
        { name: 'place', label: 'Place', hint: '1 is the top; where it stands by itself when empty.' },
      ]
    },
    values: ({ request }) => ({ list: queryOf(request.address).get('from') ?? 'open' }),
    fixed: ({ request, base, board }) => ({
      from: queryOf(request.address).get('from') ?? '',
      back: localPath(queryOf(request.address).get('back') ?? undefined, `${base}/${board.id}`),
    }),
    next: ({ base, board, params }) => localPath(params.back as string | undefined, `${base}/${board.id}`),
    cancel: ({ base, board, request }) => localPath(queryOf(request.address).get('back') ?? undefined, `${base}/${board.id}`),
    notice: 'The issue was moved.',
    button: 'Move',
    frame: ctx => ({ title: `Move #${ctx.issue.iid} ${ctx.issue.title}`, place: ctx.shown(ctx) }),
  })
  return { drag: guarded(move), showMove: chosen.show, move: chosen.submit }
}

const queryOf = (address: string): URLSearchParams => new URLSearchParams(address.split('?', 2)[1] ?? '')

export const projectBoardCards = endpointsOf(projectKind)
export const groupBoardCards = endpointsOf(groupKind)
