/** Usage counts of labels in a place, as visible to the reader. */
import { type RawBuilder, sql } from 'kysely'
import { itemKind } from '../../collaboration/item_kinds/item_kind.ts'
import type { Actor } from '../../platform/access/actor.ts'
import { knownMemberships } from '../../platform/access/visible.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { customPlan } from '../../platform/db/statements/prepared.ts'
import type { PlanningPlace } from '../../spaces/places/places.ts'
import { issueVisibleTo } from '../issues/lists/visible.ts'

/** Number of issues and merge requests with a label. */
export interface LabelCounts {
  readonly open_issues_count: number
  readonly closed_issues_count: number
  readonly open_merge_requests_count: number
}

/** The projects of a place, as a condition on `projects`. */
const projectsIn = ({ noun, id }: PlanningPlace): RawBuilder<boolean> =>
  noun === 'project'
    ? sql`projects.id = ${id}`
    : sql`projects.namespace_id in (select below.id from namespaces below where below.traversal_ids @> array[${id}::bigint])`

/**
 * Labels with the number of visible issues and merge requests of a place that have each. All labels are counted together: a label can
 * be on tens of thousands of issues, and reading those of a project once is faster than label by label.
 */
export async function withCounts<Row extends { readonly id: number }>(
  db: Db,
  actor: Actor,
  place: PlanningPlace,
  rows: readonly Row[],
): Promise<(Row & LabelCounts)[]> {
  if (rows.length === 0) return []
  const ids = rows.map(row => row.id)
  const known = await knownMemberships(db, actor, place.noun === 'group' ? place.id : place.above.at(-1))
  const [issues, mergeRequests] = await Promise.all([
    sql<{ id: number; open: number; closed: number }>`${customPlan}
      select il.label_id as id, count(*) filter (where issues.state = 'opened')::int as open,
             count(*) filter (where issues.state = 'closed')::int as closed
        from issue_labels il join issues on issues.id = il.issue_id
       where il.label_id = ${anyOf(ids)} and ${issueVisibleTo(actor, projectsIn(place), known)} group by il.label_id`.execute(db),
    sql<{ id: number; open: number }>`${customPlan}
      select ml.label_id as id, count(*)::int as open
        from merge_request_labels ml join merge_requests on merge_requests.id = ml.merge_request_id
       where ml.label_id = ${anyOf(ids)} and merge_requests.state = 'opened' and ${itemKind('merge_request').visible(actor, projectsIn(place), known)}
       group by ml.label_id`.execute(db),
  ])
  const issuesOf = new Map(issues.rows.map(row => [row.id, row]))
  const mergeRequestsOf = new Map(mergeRequests.rows.map(row => [row.id, row.open]))
  return rows.map(row => ({
    ...row,
    open_issues_count: issuesOf.get(row.id)?.open ?? 0,
    closed_issues_count: issuesOf.get(row.id)?.closed ?? 0,
    open_merge_requests_count: mergeRequestsOf.get(row.id) ?? 0,
  }))
}
