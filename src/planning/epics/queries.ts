/** Reads of epics. */
import { sql } from 'kysely'
import type { ItemTables } from '../../collaboration/item_kinds/kinds.ts'
import { type ItemName, isNamed, type Reader } from '../../collaboration/item_kinds/names.ts'
import type { Actor } from '../../platform/access/actor.ts'
import { groupRole } from '../../platform/access/visible.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { GroupRow } from '../../spaces/groups/queries.ts'
import { issueVisibleTo } from '../issues/lists/visible.ts'
import { issues } from '../issues/queries.ts'
import { epicVisibleTo } from '../shared/epics.ts'
import { type Filters, matching } from '../shared/lists/filters.ts'

/** The tables joined for the conditions and orders of lists. */
export const epicTables = { table: 'epics', labels: 'epic_labels', key: 'epic_id' } as const satisfies ItemTables

/**
 * Epics with the path of their group, the caller's role in it, and the ids of their labels.
 * @param askedIn full path of the group of the request, for references
 */
const epics = (db: Db, actor: Actor, askedIn: string | null) =>
  db
    .selectFrom('epics')
    // Outer joins, which the planner can drop from counts.
    .leftJoin('namespaces', 'namespaces.id', 'epics.namespace_id')
    .leftJoin('routes', 'routes.namespace_id', 'epics.namespace_id')
    .leftJoin('epics as parents', 'parents.id', 'epics.parent_id')
    .selectAll('epics')
    .select(({ ref }) => [
      ref('routes.path').$notNull().as('group_path'),
      ref('namespaces.traversal_ids').$notNull().as('group_traversal_ids'),
      'parents.iid as parent_iid',
      'parents.namespace_id as parent_group_id',
      groupRole(actor).as('role'),
      sql<string | null>`${askedIn}::text`.as('asked_in'),
      sql<number[]>`array(select l.label_id from epic_labels l where l.epic_id = epics.id)`.as('label_ids'),
    ])

export type EpicRow = Awaited<ReturnType<ReturnType<typeof epics>['executeTakeFirstOrThrow']>>

/** Filters and order of epic lists (epics API). */
export interface EpicFilters extends Filters {
  readonly not?: Filters | undefined
  readonly order_by?: 'created_at' | 'updated_at' | 'title' | undefined
  readonly sort?: 'asc' | 'desc' | undefined
  /** Include epics of ancestor groups; default false. */
  readonly include_ancestor_groups?: boolean | undefined
  /** Include epics of subgroups; default true. */
  readonly include_descendant_groups?: boolean | undefined
}

type ListContext = Pick<Context, 'db' | 'actor' | 'now' | 'tier' | 'url'>

/** The epics of a group and of related groups that the caller may see. */
export function epicsMatching(ctx: ListContext, group: GroupRow, filters: EpicFilters) {
  const {
    include_ancestor_groups = false,
    include_descendant_groups = true,
    order_by = 'created_at',
    sort = 'desc',
    ...narrowing
  } = filters
  const above = include_ancestor_groups ? group.traversal_ids.slice(0, -1) : []
  const here = include_descendant_groups
    ? sql<boolean>`namespaces.traversal_ids @> ${[group.id]}::bigint[]`
    : sql<boolean>`namespaces.id = ${group.id}`
  return epics(ctx.db, ctx.actor, group.full_path)
    .where(sql<boolean>`(${here} or namespaces.id = any(${above}))`)
    .where(epicVisibleTo(ctx.actor))
    .where(matching(epicTables, narrowing, ctx))
    .orderBy(`epics.${order_by}`, sort)
    .orderBy('epics.id', sort)
}

/** The epics of some groups that the actor may see, the latest first: those that the issues of a project below may be in. */
export const epicsAbove = (db: Db, actor: Actor, groupIds: readonly number[]) =>
  epics(db, actor, null).where('epics.namespace_id', '=', anyOf(groupIds)).where(epicVisibleTo(actor)).orderBy('epics.id', 'desc')

/** The epic with this number in a group, if the actor may see it. */
export const visibleEpic = (db: Db, actor: Actor, group: GroupRow, iid: number) =>
  epics(db, actor, group.full_path)
    .where('epics.namespace_id', '=', group.id)
    .where('epics.iid', '=', iid)
    .where(epicVisibleTo(actor))
    .executeTakeFirst()

/** An epic by id, if the actor may see it. */
export const visibleEpicById = (db: Db, actor: Actor, id: number, askedIn: string | null) =>
  epics(db, actor, askedIn).where('epics.id', '=', id).where(epicVisibleTo(actor)).executeTakeFirst()

/** Epics by id that the actor may see, for other resources. */
export async function visibleEpicsById(db: Db, actor: Actor, ids: readonly number[]): Promise<Map<number, EpicRow>> {
  if (ids.length === 0) return new Map()
  const rows = await epics(db, actor, null).where('epics.id', '=', anyOf(ids)).where(epicVisibleTo(actor)).execute()
  return new Map(rows.map(row => [row.id, row]))
}

/** Any epic, without a visibility check; for commands. */
export const epicById = async ({ db, actor }: Pick<Context, 'db' | 'actor'>, id: number, askedIn: string | null): Promise<EpicRow> =>
  epics(db, actor, askedIn).where('epics.id', '=', id).executeTakeFirstOrThrow()

/** The children of an epic that the actor may see, in order. */
export const childrenOf = (db: Db, actor: Actor, parent: EpicRow) =>
  epics(db, actor, parent.asked_in)
    .where('epics.parent_id', '=', parent.id)
    .where(epicVisibleTo(actor))
    .orderBy('epics.position')
    .orderBy('epics.id')

/** The ids of an epic and its ancestors, from itself to the root. */
export async function lineOf(db: Db, id: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive line as (
      select id, parent_id, 1 as depth from epics where id = ${id}
      union all select e.id, e.parent_id, depth + 1 from epics e join line on line.parent_id = e.id where depth < 100
    ) select id from line order by depth`.execute(db)
  return rows.map(row => row.id)
}

/** The number of levels from an epic down, itself included. */
export async function depthBelow(db: Db, id: number): Promise<number> {
  const { rows } = await sql<{ depth: number }>`
    with recursive tree as (
      select id, 1 as depth from epics where id = ${id}
      union all select e.id, depth + 1 from epics e join tree on e.parent_id = tree.id where depth < 100
    ) select max(depth)::int as depth from tree`.execute(db)
  return rows[0]?.depth ?? 0
}

/** An epic with the input of its dates. */
export interface DatedEpic {
  readonly id: number
  readonly parent_id: number | null
  readonly start_date_is_fixed: boolean
  readonly start_date_fixed: string | null
  readonly due_date_is_fixed: boolean
  readonly due_date_fixed: string | null
  /** The earliest start and the latest end of its issues' milestones. */
  readonly milestones_start: string | null
  readonly milestones_due: string | null
}

/** Epics and all their descendants, with the input of their dates: one statement. */
export async function datedEpics(db: Db, ids: readonly number[]): Promise<DatedEpic[]> {
  const { rows } = await sql<DatedEpic>`
    with recursive tree as (
      select id from epics where id = any(${ids})
      union select e.id from epics e join tree on e.parent_id = tree.id
    )
    select e.id, e.parent_id, e.start_date_is_fixed, e.start_date_fixed, e.due_date_is_fixed, e.due_date_fixed, m.milestones_start, m.milestones_due
      from tree join epics e on e.id = tree.id
      left join lateral (
        select min(milestones.start_date) as milestones_start, max(milestones.due_date) as milestones_due
          from issues join milestones on milestones.id = issues.milestone_id where issues.epic_id = e.id
      ) m on true`.execute(db)
  return rows
}

/** Which of these epics have child epics, and which have issues. */
export async function epicsWithContents(db: Db, ids: readonly number[]) {
  const rows = await db
    .selectFrom('epics')
    .select(({ exists, selectFrom }) => [
      'epics.id',
      exists(selectFrom('epics as children').select('children.id').whereRef('children.parent_id', '=', 'epics.id'))
        .$castTo<boolean>()
        .as('has_children'),
      exists(selectFrom('issues').select('issues.id').whereRef('issues.epic_id', '=', 'epics.id'))
        .$castTo<boolean>()
        .as('has_issues'),
    ])
    .where('epics.id', '=', anyOf(ids))
    .execute()
  return new Map(rows.map(row => [row.id, row]))
}

/** The issues of an epic that the caller may see, in order. */
export const issuesOfEpic = (db: Db, actor: Actor, epic: EpicRow) =>
  issues(db, epic.asked_in)
    .where('issues.epic_id', '=', epic.id)
    .where(issueVisibleTo(actor))
    .orderBy('issues.epic_position')
    .orderBy('issues.id')

/** The epics that a text names and its reader may see. One statement. */
export async function epicsNamed({ db, actor }: Reader, names: readonly ItemName[]) {
  if (names.length === 0) return []
  return db
    .selectFrom('epics')
    .innerJoin('namespaces', 'namespaces.id', 'epics.namespace_id')
    .innerJoin('routes', 'routes.namespace_id', 'epics.namespace_id')
    .select(['epics.id', 'epics.iid', 'epics.title', 'epics.state', 'routes.path'])
    .where(isNamed('epics', names))
    .where(epicVisibleTo(actor))
    .execute()
}
