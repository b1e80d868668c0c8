/** Writes of to-do items by their owners. Items created by other actions: write.ts. */
import { sql } from 'kysely'
import type { Context } from '../../platform/kernel/context.ts'
import { forbidden, notModified } from '../../platform/kernel/errors.ts'
import type { Noteable } from '../notes/items/noteable.ts'
import { type TodoFilters, type TodoRow, todoOf, todosOf } from './queries.ts'
import { addTodos } from './write.ts'

/** Creates a to-do item for the caller; 304 if they have a pending one for the item (decision 14). */
export async function createTodo({ db, actor, now }: Context, noteable: Noteable): Promise<TodoRow> {
  const userId = actor.user?.id
  if (userId === undefined) throw forbidden()
  const [id] = await addTodos(db, { ...noteable.key, ...noteable.place, author_id: userId, action: 'marked', user_ids: [userId] }, now)
  if (id === undefined) throw notModified()
  return (await todoOf(db, actor, userId, id)) as TodoRow
}

/** Completes a to-do item; a completed one is unchanged. */
export async function finishTodo({ db, now }: Context, todo: TodoRow): Promise<TodoRow> {
  if (todo.state === 'done') return todo
  await db.updateTable('todos').set({ state: 'done', updated_at: now }).where('id', '=', todo.id).execute()
  return { ...todo, state: 'done', updated_at: now.toISOString() }
}

/** Completes all pending to-do items of a user. */
export async function finishAllTodos({ db, now }: Context, userId: number): Promise<void> {
  await db
    .updateTable('todos')
    .set({ state: 'done', updated_at: now })
    .where('user_id', '=', userId)
    .where('state', '=', 'pending')
    .execute()
}

/** Makes a completed to-do item pending again, and one that was put off due now; false where there is a pending one for its item already. */
export async function restoreTodo(
  { db, now }: Context,
  { id, issue_id, merge_request_id, epic_id, commented_commit_id, user_id }: TodoRow,
): Promise<boolean> {
  const restored = await db
    .updateTable('todos')
    .set({ state: 'pending', snoozed_until: null, updated_at: now })
    .where('id', '=', id)
    .where(
      sql<boolean>`not exists (
        select from todos other where other.user_id = ${user_id} and other.state = 'pending' and other.id <> ${id}
           and (other.issue_id, other.merge_request_id, other.epic_id, other.commented_commit_id)
             is not distinct from (${issue_id}::bigint, ${merge_request_id}::bigint, ${epic_id}::bigint, ${commented_commit_id}::bigint))`,
    )
    .returning('id')
    .executeTakeFirst()
  return restored !== undefined
}

/** Completes the to-do items of a user that they see and that match. */
export const finishTodosMatching = (ctx: Context, userId: number, filters: TodoFilters): Promise<number> =>
  changeMatching(ctx, userId, filters, { state: 'done' })

/** Puts off the to-do items of a user that they see and that match. */
export const snoozeTodosMatching = (ctx: Context, userId: number, filters: TodoFilters, until: Date): Promise<number> =>
  changeMatching(ctx, userId, filters, { snoozed_until: until })

/** How many there were. */
async function changeMatching(
  { db, actor, now }: Context,
  userId: number,
  filters: TodoFilters,
  change: { readonly state: 'done' } | { readonly snoozed_until: Date },
): Promise<number> {
  const matching = todosOf(db, actor, userId, { ...filters, state: 'pending' })
    .clearSelect()
    .clearOrderBy()
    .select('todos.id')
  const { numUpdatedRows } = await db
    .updateTable('todos')
    .set({ ...change, updated_at: now })
    .where('id', 'in', matching)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
