/** The projects and groups that a transfer has moved. */
import { type RawBuilder, sql } from 'kysely'
import type { Place } from '../../platform/access/places.ts'

const movedProjects = (condition: RawBuilder<boolean>) =>
  sql`select p.id as project_id, null::bigint as namespace_id, n.traversal_ids as above
        from projects p join namespaces n on n.id = p.namespace_id where ${condition}`

/**
 * The moved project, or the moved group with all groups and projects below it, as rows of a `from` clause, named `moved`. `above` are the groups
 * whose labels, milestones and iterations are available there now; a group is among its own.
 */
export const movedPlaces = (moved: Place): RawBuilder<unknown> =>
  'project_id' in moved
    ? sql`(${movedProjects(sql`p.id = ${moved.project_id}`)}) as moved`
    : sql`(${movedProjects(inside(moved.namespace_id))}
           union all select null, n.id, n.traversal_ids from namespaces n where ${inside(moved.namespace_id)}) as moved`

const inside = (groupId: number) => sql<boolean>`n.traversal_ids @> array[${groupId}::bigint]`
