/** Lists of merge requests. */
import { type RawBuilder, sql } from 'kysely'
import { plannedAnew } from '../../db/prepared.ts'
import type { Context } from '../../kernel/context.ts'
import { matchingBy } from '../../planning/conditions.ts'
import { mergeRequestKind } from '../../planning/kinds.ts'
import { idsNamedIn } from '../../planning/named.ts'
import { inOrder, type Order, type Sort } from '../../planning/orders.ts'
import type { ProjectWithRole } from '../../projects/scope.ts'
import { mergeRequests } from '../queries.ts'
import { type Condition, mergeRequestVisibleTo, projectsWithMergeRequests } from '../visible.ts'
import { type MergeRequestFilters, mergeRequestFilters } from './filters.ts'

/** The filters of a list, with what is negated and the order. */
export interface ListFilters extends MergeRequestFilters {
  in?: readonly string[] | undefined
  not?: MergeRequestFilters | undefined
  order_by?: Order | undefined
  sort?: Sort | undefined
}

type Asking = Pick<Context, 'db' | 'actor' | 'now' | 'tier'>

/** A list; planned for its values each time, since projects differ in size by orders of magnitude. */
async function mergeRequestsMatching(ctx: Asking, askedIn: string | null, where: Condition, filters: ListFilters, projectId?: number) {
  const { order_by = 'created_at', sort = 'desc', ...wanted } = filters
  const named = await idsNamedIn(ctx.db, wanted, projectId === undefined ? undefined : [projectId])
  return mergeRequests(ctx.db, askedIn)
    .modifyFront(plannedAnew)
    .where(where)
    .where(matchingBy<MergeRequestFilters>(mergeRequestFilters, mergeRequestKind, wanted, ctx, named))
    .orderBy(inOrder(mergeRequestKind, order_by, sort))
}

export type MergeRequestList = Awaited<ReturnType<typeof mergeRequestsMatching>>

/** The merge requests of a project that the caller may see. */
export const mergeRequestsOfProject = (ctx: Asking, project: Pick<ProjectWithRole, 'id' | 'full_path'>, filters: ListFilters) =>
  mergeRequestsMatching(ctx, project.full_path, sql<boolean>`merge_requests.project_id = ${project.id}`, filters, project.id)

/** Which projects the list of a group looks into. */
export interface Reach {
  /** Leave out archived projects; the default (public behaviour). */
  non_archived?: boolean | undefined
}

/** The ids of the projects of a group, at any depth (decision 35), whose merge requests the caller may know of. */
async function projectsOfGroup({ db, actor }: Asking, groupId: number, nonArchived: boolean): Promise<RawBuilder<unknown>> {
  const live = nonArchived ? sql<boolean>`not projects.archived` : sql<boolean>`true`
  // As an array, the ids of the groups are known first: the database then begins with them and not with all projects.
  const inGroup = sql<boolean>`${live} and projects.namespace_id = any(array(
    select below.id from namespaces below where below.traversal_ids @> ${[groupId]}::bigint[]))`
  const { rows } = await sql<{ id: number }>`${projectsWithMergeRequests(actor, inGroup)}`.execute(db)
  return sql`${rows.map(row => row.id)}::bigint[]`
}

/** The merge requests of a group's projects, at any depth, that the caller may know of. */
export async function mergeRequestsOfGroup(
  ctx: Asking,
  group: { readonly id: number; readonly full_path: string },
  { non_archived = true, ...filters }: ListFilters & Reach,
) {
  const projectIds = await projectsOfGroup(ctx, group.id, non_archived)
  return mergeRequestsMatching(ctx, group.full_path, sql<boolean>`merge_requests.project_id = any(${projectIds})`, filters)
}

/** The merge requests of the whole instance that the caller may know of. */
export const mergeRequestsOfInstance = (ctx: Asking, filters: ListFilters) =>
  mergeRequestsMatching(ctx, null, mergeRequestVisibleTo(ctx.actor), filters)
