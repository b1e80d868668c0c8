/** Reads of milestones. */
import { sql } from 'kysely'
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
  const { iids, state, title, search, include_parent_milestones, updated_after, updated_before } = filters
  let query = include_parent_milestones
    ? milestones(db).where(({ or, eb }) =>
        or([
          eb(place.noun === 'project' ? 'milestones.project_id' : 'milestones.namespace_id', '=', place.id),
          eb('milestones.namespace_id', '=', anyOf(place.above)),
        ]),
      )
    : milestonesOf(db, place)
  if (iids?.length) query = query.where('milestones.iid', '=', anyOf(iids))
  if (state !== undefined && state !== 'all') query = query.where('milestones.state', '=', state)
  if (title !== undefined) query = query.where('milestones.title', '=', title)
  if (search) query = query.where(matchesText(['milestones.title', 'milestones.description'], search))
  // Contract: bounds are inclusive (decision 41).
  if (updated_after !== undefined) query = query.where('milestones.updated_at', '>=', updated_after)
  if (updated_before !== undefined) query = query.where('milestones.updated_at', '<=', updated_before)
  return query.orderBy('milestones.id', 'desc')
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
