/** Writes of to-do items by their owners. Items created by other actions: write.ts. */
import type { Context } from '../../platform/kernel/context.ts'
import { forbidden, notModified } from '../../platform/kernel/errors.ts'
import type { Noteable } from '../notes/items/noteable.ts'
import { type TodoRow, todoOf } from './queries.ts'
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
