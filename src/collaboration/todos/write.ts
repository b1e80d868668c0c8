/** Writes of to-do items as side effects of other actions. */
import { sql } from 'kysely'
import type { Place } from '../../platform/access/places.ts'
import type { Db } from '../../platform/db/connection.ts'
import { columnOf, isTodoKey, type NoteableKey } from '../item_kinds/kinds.ts'

/** The reasons of to-do items (to-do items API). */
export const todoActions = [
  'assigned',
  'mentioned',
  'build_failed',
  'marked',
  'approval_required',
  'unmergeable',
  'directly_addressed',
  'merge_train_removed',
  'review_requested',
] as const
export type TodoAction = (typeof todoActions)[number]

/** The item, the reason, the author and the recipients of new to-do items. */
export type NewTodos = NoteableKey &
  Place & {
    /** The note that caused them, if any. */
    readonly note_id?: number | undefined
    readonly author_id: number
    readonly action: TodoAction
    readonly user_ids: readonly number[]
  }

/** Creates to-do items; users with a pending one for the item are skipped. Returns the ids of the new items; snippets have none. */
export async function addTodos(db: Db, { user_ids, ...todo }: NewTodos, now: Date): Promise<number[]> {
  if (user_ids.length === 0 || !isTodoKey(todo)) return []
  const rows = await db
    .insertInto('todos')
    .values(user_ids.map(user_id => ({ ...todo, note_id: todo.note_id ?? null, user_id, created_at: now, updated_at: now })))
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .execute()
  return rows.map(row => row.id)
}

/**
 * SQL that creates to-do items for new issues, as a part of the statement that inserts them; no user can have a pending one yet.
 * @param made the CTE that returns `issue_id`, `project_id`, `actor_id` and the instant `at` of each issue
 * @param users the column of that CTE with the ids of the recipients
 */
export const insertTodosSql = (made: string, users: string, action: TodoAction) =>
  sql<object>`(insert into todos (issue_id, project_id, author_id, action, user_id, created_at, updated_at)
    select issue_id, project_id, actor_id, ${sql.lit(action)}, unnest(${sql.ref(users)}), at, at from ${sql.table(made)}
     where actor_id is not null)`

/** Completes the pending to-do items of a user for an item, as a result of an action on it. Snippets have none. */
export async function finishTodos(db: Db, userId: number, key: NoteableKey, now: Date): Promise<void> {
  if (!isTodoKey(key)) return
  const [column, id] = columnOf(key)
  await db
    .updateTable('todos')
    .set({ state: 'done', updated_at: now })
    .where('user_id', '=', userId)
    .where(column, '=', id)
    .where('state', '=', 'pending')
    .execute()
}
