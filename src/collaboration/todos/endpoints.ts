/** Endpoints of to-do items (document 3 "Issue operations", "To-do item"; to-do items API at 14.0). */
import Type from 'typebox'
import { inSelf } from '../../identity/users/scope.ts'
import type { Ability } from '../../platform/access/abilities.ts'
import { type Endpoint, endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer, OneOf, optional } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import type { TodoKind } from '../item_kinds/item_kind.ts'
import type { NoteableApi } from '../notes/items/noteable.ts'
import { createTodo, finishAllTodos, finishTodo } from './commands.ts'
import { todoEntity } from './entity.ts'
import { todoOf, todosOf } from './queries.ts'
import { todoActions } from './write.ts'

/** `:id` is resolved to a to-do item of the caller, or 404. */
export const inOwnTodo = within(inSelf, {
  name: 'inOwnTodo',
  path: { id: integer('ID of a to-do item') },
  async load({ db, actor, user }, { id }) {
    const todo = await todoOf(db, actor, user.id, id)
    if (!todo) throw notFound('Todo')
    return { todo }
  },
})

type TodoEntity = ReturnType<typeof todoEntity>

/** Creating a to-do item for an item. */
const marking = (Todo: TodoEntity, mark: Ability, { path, noun, can: _, ...kind }: NoteableApi) =>
  endpoint({
    ...kind,
    route: `POST ${path}/todo`,
    summary: `Create a to-do item for ${noun}`,
    can: mark,
    answers: one(Todo),
    errors: ['not_modified'],
    run: ctx => createTodo(ctx, ctx.noteable),
  })

/** The endpoints of to-do items for these item kinds. */
export function todoEndpoints(kinds: readonly TodoKind[]): readonly Endpoint[] {
  const Todo = todoEntity(kinds)
  const list = endpoint({
    route: 'GET /todos',
    summary: 'List one’s to-do items',
    scope: inSelf,
    can: 'update_own',
    params: {
      action: optional(OneOf(todoActions, { description: 'Only items that were made by this action' })),
      author_id: optional(integer('ID of the user who caused it')),
      project_id: optional(integer('Only items of this project')),
      group_id: optional(integer('In its projects, at any depth')),
      state: Type.Optional(OneOf(['pending', 'done'], { description: 'default pending' })),
      type: optional(
        OneOf(['Issue', 'MergeRequest', 'Commit', 'Epic', 'DesignManagement::Design', 'AlertManagement::Alert'], {
          description: 'Only items about this kind of target',
        }),
      ),
    },
    answers: pageOf(Todo),
    run: ({ db, actor, user, params }) => todosOf(db, actor, user.id, params),
  })

  const finishOne = endpoint({
    route: 'POST /todos/:id/mark_as_done',
    summary: 'Mark a to-do item as done',
    scope: inOwnTodo,
    can: 'update_own',
    answers: one(Todo),
    run: ctx => finishTodo(ctx, ctx.todo),
  })

  const finishAll = endpoint({
    route: 'POST /todos/mark_as_done',
    summary: 'Mark all one’s to-do items as done',
    scope: inSelf,
    can: 'update_own',
    // Contract: 204 without a body (to-do items API).
    answers: nothing,
    run: ctx => finishAllTodos(ctx, ctx.user.id),
  })
  return [finishAll, finishOne, list, ...kinds.flatMap(({ api }) => (api.can.mark ? [marking(Todo, api.can.mark, api)] : []))]
}
