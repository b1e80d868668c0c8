/** Reads of to-do items. */
import { sql } from 'kysely'
import type { Actor } from '../../platform/access/actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import { itemKinds } from '../item_kinds/item_kind.ts'
import { internalNoteVisible } from '../notes/internal.ts'
import type { TodoAction } from './write.ts'

/** Filters of to-do lists (to-do items API). */
export interface TodoFilters {
  action?: TodoAction | undefined
  author_id?: number | undefined
  project_id?: number | undefined
  group_id?: number | undefined
  state?: 'pending' | 'done' | undefined
  type?: string | undefined
}

/** The to-do items of a user whose items they may still see. */
const todos = (db: Db, actor: Actor, userId: number) =>
  db
    .selectFrom('todos')
    .leftJoin('issues', 'issues.id', 'todos.issue_id')
    .leftJoin('merge_requests', 'merge_requests.id', 'todos.merge_request_id')
    .leftJoin('epics', 'epics.id', 'todos.epic_id')
    .leftJoin('namespaces', 'namespaces.id', 'epics.namespace_id')
    .selectAll('todos')
    .where('todos.user_id', '=', userId)
    .where(
      sql<boolean>`(${sql.join(
        itemKinds.value.map(kind => sql`${sql.raw(`todos.${kind.key}`)} is not null and ${kind.visible(actor)}`),
        sql` or `,
      )})`,
    )
    // Users mentioned in an internal note may have lost the role since.
    .where(
      sql<boolean>`(todos.note_id is null or todos.note_id in (
        select notes.id from notes where notes.id = todos.note_id and ${internalNoteVisible(actor)}))`,
    )

export type TodoRow = Awaited<ReturnType<ReturnType<typeof todos>['executeTakeFirstOrThrow']>>

/** The to-do list of a user, newest first. */
export function todosOf(db: Db, actor: Actor, userId: number, filters: TodoFilters) {
  const { state = 'pending', group_id } = filters
  let query = todos(db, actor, userId).where('todos.state', '=', state)
  if (filters.action !== undefined) query = query.where('todos.action', '=', filters.action)
  if (filters.author_id !== undefined) query = query.where('todos.author_id', '=', filters.author_id)
  if (filters.project_id !== undefined) query = query.where('todos.project_id', '=', filters.project_id)
  if (group_id !== undefined)
    query = query.where(
      sql<boolean>`(todos.project_id in (select projects.id from projects
        join namespaces on namespaces.id = projects.namespace_id where namespaces.traversal_ids @> ${[group_id]}::bigint[])
        or todos.namespace_id in (select id from namespaces where traversal_ids @> ${[group_id]}::bigint[]))`,
    )
  if (filters.type !== undefined) {
    const kind = itemKinds.value.find(({ type }) => type === filters.type)
    query = kind ? query.where(`todos.${kind.key}`, 'is not', null) : query.where(sql<boolean>`false`)
  }
  return query.orderBy('todos.id', 'desc')
}

/** A to-do item of a user. */
export const todoOf = (db: Db, actor: Actor, userId: number, id: number) =>
  todos(db, actor, userId).where('todos.id', '=', id).executeTakeFirst()
