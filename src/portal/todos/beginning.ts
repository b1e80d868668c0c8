/** The newest to-do items, on the page that one begins with. */
import type { TodoKind } from '../../collaboration/item_kinds/item_kind.ts'
import { todoEntity } from '../../collaboration/todos/entity.ts'
import { todosOf as todosMatching } from '../../collaboration/todos/queries.ts'
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { filtersOf } from './filters.ts'
import { PAGE, type Todo, todoItem } from './view.ts'

/** The first `most` of them with their buttons; undefined where there is none. */
export async function todosToBegin(ctx: Context, kinds: readonly TodoKind[], most: number): Promise<Html | undefined> {
  const { db, actor, now } = ctx
  if (!actor.user) return undefined
  const rows = await todosMatching(db, actor, actor.user.id, filtersOf({ state: 'pending' }, now))
    .limit(most)
    .execute()
  if (rows.length === 0) return undefined
  const todos = (await presentAll(todoEntity(kinds), ctx, rows)) as readonly Todo[]
  return html`<section class="section"><div class="row apart"><h2>To-dos</h2><a class="small" href="${PAGE}">All of them</a></div><ul class="list" data-list>${todos.map(todo => todoItem(ctx, todo, 'pending'))}</ul></section>`
}
