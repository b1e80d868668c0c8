/** Reads of milestones. */
import { type RawBuilder, sql } from 'kysely'
import { roles } from '../../platform/access/abilities.ts'
import { groupAllows, projectsAllowing } from '../../platform/access/ability_conditions.ts'
import type { Actor } from '../../platform/access/actor.ts'
import { isGroupMember, isProjectMember } from '../../platform/access/visible.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { PlanningPlace } from '../../spaces/places/places.ts'
import { issueVisibleTo } from '../issues/lists/visible.ts'
import { issues } from '../issues/queries.ts'
import { matchesText } from '../shared/lists/text_search.ts'

/** Milestones with the path of their project or group; an outer join, which the planner can drop from counts. */
export const milestones = (db: Db) =>
  db
    .selectFrom('milestones')
    .leftJoin('routes as project_routes', 'project_routes.project_id', 'milestones.project_id')
    .leftJoin('routes as group_routes', 'group_routes.namespace_id', 'milestones.namespace_id')
    .selectAll('milestones')
    .select(sql<string>`coalesce(project_routes.path, group_routes.path)`.as('place_path'))

type Milestones = ReturnType<typeof milestones>

export type MilestoneRow = Awaited<ReturnType<ReturnType<typeof milestones>['executeTakeFirstOrThrow']>>

/** Filters of milestone lists (milestones API). */
export interface MilestoneFilters {
  readonly iids?: readonly number[] | undefined
  readonly state?: 'active' | 'closed' | 'all' | undefined
  readonly title?: string | undefined
  readonly search?: string | undefined
  /** Include milestones of ancestor groups. */
  readonly include_parent_milestones?: boolean | undefined
  readonly updated_after?: string | undefined
  readonly updated_before?: string | undefined
}

/** The milestones of a place itself. */
const milestonesOf = (db: Db, { noun, id }: PlanningPlace) =>
  milestones(db).where(noun === 'project' ? 'milestones.project_id' : 'milestones.namespace_id', '=', id)

/** A list of milestones, newest first. */
export function milestonesMatching(db: Db, place: PlanningPlace, filters: MilestoneFilters) {
  const all = filters.include_parent_milestones
    ? milestones(db).where(({ or, eb }) =>
        or([
          eb(place.noun === 'project' ? 'milestones.project_id' : 'milestones.namespace_id', '=', place.id),
          eb('milestones.namespace_id', '=', anyOf(place.above)),
        ]),
      )
    : milestonesOf(db, place)
  return matching(all, filters).orderBy('milestones.id', 'desc')
}

function matching(all: Milestones, { iids, state, title, search, updated_after, updated_before }: MilestoneFilters): Milestones {
  let query = all
  if (iids?.length) query = query.where('milestones.iid', '=', anyOf(iids))
  if (state !== undefined && state !== 'all') query = query.where('milestones.state', '=', state)
  if (title !== undefined) query = query.where('milestones.title', '=', title)
  if (search) query = query.where(matchesText(['milestones.title', 'milestones.description'], search))
  // Contract: bounds are inclusive (decision 41).
  if (updated_after !== undefined) query = query.where('milestones.updated_at', '>=', updated_after)
  if (updated_before !== undefined) query = query.where('milestones.updated_at', '<=', updated_before)
  return query
}

/** The milestones of projects and groups that meet the conditions, on `projects` and `namespaces`, as far as the actor may read them. */
const milestonesIn = (db: Db, actor: Actor, projects: RawBuilder<boolean>, groups: RawBuilder<boolean>): Milestones =>
  milestones(db).where(
    sql<boolean>`(milestones.project_id in (${projectsAllowing(actor, 'read_milestone', projects)})
      or milestones.namespace_id in (select namespaces.id from namespaces where ${groups} and ${groupAllows(actor, 'read_group_milestone')}))`,
  )

/** The milestones of a group, of the groups below it, and of all their projects that the actor may read. */
export const milestonesBelow = (db: Db, actor: Actor, groupId: number, filters: MilestoneFilters): Milestones => {
  const below = sql`(select below.id from namespaces below where below.traversal_ids @> array[${groupId}::bigint])`
  return matching(
    milestonesIn(db, actor, sql<boolean>`projects.namespace_id in ${below}`, sql<boolean>`namespaces.id in ${below}`),
    filters,
  )
}

/** The milestones of the projects and groups that a user is a member of. */
export const milestonesOfMember = (db: Db, actor: Actor, userId: number, filters: MilestoneFilters): Milestones =>
  matching(milestonesIn(db, actor, isProjectMember(userId, roles.guest), isGroupMember(userId)), filters)

/** Orders of a page of milestones. */
export const milestoneSorts = ['due_date_asc', 'due_date_desc', 'start_date_asc', 'start_date_desc', 'name_asc', 'name_desc'] as const
export type MilestoneSort = (typeof milestoneSorts)[number]

const sortColumns = { due_date: 'milestones.due_date', start_date: 'milestones.start_date', name: 'milestones.title' } as const

/** A list in another order; milestones without a date come last. */
export function sortedMilestones(query: Milestones, sort: MilestoneSort): Milestones {
  const [, key, direction] = /^(.*)_(asc|desc)$/.exec(sort) as unknown as [string, keyof typeof sortColumns, 'asc' | 'desc']
  const column = sortColumns[key]
  return query
    .clearOrderBy()
    .orderBy(column, order => (direction === 'asc' ? order.asc() : order.desc()).nullsLast())
    .orderBy('milestones.id', direction)
}

/** A milestone of the place itself by its number. */
export const milestoneByIid = (db: Db, place: PlanningPlace, iid: number) =>
  milestonesOf(db, place).where('milestones.iid', '=', iid).executeTakeFirst()

/** The number of a milestone's issues, and of the closed ones. */
export interface IssueStats {
  readonly total: number
  readonly closed: number
}

/** The issues of milestones that the actor may see, counted by milestone. One statement. */
export async function issueStatsOf(db: Db, actor: Actor, milestoneIds: readonly number[]): Promise<Map<number, IssueStats>> {
  if (milestoneIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('issues')
    .select([
      'milestone_id',
      sql<number>`count(*)::int`.as('total'),
      sql<number>`count(*) filter (where state = 'closed')::int`.as('closed'),
    ])
    .where('milestone_id', '=', anyOf(milestoneIds))
    .where(issueVisibleTo(actor))
    .groupBy('milestone_id')
    .execute()
  return new Map(rows.map(({ milestone_id, total, closed }) => [milestone_id as number, { total, closed }]))
}

/** A milestone of the place itself by id. */
export const milestoneById = (db: Db, place: PlanningPlace, id: number) =>
  milestonesOf(db, place).where('milestones.id', '=', id).executeTakeFirst()

/** Another milestone with this title: of the place, of a group above it, or of anything below it. */
export function milestoneTitled(db: Db, place: PlanningPlace, title: string) {
  const below = sql<boolean>`milestones.namespace_id in (select g.id from namespaces g where g.traversal_ids @> array[${place.id}::bigint])
    or milestones.project_id in (select p.id from projects p join namespaces g on g.id = p.namespace_id where g.traversal_ids @> array[${place.id}::bigint])`
  return milestones(db)
    .where('milestones.title', '=', title)
    .where(({ or, eb }) =>
      or([
        eb('milestones.namespace_id', '=', anyOf(place.above)),
        place.noun === 'project' ? eb('milestones.project_id', '=', place.id) : below,
      ]),
    )
    .orderBy('milestones.id')
}

/** The issues of a milestone that the caller may see, newest first. */
export const issuesOfMilestone = ({ db, actor }: Pick<Context, 'db' | 'actor'>, place: PlanningPlace, id: number) =>
  issues(db, place.full_path)
    .where('issues.milestone_id', '=', id)
    .where(issueVisibleTo(actor))
    .orderBy('issues.created_at', 'desc')
    .orderBy('issues.id', 'desc')
