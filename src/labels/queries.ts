/** Reads of labels, as a group or project sees them. */
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../access/actor.ts'
import { groupVisibleTo, projectVisibleTo } from '../access/visible.ts'
import { anyOf } from '../db/any.ts'
import { compiled } from '../db/compiled.ts'
import type { Db } from '../db/connection.ts'
import { containing } from '../db/like.ts'
import { isNumericId } from '../groups/queries.ts'
import { issueVisibleTo } from '../issues/visible.ts'
import { mergeRequestVisibleTo } from '../merge_requests/visible.ts'
import type { PlanningPlace } from '../planning/places.ts'

/** The projects of a place, as a condition on `projects`. */
const projectsIn = ({ noun, id }: PlanningPlace) =>
  noun === 'project'
    ? sql<boolean>`projects.id = ${id}`
    : sql<boolean>`projects.namespace_id in (select below.id from namespaces below where below.traversal_ids @> array[${id}::bigint])`

/** How many issues of a place, among those that the actor may know of, have the label `labels` and are in a state. */
const countOfIssues = (actor: Actor, place: PlanningPlace, state: 'opened' | 'closed') =>
  sql<number>`(select count(*) from issue_labels il join issues on issues.id = il.issue_id
    where il.label_id = labels.id and issues.state = ${state} and ${issueVisibleTo(actor, projectsIn(place))})`

/** How many open merge requests of a place, among those that the actor may know of, have the label `labels`. */
const countOfMergeRequests = (actor: Actor, place: PlanningPlace) =>
  sql<number>`(select count(*) from merge_request_labels ml join merge_requests on merge_requests.id = ml.merge_request_id
    where ml.label_id = labels.id and merge_requests.state = 'opened' and ${mergeRequestVisibleTo(actor, projectsIn(place))})`

/**
 * Labels with what the reader sees of them in one place: whether they are subscribed, how urgent it is there and, where
 * asked for, how often it is used.
 */
const labels = (db: Db, actor: Actor, place: PlanningPlace, withCounts: boolean) =>
  db
    .selectFrom('labels')
    .selectAll('labels')
    .select(({ exists, selectFrom }) => [
      exists(
        selectFrom('subscriptions')
          .select('subscriptions.id')
          .whereRef('subscriptions.label_id', '=', 'labels.id')
          .where('subscriptions.user_id', '=', actor.user?.id ?? null)
          .where('subscriptions.subscribed', '=', true),
      )
        .$castTo<boolean>()
        .as('subscribed'),
      selectFrom('label_priorities')
        .select('label_priorities.priority')
        .whereRef('label_priorities.label_id', '=', 'labels.id')
        .where('label_priorities.project_id', '=', place.noun === 'project' ? place.id : null)
        .as('priority'),
    ])
    .$if(withCounts, query =>
      query.select([
        countOfIssues(actor, place, 'opened').as('open_issues_count'),
        countOfIssues(actor, place, 'closed').as('closed_issues_count'),
        countOfMergeRequests(actor, place).as('open_merge_requests_count'),
      ]),
    )

export type LabelRow = Awaited<ReturnType<ReturnType<typeof labels>['executeTakeFirstOrThrow']>>

/** Where the labels of a list come from (labels and group labels API). */
export interface LabelReach {
  /** Those of the groups above too; default true. */
  readonly include_ancestor_groups?: boolean | undefined
  /** In groups: those of the groups below too; default false. */
  readonly include_descendant_groups?: boolean | undefined
  /** In groups: no labels of projects; default true. */
  readonly only_group_labels?: boolean | undefined
}

/** The labels that serve in a place; of groups and projects below it, those that the actor may see. */
export function labelsIn(db: Db, actor: Actor, place: PlanningPlace, reach: LabelReach, withCounts = false) {
  const { include_ancestor_groups = true, include_descendant_groups = false, only_group_labels = true } = reach
  const above = include_ancestor_groups ? place.above : []
  if (place.noun === 'project')
    return labels(db, actor, place, withCounts).where(({ or, eb }) =>
      or([eb('labels.project_id', '=', place.id), eb('labels.namespace_id', '=', anyOf(above))]),
    )
  const groups = groupsIn(actor, place.id, include_descendant_groups)
  return labels(db, actor, place, withCounts).where(({ or, eb }) =>
    or([
      eb('labels.namespace_id', '=', anyOf([...above, place.id])),
      ...(include_descendant_groups ? [sql<boolean>`labels.namespace_id in (${groups})`] : []),
      ...(only_group_labels ? [] : [sql<boolean>`labels.project_id in (${projectsOf(actor, groups)})`]),
    ]),
  )
}

/** The ids of a group and, where asked for, of the groups below it that the actor may see. */
const groupsIn = (actor: Actor, groupId: number, descendants: boolean): RawBuilder<number> =>
  descendants
    ? sql`select namespaces.id from namespaces where namespaces.traversal_ids @> array[${groupId}::bigint] and ${groupVisibleTo(actor)}`
    : sql`select ${groupId}::bigint`

/** The ids of the projects of some groups that the actor may see. */
const projectsOf = (actor: Actor, groups: RawBuilder<number>): RawBuilder<number> =>
  sql`select projects.id from projects where projects.namespace_id in (${groups}) and ${projectVisibleTo(actor)}`

/** What lists of labels can be narrowed by, and whether they say how often labels are used. */
export interface LabelFilters extends LabelReach {
  readonly search?: string | undefined
  readonly with_counts?: boolean | undefined
}

/** A list of labels, by name. */
export function labelsMatching(db: Db, actor: Actor, place: PlanningPlace, filters: LabelFilters) {
  const query = labelsIn(db, actor, place, filters, filters.with_counts).orderBy('labels.name').orderBy('labels.id')
  if (!filters.search) return query
  const like = containing(filters.search)
  return query.where(({ or, eb }) => or([eb('labels.name', 'ilike', like), eb('labels.description', 'ilike', like)]))
}

/** The label that an id or a name means in a place: ids come first, and a project's own label before one of its groups. */
export const labelNamed = (db: Db, actor: Actor, place: PlanningPlace, idOrName: string, reach: LabelReach = {}, withCounts = false) =>
  labelsIn(db, actor, place, reach, withCounts)
    .where(({ or, eb }) =>
      or([eb('labels.name', '=', idOrName), ...(isNumericId(idOrName) ? [eb('labels.id', '=', Number(idOrName))] : [])]),
    )
    .orderBy(sql`labels.id::text = ${idOrName}`, 'desc')
    .orderBy('labels.project_id')
    .orderBy('labels.id')
    .executeTakeFirst()

/** Labels by id as they are, for the presenters of other resources. */
export async function labelsById(db: Db, ids: readonly number[]) {
  const rows = ids.length === 0 ? [] : await labelsOfIds(db, ids)
  return new Map(rows.map(row => [row.id, row]))
}

const labelsOfIds = compiled((db, ids: readonly number[]) => db.selectFrom('labels').selectAll().where('id', '=', anyOf(ids)))

/** The labels of these names that serve in a place; of one name in several groups, a project's own or the nearest one. */
export async function labelsByName(
  db: Db,
  { key, above }: Pick<PlanningPlace, 'key' | 'above'>,
  names: readonly string[],
): Promise<Map<string, number>> {
  if (names.length === 0) return new Map()
  const groupIds = 'namespace_id' in key ? [...above, key.namespace_id] : above
  const rows = await db
    .selectFrom('labels')
    .select(['id', 'name'])
    .where('name', '=', anyOf(names))
    .where(({ or, eb }) =>
      or([eb('namespace_id', '=', anyOf(groupIds)), ...('project_id' in key ? [eb('project_id', '=', key.project_id)] : [])]),
    )
    // The last one of a name stays in the map: outermost group first, the project's own last.
    .orderBy(sql`coalesce(array_position(${groupIds}::bigint[], namespace_id), ${groupIds.length + 1})`)
    .execute()
  return new Map(rows.map(row => [row.name, row.id]))
}
