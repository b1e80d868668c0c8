/** Rows of to-do items, for those who make or settle them by what they do elsewhere. */
import { sql } from 'kysely'
import type { Place } from '../../platform/access/places.ts'
import type { Db } from '../../platform/db/connection.ts'
import { columnOf, type ItemKey } from '../item_kinds/kinds.ts'

/** Why somebody has something to do (to-do items API). */
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

/** What there is to do, and who gives it to whom. */
export type NewTodos = ItemKey &
  Place & {
    /** What was said, where that is the cause. */
    readonly note_id?: number | undefined
    readonly author_id: number
    readonly action: TodoAction
    readonly user_ids: readonly number[]
  }

/** Gives people something to do; whoever has something pending there is left as they are. Answers the ids of the new items. */
export async function addTodos(db: Db, { user_ids, ...todo }: NewTodos, now: Date): Promise<number[]> {
  if (user_ids.length === 0) return []
  const rows = await db
    .insertInto('todos')
    .values(user_ids.map(user_id => ({ ...todo, note_id: todo.note_id ?? null, user_id, created_at: now, updated_at: now })))
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .execute()
  return rows.map(row => row.id)
}

/**
 * Giving people something to do about new issues, as a part of the statement that makes them: nobody has anything pending there.
 * @param made the part that returns `issue_id`, `project_id`, `actor_id` and the instant `at` of each
 * @param users the column of that part with the ids of these people
 */
export const givingTodos = (made: string, users: string, action: TodoAction) =>
  sql<object>`(insert into todos (issue_id, project_id, author_id, action, user_id, created_at, updated_at)
    select issue_id, project_id, actor_id, ${sql.lit(action)}, unnest(${sql.ref(users)}), at, at from ${sql.table(made)}
     where actor_id is not null)`

/** Settles what somebody has pending about an item: they have done something about it. */
export async function finishTodos(db: Db, userId: number, key: ItemKey, now: Date): Promise<void> {
  const [column, id] = columnOf(key)
  await db
    .updateTable('todos')
    .set({ state: 'done', updated_at: now })
    .where('user_id', '=', userId)
    .where(column, '=', id)
    .where('state', '=', 'pending')
    .execute()
}
