/** Reads of to-do items. */
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../platform/access/actor.ts'
import { rolesAmong } from '../../platform/access/visible.ts'
import type { Db } from '../../platform/db/connection.ts'
import { genericPlan } from '../../platform/db/statements/prepared.ts'
import { todoKinds } from '../item_kinds/item_kind.ts'
import { internalNoteVisible } from '../notes/internal.ts'
import type { TodoAction } from './write.ts'

/** Filters of to-do lists (to-do items API). */
export interface TodoFilters {
  id?: number | undefined
  action?: TodoAction | undefined
  author_id?: number | undefined
  project_id?: number | undefined
  group_id?: number | undefined
  state?: 'pending' | 'done' | undefined
  type?: string | undefined
  /** Only those that are put off at this time, or only those that are not. */
  snoozed?: { readonly at: Date; readonly is: boolean } | undefined
}

/** To-do items of a user. */
type OfUser = Pick<TodoFilters, 'id' | 'state'>

const projectsOf = (userId: number, { id, state }: OfUser): RawBuilder<number> => sql`
  select own.project_id from todos own
   where own.user_id = ${userId} ${state === undefined ? sql`` : sql`and own.state = ${state}`} ${id === undefined ? sql`` : sql`and own.id = ${id}`}`

/** Those of the to-do items of a user whose items they may still see. */
function todos(db: Db, actor: Actor, userId: number, among: OfUser) {
  const { beginIn, isOne, known } = rolesAmong(actor, projectsOf(userId, among))
  return (
    beginIn(db)
      .selectFrom('todos')
      // A user's to-do items are found by their index, however many are asked for, and planning takes longer than reading them.
      .modifyFront(genericPlan)
      .leftJoin('issues', 'issues.id', 'todos.issue_id')
      .leftJoin('merge_requests', 'merge_requests.id', 'todos.merge_request_id')
      .leftJoin('epics', 'epics.id', 'todos.epic_id')
      .leftJoin('commented_commits', 'commented_commits.id', 'todos.commented_commit_id')
      .leftJoin('namespaces', 'namespaces.id', 'epics.namespace_id')
      .selectAll('todos')
      .where('todos.user_id', '=', userId)
      .where(
        sql<boolean>`(${sql.join(
          todoKinds().map(kind => sql`${sql.raw(`todos.${kind.key}`)} is not null and ${kind.visible(actor, isOne, known)}`),
          sql` or `,
        )})`,
      )
      // Users mentioned in an internal note may have lost the role since.
      .where(
        sql<boolean>`(todos.note_id is null or todos.note_id in (
        select notes.id from notes where notes.id = todos.note_id and ${internalNoteVisible(actor, known)}))`,
      )
  )
}

export type TodoRow = Awaited<ReturnType<ReturnType<typeof todos>['executeTakeFirstOrThrow']>>

/** Is an item of the table `todos` not put off beyond this time? */
const isDue = (now: Date): RawBuilder<boolean> => sql<boolean>`(todos.snoozed_until is null or todos.snoozed_until <= ${now})`

/** The to-do list of a user, newest first. */
export function todosOf(db: Db, actor: Actor, userId: number, filters: TodoFilters) {
  const { state = 'pending', group_id, snoozed } = filters
  let query = todos(db, actor, userId, { id: filters.id, state }).where('todos.state', '=', state)
  if (snoozed) query = query.where(snoozed.is ? sql<boolean>`not ${isDue(snoozed.at)}` : isDue(snoozed.at))
  if (filters.id !== undefined) query = query.where('todos.id', '=', filters.id)
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
    const kind = todoKinds().find(({ type }) => type === filters.type)
    query = kind ? query.where(`todos.${kind.key}`, 'is not', null) : query.where(sql<boolean>`false`)
  }
  return query.orderBy('todos.id', 'desc')
}

/**
 * The to-do items that wait for a user and are not put off: what counts of them are made of. A count of rows alone would go on with what the
 * user may not see any more, which no list shows them.
 */
export const waitingTodos = (db: Db, actor: Actor, userId: number, now: Date) =>
  todosOf(db, actor, userId, { snoozed: { at: now, is: false } })
    .clearSelect()
    .clearOrderBy()
    .select('todos.id')

/** A to-do item of a user. */
export const todoOf = (db: Db, actor: Actor, userId: number, id: number) =>
  todos(db, actor, userId, { id }).where('todos.id', '=', id).executeTakeFirst()

/** Choices of each kind that `todoOrigins` answers at most. */
const MOST_ORIGINS = 100

/** A choice of a filter. */
export interface TodoOrigin {
  readonly kind: 'project' | 'group' | 'author'
  readonly id: number
  readonly name: string
}

/** Where the to-do items of a user come from and who caused them, as choices of filters, by name: one statement. */
export async function todoOrigins(db: Db, actor: Actor, userId: number, filters: TodoFilters): Promise<readonly TodoOrigin[]> {
  const listed = todosOf(db, actor, userId, filters)
    .clearSelect()
    .clearOrderBy()
    .select(['todos.project_id', 'todos.namespace_id', 'todos.author_id'])
  const { rows } = await sql<TodoOrigin>`
    with listed as materialized (${listed}),
         places as (select listed.project_id, coalesce(listed.namespace_id, projects.namespace_id) as namespace_id
                      from listed left join projects on projects.id = listed.project_id)
    (select distinct 'project' as kind, places.project_id as id, routes.path as name
       from places join routes on routes.project_id = places.project_id
      order by name limit ${MOST_ORIGINS})
    union all
    (select distinct 'group', namespaces.id, routes.path
       from places join namespaces on namespaces.id = places.namespace_id and namespaces.owner_id is null
       join routes on routes.namespace_id = namespaces.id
      order by 3 limit ${MOST_ORIGINS})
    union all
    (select distinct 'author', users.id, users.name || ' @' || users.username
       from listed join users on users.id = listed.author_id order by 3 limit ${MOST_ORIGINS})`.execute(db)
  return rows
}
