/** The page of one's to-do items. */

import type { TodoKind } from '../../collaboration/item_kinds/item_kind.ts'
import { finishTodosMatching, restoreTodo, snoozeTodosMatching } from '../../collaboration/todos/commands.ts'
import { inOwnTodo, todoEndpoints } from '../../collaboration/todos/endpoints.ts'
import { todoEntity } from '../../collaboration/todos/entity.ts'
import { todoOrigins, todosOf as todosMatching } from '../../collaboration/todos/queries.ts'
import { inSelf } from '../../identity/users/scope.ts'
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { action } from '../../platform/pages/forms/action.ts'
import { formEndpoint, pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { declarationOf } from '../../platform/pages/forms/declared.ts'
import { done as goOn, page } from '../../platform/pages/frame/document.ts'
import { referringPath } from '../../platform/pages/frame/local_path.ts'
import { html } from '../../platform/pages/html.ts'
import { listPage, listParams } from '../../platform/pages/lists.ts'
import { livePart } from '../../platform/pages/live/part.ts'
import { addressOf, filterParams, filtersOf, type Shown, stateParam, withoutOpen } from './filters.ts'
import { todosOf } from './live.ts'
import { bulkView, filtersView, PAGE, statesView, type Todo, todoItem } from './view.ts'

const DAY = 86_400_000

/** Where one was: the list with its filters, or the page that one begins with. */
const back = ({ request, deps }: Pick<Context, 'request' | 'deps'>): string => {
  const path = referringPath(request.headers, deps.config)
  return path !== undefined && (['/', '/dashboard', PAGE].includes(path) || path.startsWith(`${PAGE}?`)) ? path : PAGE
}

/** In words, for a notice. */
const counted = (number: number): string => (number === 1 ? 'One to-do' : `${number} to-dos`)

const none = {
  pending: ['Nothing to do', 'When a user assigns you, mentions you or asks for your review, it appears here.'],
  snoozed: ['Nothing is put off', 'What you snooze comes back to the list by itself.'],
  done: ['Nothing done yet', 'What you have done can be taken back here.'],
} as const

/** The pages, for these item kinds. */
export function todoPages(kinds: readonly TodoKind[]): Readonly<Record<string, Endpoint>> {
  const Todo = todoEntity(kinds)
  const finishOne = declarationOf(todoEndpoints(kinds), 'POST', /^\/todos\/:id\/mark_as_done$/)

  const show = pageEndpoint({
    route: `GET ${PAGE}`,
    summary: 'Show one’s to-do items',
    scope: inSelf,
    can: 'update_own',
    params: { ...listParams, ...filterParams, state: stateParam },
    sent: withoutOpen,
    async run(ctx) {
      const { page: number, per_page, ...shown } = ctx.params
      const { db, actor, user } = ctx
      const filters = filtersOf(shown, ctx.now)
      const { type: _type, action: _action, project_id: _project, group_id: _group, author_id: _author, ...all } = filters
      const [found, origins] = await Promise.all([
        listPage(ctx, todosMatching(db, actor, user.id, filters), { page: number, per_page }),
        todoOrigins(db, actor, user.id, all),
      ])
      const todos = (await presentAll(Todo, ctx, found.rows)) as readonly Todo[]
      const [title, says] = none[shown.state]
      return page(ctx, {
        title: 'To-dos',
        body: html`${statesView(shown)}${filtersView(shown, origins)}
${livePart('todos', todosOf(user.id), html`${todos.length > 0 && shown.state === 'pending' && bulkView(ctx, shown, found.total)}${todos.length > 0 ? html`<ul class="list" data-list>${todos.map(todo => todoItem(ctx, todo, shown.state))}</ul>` : empty({ icon: 'tasklist', title, says })}${found.links}`)}`,
      })
    },
  })

  const done = action({ route: `POST ${PAGE}/:id/done`, of: finishOne, scope: finishOne.scope, next: back, notice: 'Done.' })

  const restore = formEndpoint({
    route: `POST ${PAGE}/:id/restore`,
    summary: 'Put a to-do item back on the list',
    scope: inOwnTodo,
    can: 'update_own',
    run: async ctx =>
      goOn(
        ctx,
        back(ctx),
        (await restoreTodo(ctx, ctx.todo)) ? 'It is on the list again.' : 'The list has a newer one for the same already.',
      ),
  })

  const snooze = formEndpoint({
    route: `POST ${PAGE}/:id/snooze`,
    summary: 'Put off a to-do item until tomorrow',
    scope: inOwnTodo,
    can: 'update_own',
    async run(ctx) {
      await snoozeTodosMatching(ctx, ctx.user.id, { id: ctx.todo.id }, new Date(ctx.now.getTime() + DAY))
      return goOn(ctx, back(ctx), 'Snoozed until tomorrow.')
    },
  })

  const matching = { scope: inSelf, can: 'update_own', sent: withoutOpen } as const

  const allDone = formEndpoint({
    ...matching,
    route: `POST ${PAGE}/done`,
    summary: 'Mark the to-do items that match as done',
    params: filterParams,
    async run(ctx) {
      const shown: Shown = { ...ctx.params, state: 'pending' }
      const number = await finishTodosMatching(ctx, ctx.user.id, filtersOf(shown, ctx.now))
      return goOn(ctx, addressOf({ state: 'pending' }), `${counted(number)} done.`)
    },
  })

  const allSnoozed = formEndpoint({
    ...matching,
    route: `POST ${PAGE}/snooze`,
    summary: 'Put off the to-do items that match',
    params: { ...filterParams, days: integer('For how many days', { minimum: 1, maximum: 365, examples: [7] }) },
    async run(ctx) {
      const { days, ...filters } = ctx.params
      const number = await snoozeTodosMatching(
        ctx,
        ctx.user.id,
        filtersOf({ ...filters, state: 'pending' }, ctx.now),
        new Date(ctx.now.getTime() + days * DAY),
      )
      return goOn(ctx, addressOf({ state: 'pending' }), `${counted(number)} snoozed.`)
    },
  })
  return { show, done, restore, snooze, allDone, allSnoozed }
}
