/** Reads of the projects of a group: its own, those of its subgroups, and those that are shared with it. */
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../platform/access/actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { GroupRow } from '../groups/queries.ts'
import { type ProjectFilters, projectsMatching } from '../projects/queries.ts'

/** Filters and order of the list of a group's projects (document 3 "GET /groups/:id/projects"). */
export interface GroupProjectFilters extends Omit<ProjectFilters, 'order_by'> {
  order_by?: ProjectFilters['order_by'] | 'similarity' | undefined
  /** Includes projects that are shared with the group; default true. */
  with_shared?: boolean | undefined
  include_subgroups?: boolean | undefined
  with_security_reports?: boolean | undefined
}

/** The projects of a group that the actor may see. */
export function projectsOfGroup(db: Db, actor: Actor, group: Pick<GroupRow, 'id'>, filters: GroupProjectFilters) {
  const { with_shared = true, include_subgroups, with_security_reports, order_by, ...rest } = filters
  const bySimilarity = order_by === 'similarity'
  const homes = include_subgroups ? sql`select id from namespaces where traversal_ids @> ${[group.id]}` : sql`${group.id}`
  const own = sql`select held.id from projects held where held.namespace_id in (${homes})`
  const ids = with_shared ? sql`${own} union all ${sharedWith(group.id)}` : own
  let query = projectsMatching(db, actor, { ...rest, order_by: bySimilarity ? undefined : order_by }).where(isAmong(ids))
  if (with_security_reports) query = query.where('projects.has_security_reports', '=', true)
  return bySimilarity ? inOrderOfSimilarity(query, rest.search) : query
}

/**
 * The projects that are shared with a group and visible to the actor. For `min_access_level` the level is the lower of the actor's role in
 * the group and that of the share (decision 49).
 */
export function projectsSharedWith(
  db: Db,
  actor: Actor,
  group: Pick<GroupRow, 'id'> & { readonly role: number },
  { min_access_level, ...filters }: ProjectFilters,
) {
  const ids =
    min_access_level === undefined
      ? sharedWith(group.id)
      : sharedWith(group.id, sql`least(s.access_level, ${group.role}::int) >= ${min_access_level}`)
  return projectsMatching(db, actor, filters).where(isAmong(ids))
}

/**
 * Is the project `projects` one of these? As an array, the ids are computed first: the planner then starts from the group and not from all
 * projects.
 */
const isAmong = (ids: RawBuilder<unknown>): RawBuilder<boolean> => sql`projects.id = any(array(${ids}))`

/** The ids of the projects that are shared with a group by shares `s` that meet the condition. */
const sharedWith = (groupId: number, condition: RawBuilder<unknown> = sql`true`): RawBuilder<number> =>
  sql`select s.project_id from shares s
       where s.group_id = ${groupId} and s.project_id is not null and (s.expires_at is null or s.expires_at > current_date) and ${condition}`

/** The weight of a match in each column. */
const weights = { path: 1, name: 0.7, description: 0.2 }

/** The most similar first, by name for equal similarity and without a search; `sort` is ignored (document 3; decision 49). */
function inOrderOfSimilarity(query: ReturnType<typeof projectsMatching>, search: string | undefined) {
  const scores = Object.entries(weights).map(
    ([column, weight]) => sql`similarity(coalesce(${sql.ref(`projects.${column}`)}, ''), ${search}) * ${sql.lit(weight)}`,
  )
  const unordered = query.clearOrderBy()
  return (search ? unordered.orderBy(sql`${sql.join(scores, sql` + `)}`, 'desc') : unordered)
    .orderBy(sql`lower(projects.name)`)
    .orderBy('projects.id')
}
