/** Reads of labels, as seen from a group or project. */
import { type RawBuilder, sql } from 'kysely'
import { projectsAllowing } from '../../platform/access/ability_conditions.ts'
import type { Actor } from '../../platform/access/actor.ts'
import { groupVisibleTo } from '../../platform/access/visible.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { compiled } from '../../platform/db/statements/compiled.ts'
import { containing } from '../../platform/db/statements/like.ts'
import { countRows, type Rows } from '../../platform/kernel/answer/page.ts'
import { isNumericId } from '../../spaces/groups/queries.ts'
import type { PlanningPlace } from '../../spaces/places/places.ts'
import { type LabelCounts, withCounts } from './counts.ts'

/** Labels with the reader's subscription, and their priority in the place. */
const labels = (db: Db, actor: Actor, place: PlanningPlace) =>
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

/** A label, with usage counts if they were requested. */
export type LabelRow = Awaited<ReturnType<ReturnType<typeof labels>['executeTakeFirstOrThrow']>> & Partial<LabelCounts>

/** The places whose labels a list includes (labels and group labels API). */
export interface LabelReach {
  /** Include labels of ancestor groups; default true. */
  readonly include_ancestor_groups?: boolean | undefined
  /** For groups: include labels of subgroups; default false. */
  readonly include_descendant_groups?: boolean | undefined
  /** For groups: leave out labels of projects; default true. */
  readonly only_group_labels?: boolean | undefined
}

/** The labels available in a place; of groups and projects below it, those that the actor may read. */
export function labelsIn(db: Db, actor: Actor, place: PlanningPlace, reach: LabelReach) {
  const { include_ancestor_groups = true, include_descendant_groups = false, only_group_labels = true } = reach
  const above = include_ancestor_groups ? place.above : []
  if (place.noun === 'project')
    return labels(db, actor, place).where(({ or, eb }) =>
      or([eb('labels.project_id', '=', place.id), eb('labels.namespace_id', '=', anyOf(above))]),
    )
  const groups = groupsIn(actor, place.id, include_descendant_groups)
  return labels(db, actor, place).where(({ or, eb }) =>
    or([
      eb('labels.namespace_id', '=', anyOf([...above, place.id])),
      ...(include_descendant_groups ? [sql<boolean>`labels.namespace_id in (${groups})`] : []),
      ...(only_group_labels ? [] : [sql<boolean>`labels.project_id in (${projectsOf(actor, groups)})`]),
    ]),
  )
}

/** The ids of a group and, if `descendants`, of the subgroups that the actor may see. */
const groupsIn = (actor: Actor, groupId: number, descendants: boolean): RawBuilder<number> =>
  descendants
    ? sql`select namespaces.id from namespaces where namespaces.traversal_ids @> array[${groupId}::bigint] and ${groupVisibleTo(actor)}`
    : sql`select ${groupId}::bigint`

/** The ids of the projects of these groups whose labels the actor may read. */
const projectsOf = (actor: Actor, groups: RawBuilder<number>): RawBuilder<number> =>
  projectsAllowing(actor, 'read_label', sql<boolean>`projects.namespace_id in (${groups})`)

/** Filters of label lists, and whether usage counts are requested. */
export interface LabelFilters extends LabelReach {
  readonly search?: string | undefined
  readonly with_counts?: boolean | undefined
}

/** A list of labels, by name. */
export function labelsMatching(db: Db, actor: Actor, place: PlanningPlace, filters: LabelFilters): Rows<LabelRow> {
  const inPlace = labelsIn(db, actor, place, filters).orderBy('labels.name').orderBy('labels.id')
  const like = containing(filters.search ?? '')
  const query = filters.search
    ? inPlace.where(({ or, eb }) => or([eb('labels.name', 'ilike', like), eb('labels.description', 'ilike', like)]))
    : inPlace
  if (!filters.with_counts) return query
  return {
    count: limit => countRows(db, query, limit),
    slice: async (offset, limit) => withCounts(db, actor, place, await query.limit(limit).offset(offset).execute()),
  }
}

/** The label with this id or name in a place: ids take precedence, and a project's own label over one of its groups. */
export const labelNamed = (db: Db, actor: Actor, place: PlanningPlace, idOrName: string, reach: LabelReach = {}) =>
  labelsIn(db, actor, place, reach)
    .where(({ or, eb }) =>
      or([eb('labels.name', '=', idOrName), ...(isNumericId(idOrName) ? [eb('labels.id', '=', Number(idOrName))] : [])]),
    )
    .orderBy(sql`labels.id::text = ${idOrName}`, 'desc')
    .orderBy('labels.project_id')
    .orderBy('labels.id')
    .executeTakeFirst()

/** Like `labelNamed`, with usage counts. */
export async function countedLabelNamed(
  db: Db,
  actor: Actor,
  place: PlanningPlace,
  idOrName: string,
  reach: LabelReach = {},
): Promise<LabelRow | undefined> {
  const label = await labelNamed(db, actor, place, idOrName, reach)
  return label && (await withCounts(db, actor, place, [label]))[0]
}

/** Labels by id, for the presenters of other resources. */
export async function labelsById(db: Db, ids: readonly number[]) {
  const rows = ids.length === 0 ? [] : await labelsOfIds(db, ids)
  return new Map(rows.map(row => [row.id, row]))
}

const labelsOfIds = compiled((db, ids: readonly number[]) => db.selectFrom('labels').selectAll().where('id', '=', anyOf(ids)))

/** The labels of these names available in a place; of several with one name, a project's own or the nearest one. */
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
    // The map keeps the last row of a name: rows are ordered from the outermost group to the project's own.
    .orderBy(sql`coalesce(array_position(${groupIds}::bigint[], namespace_id), ${groupIds.length + 1})`)
    .execute()
  return new Map(rows.map(row => [row.name, row.id]))
}
