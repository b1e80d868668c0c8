/** Lists of merge requests. */
import { sql } from 'kysely'
import { type ListContext, type Listing, type ListOptions, listPlanned, type PlannedList } from '../../../planning/shared/lists/lists.ts'
import { knownMemberships } from '../../../platform/access/visible.ts'
import { idArray } from '../../../platform/db/statements/any.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { type MergeRequestRow, mergeRequests, mergeRequestTables } from '../queries.ts'
import { type MergeRequestFilters, mergeRequestFilters } from './filters.ts'
import { type Condition, mergeRequestVisibleTo, projectsWithMergeRequests } from './visible.ts'

/** The filters of a list, with the negated ones and the order. */
export type ListFilters = ListOptions<MergeRequestFilters>

export type MergeRequestList = PlannedList<MergeRequestRow>

/** What a list is requested for: the path used in references, and the projects whose merge requests it holds. */
interface Asked extends Pick<Listing<MergeRequestRow, MergeRequestFilters>, 'projects' | 'where' | 'byProject'> {
  readonly askedIn: string | null
}

const mergeRequestsMatching = (ctx: ListContext, { askedIn, ...place }: Asked, options: ListFilters) =>
  listPlanned<MergeRequestRow, MergeRequestFilters>(ctx, {
    kind: mergeRequestTables,
    filters: mergeRequestFilters,
    all: mergeRequests(ctx.db, askedIn),
    options,
    ...place,
  })

/** The merge requests of a project that the caller may see. @param among narrows them; all if not given */
export function mergeRequestsOfProject(
  ctx: ListContext,
  { id, full_path: askedIn }: Pick<ProjectWithRole, 'id' | 'full_path'>,
  filters: ListFilters,
  among?: Condition,
) {
  const where = sql<boolean>`merge_requests.project_id = ${id} and ${among ?? sql`true`}`
  return mergeRequestsMatching(ctx, { askedIn, projects: [id], where, byProject: among ? undefined : {} }, filters)
}

/** Which projects a list across projects covers. */
export interface Reach {
  /** Leave out archived projects; the default for groups (public behaviour). */
  non_archived?: boolean | undefined
}

/** The merge requests of a group's projects, at any depth (decision 35), that the caller may see. */
export async function mergeRequestsOfGroup(
  ctx: ListContext,
  group: { readonly id: number; readonly full_path: string },
  { non_archived = true, ...filters }: ListFilters & Reach,
) {
  const { db, actor } = ctx
  const live = non_archived ? sql<boolean>`not projects.archived` : sql<boolean>`true`
  // As an array, the group ids are evaluated first: the planner then starts from them and not from all projects.
  const inGroup = sql<boolean>`${live} and projects.namespace_id = any(array(
    select below.id from namespaces below where below.traversal_ids @> ${[group.id]}::bigint[]))`
  const known = await knownMemberships(db, actor, group.id)
  const { rows } = await sql<{ id: number }>`${projectsWithMergeRequests(actor, inGroup, known)}`.execute(db)
  const projectIds = rows.map(row => row.id)
  const where = sql<boolean>`merge_requests.project_id = any(${idArray(projectIds)})`
  return mergeRequestsMatching(ctx, { askedIn: group.full_path, projects: projectIds, where, byProject: {} }, filters)
}

/** The merge requests of the whole instance that the caller may see. */
export async function mergeRequestsOfInstance(ctx: ListContext, filters: ListFilters) {
  const known = await knownMemberships(ctx.db, ctx.actor)
  const projects = projectsWithMergeRequests(ctx.actor, undefined, known)
  const where = mergeRequestVisibleTo(ctx.actor, undefined, known)
  return mergeRequestsMatching(ctx, { askedIn: null, projects, where, byProject: {} }, filters)
}
