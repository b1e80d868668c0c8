/** Reads of iterations. */

import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import type { PlanningPlace } from '../../spaces/places/places.ts'
import { matchesText } from '../shared/lists/text_search.ts'

/** Iterations with the path of their group; an outer join, which the planner can drop from counts. */
const iterations = (db: Db) =>
  db
    .selectFrom('iterations')
    .leftJoin('routes', 'routes.namespace_id', 'iterations.namespace_id')
    .selectAll('iterations')
    .select(({ ref }) => ref('routes.path').$notNull().as('group_path'))

export type IterationRow = Awaited<ReturnType<ReturnType<typeof iterations>['executeTakeFirstOrThrow']>>

/** `started` is the name at 14.0 for what later versions call `current`; `opened` means not closed. */
export const iterationStateWords = ['opened', 'upcoming', 'started', 'current', 'closed', 'all'] as const

/** Filters of iteration lists (iterations API). */
export interface IterationFilters {
  readonly state?: (typeof iterationStateWords)[number] | undefined
  readonly search?: string | undefined
  /** Include iterations of ancestor groups; default true. */
  readonly include_ancestors?: boolean | undefined
  readonly updated_after?: string | undefined
  readonly updated_before?: string | undefined
}

/** The groups whose iterations apply to a place: its own or, for a project, its group's, and their ancestors. */
function groupIdsOf({ noun, id, above }: PlanningPlace, ancestors: boolean): readonly number[] {
  const groups = noun === 'group' ? [...above, id] : above
  return ancestors ? groups : groups.slice(-1)
}

/**
 * The iterations that apply to a place, earliest first.
 * @param today `YYYY-MM-DD`, from which states are derived
 */
export function iterationsMatching(db: Db, place: PlanningPlace, filters: IterationFilters, today: string) {
  const { state = 'all', search, include_ancestors = true, updated_after, updated_before } = filters
  let query = iterations(db).where('iterations.namespace_id', '=', anyOf(groupIdsOf(place, include_ancestors)))
  if (state === 'closed') query = query.where('iterations.due_date', '<', today)
  if (state === 'upcoming') query = query.where('iterations.start_date', '>', today)
  if (['opened', 'started', 'current'].includes(state)) query = query.where('iterations.due_date', '>=', today)
  if (['started', 'current'].includes(state)) query = query.where('iterations.start_date', '<=', today)
  if (search) query = query.where(matchesText(['iterations.title'], search))
  // Contract: bounds are inclusive (decision 41).
  if (updated_after !== undefined) query = query.where('iterations.updated_at', '>=', updated_after)
  if (updated_before !== undefined) query = query.where('iterations.updated_at', '<=', updated_before)
  return query.orderBy('iterations.due_date').orderBy('iterations.id')
}

/** An iteration of the group itself. */
export const iterationById = (db: Db, groupId: number, id: number) =>
  iterations(db).where('iterations.namespace_id', '=', groupId).where('iterations.id', '=', id).executeTakeFirst()

/** Another iteration of the group that shares a day with this range, both ends included. */
export const iterationOverlapping = (db: Db, groupId: number, start: string, due: string, own: number | undefined) =>
  db
    .selectFrom('iterations')
    .select('id')
    .where('namespace_id', '=', groupId)
    .where('start_date', '<=', due)
    .where('due_date', '>=', start)
    .where('id', '<>', own ?? 0)
    .executeTakeFirst()
