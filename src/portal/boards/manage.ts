/** Making, changing and deleting boards: the declarations of the API, shown. */
import { labelsById } from '../../planning/labels/queries.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { action, actionButton } from '../../platform/pages/forms/action.ts'
import { declarationOf } from '../../platform/pages/forms/declared.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { html } from '../../platform/pages/html.ts'
import { labelsToChoose, memberIds, milestoneIds } from './choices.ts'
import { type BoardKind, groupKind, type InBoard, type InBoards, projectKind } from './scope.ts'

const pathOf = ({ base, board }: InBoard): string => `${base}/${board.id}`

function formsOf({ path, noun, scope, inBoard, api }: BoardKind): Readonly<Record<string, Endpoint>> {
  const create = form<InBoards>({
    path: `${path}/new`,
    summary: `Create a board of a ${noun}`,
    scope,
    of: declarationOf(api, 'POST', /\/boards$/),
    fields: () => [{ name: 'name', autofocus: true, hint: 'What the board is for, such as Development.' }],
    next: ({ base }, board: { readonly id: number }) => `${base}/${board.id}`,
    cancel: ({ base }) => base,
    notice: 'The board was created. Add a list for each step of the work.',
    button: 'Create board',
    frame: ctx => ({ title: 'New board', place: ctx.shown(ctx) }),
  })
  const update = form<InBoard>({
    path: `${path}/:board_id/edit`,
    summary: `Change a board of a ${noun}`,
    scope: inBoard,
    of: declarationOf(api, 'PUT', /\/:board_id$/),
    async fields(ctx) {
      const own = [
        { name: 'name', autofocus: true, hint: '', required: true },
        { name: 'hide_backlog_list', label: 'Hide the column of open issues', hint: 'Those that are in none of the lists.' },
        { name: 'hide_closed_list', label: 'Hide the column of closed issues', hint: '' },
      ] as const
      if (ctx.tier === 'free') return own
      const labels = await labelsToChoose(ctx)
      return [
        ...own,
        {
          name: 'milestone_id',
          label: 'Milestone',
          control: 'select',
          hint: 'The board shows only what fits its scope, and new issues get it.',
          choices: await milestoneIds(ctx, ctx.board.milestone_id),
        },
        { name: 'assignee_id', label: 'Assignee', control: 'select', hint: '', choices: await memberIds(ctx, ctx.board.assignee_id) },
        {
          name: 'labels',
          label: 'Labels',
          control: 'checkboxes',
          hint: '',
          choices: [...new Set(labels.map(({ name }) => name))].map(name => [name, name] as const),
        },
        { name: 'weight', hint: 'Any when empty.' },
      ]
    },
    async values({ db, board }) {
      const labels = await labelsById(db, board.label_ids)
      return { ...board, labels: [...labels.values()].map(({ name }) => name) }
    },
    after: ctx =>
      html`<section class="section panel danger"><div class="body row apart"><span>Delete the board with its lists. The issues stay as they are.</span>${actionButton(ctx, { to: `${pathOf(ctx)}/delete`, face: 'Delete board', look: 'danger', asks: `Delete the board ${ctx.board.name}?` })}</div></section>`,
    next: pathOf,
    cancel: pathOf,
    notice: 'The board was changed.',
    button: 'Save',
    frame: ctx => ({ title: `Edit board: ${ctx.board.name}`, place: ctx.shown(ctx) }),
  })
  const remove = action<InBoard>({
    route: `POST ${path}/:board_id/delete`,
    of: declarationOf(api, 'DELETE', /\/:board_id$/),
    scope: inBoard,
    next: ({ base }) => base,
    notice: 'The board was deleted.',
  })
  return { showNew: create.show, create: create.submit, showEdit: update.show, update: update.submit, remove }
}

export const projectBoardForms = formsOf(projectKind)
export const groupBoardForms = formsOf(groupKind)
