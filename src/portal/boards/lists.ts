/** The lists of a board: adding, moving, limiting and removing them by the declarations of the API. */
import { keyOf } from '../../planning/boards/columns.ts'
import { listsOfBoard } from '../../planning/boards/queries.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { action } from '../../platform/pages/forms/action.ts'
import { formEndpoint } from '../../platform/pages/forms/declare.ts'
import { declarationOf } from '../../platform/pages/forms/declared.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { part } from '../../platform/pages/frame/document.ts'
import { html } from '../../platform/pages/html.ts'
import { iterationIds, labelsToChoose, memberIds, milestoneIds } from './choices.ts'
import { type BoardKind, groupKind, type InBoard, type InList, projectKind } from './scope.ts'
import { titlesOf } from './titles.ts'

const pathOf = ({ base, board }: InBoard): string => `${base}/${board.id}`

const NONE = ['', '—'] as const

function formsOf({ path, noun, inBoard, inList, api, manage }: BoardKind): Readonly<Record<string, Endpoint>> {
  const move = declarationOf(api, 'PUT', /\/lists\/:list_id$/)
  const create = form<InBoard>({
    path: `${path}/:board_id/lists/new`,
    summary: `Add a list to a board of a ${noun}`,
    scope: inBoard,
    of: declarationOf(api, 'POST', /\/lists$/),
    async fields(ctx) {
      const labels = await labelsToChoose(ctx)
      const label = {
        name: 'label_id',
        label: 'Label',
        control: 'select',
        hint: '',
        choices: [NONE, ...labels.map(({ id, name }) => [String(id), name] as const)],
      } as const
      if (ctx.tier === 'free') return [label]
      return [
        label,
        { name: 'assignee_id', label: 'Assignee', control: 'select', hint: '', choices: await memberIds(ctx, null, NONE) },
        { name: 'milestone_id', label: 'Milestone', control: 'select', hint: '', choices: await milestoneIds(ctx, null, NONE) },
        { name: 'iteration_id', label: 'Iteration', control: 'select', hint: '', choices: await iterationIds(ctx, NONE) },
      ]
    },
    before: async () =>
      html`<p>A list shows the open issues that have one thing in common. Choose which one; an issue that is moved to the list gets it.</p>`,
    next: pathOf,
    cancel: pathOf,
    notice: 'The list was added.',
    button: 'Add list',
    frame: ctx => ({ title: `Add a list: ${ctx.board.name}`, place: ctx.shown(ctx) }),
  })
  const update = form<InList>({
    path: `${path}/:board_id/lists/:list_id/edit`,
    summary: `Change the position and the limits of a list of a board of a ${noun}`,
    scope: inList,
    of: move,
    async fields({ db, board, tier }) {
      const lists = await listsOfBoard(db, board.id).execute()
      const position = {
        name: 'position',
        label: 'Position',
        control: 'select',
        hint: 'Among the lists, from left to right.',
        choices: lists.map((_list, nth) => [String(nth), String(nth + 1)] as const),
      } as const
      if (tier === 'free') return [position]
      return [
        position,
        { name: 'max_issue_count', label: 'Most issues', hint: 'How many issues the list should hold at most; 0 for no limit.' },
        { name: 'max_issue_weight', label: 'Most weight', hint: 'What they should weigh at most; 0 for no limit.' },
        {
          name: 'limit_metric',
          label: 'What counts',
          control: 'select',
          hint: 'A list that is beyond its limit is marked.',
          choices: [
            ['all_metrics', 'Issues and weight'],
            ['issue_count', 'Issues'],
            ['issue_weights', 'Weight'],
          ],
        },
      ]
    },
    values: ({ list }) => ({ ...list, limit_metric: list.limit_metric ?? 'all_metrics' }),
    next: pathOf,
    cancel: pathOf,
    notice: 'The list was changed.',
    button: 'Save',
    frame: async ctx => {
      const titles = await titlesOf(ctx, [ctx.list])
      return { title: `List ${titles.get(keyOf(ctx.list))} of ${ctx.board.name}`, place: ctx.shown(ctx) }
    },
  })
  const drag = formEndpoint({
    route: `POST ${path}/:board_id/lists/:list_id/move`,
    summary: `Move a list of a board of a ${noun}`,
    scope: inList,
    can: manage,
    params: { position: integer('From 0, from left to right', { minimum: 0, examples: [0] }) },
    async run(ctx) {
      await move.run({ ...ctx, params: { position: ctx.params.position } } as never)
      return part(html``)
    },
  })
  const remove = action<InList>({
    route: `POST ${path}/:board_id/lists/:list_id/remove`,
    of: declarationOf(api, 'DELETE', /\/lists\/:list_id$/),
    scope: inList,
    next: pathOf,
    notice: 'The list was removed.',
  })
  return { showNew: create.show, create: create.submit, showEdit: update.show, update: update.submit, drag, remove }
}

export const projectBoardLists = formsOf(projectKind)
export const groupBoardLists = formsOf(groupKind)
