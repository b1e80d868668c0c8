/**
 * Resolves names in filters to ids before the list is queried. The planner has statistics on how common an id is, and chooses the plan by
 * them: it walks along the order of the list if many rows match, and begins with the label or milestone if few do. For a name in a
 * subquery it has none.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { anyOf, idArray } from '../../../platform/db/statements/any.ts'

/** The filters that name labels and milestones. */
interface NamingFilters {
  readonly labels?: readonly string[] | undefined
  readonly milestone?: string | undefined
}

/** The ids of a name. */
export interface FilterIds {
  /** The ids as an array. */
  readonly ids: RawBuilder<number[]>
  readonly count: number
  /** Does each belong to one of the requested projects? Then so does every row that has it, and no row has two. */
  readonly isOfProjects: boolean
}

/** Ids by name. */
export interface ResolvedFilters {
  readonly labels: ReadonlyMap<string, FilterIds>
  readonly milestones: ReadonlyMap<string, FilterIds>
}

/** The ids of an unknown name. */
const nothing: FilterIds = { ids: idArray([]), count: 0, isOfProjects: true }

/** The ids of `name`. */
export const filterIdsOf = (names: ReadonlyMap<string, FilterIds>, name: string): FilterIds => names.get(name) ?? nothing

/** Projects as a list of ids or a query. */
export type Projects = readonly number[] | RawBuilder<number>

/**
 * The ids of the names in `wanted` and `not`; one statement, if there are any names.
 * @param projects the requested projects; names of their groups are included
 */
export async function resolveFilterIds(
  db: Db,
  { not = {}, ...wanted }: NamingFilters & { readonly not?: NamingFilters | undefined },
  projects: Projects,
): Promise<ResolvedFilters> {
  const asked = [
    { noun: 'labels', column: 'name', names: [...new Set([...(wanted.labels ?? []), ...(not.labels ?? [])])] },
    { noun: 'milestones', column: 'title', names: [...new Set([wanted.milestone, not.milestone].filter(title => title !== undefined))] },
  ].filter(({ names }) => names.length > 0)
  if (asked.length === 0) return { labels: new Map(), milestones: new Map() }
  const inPlace = isIds(projects) ? sql<boolean>`(project_id is null or project_id = any(${idArray(projects)}))` : sql<boolean>`true`
  const named = sql.join(
    asked.map(({ noun, column, names }) => {
      const name = sql.ref(column)
      return sql`select ${sql.lit(noun)} as noun, id, project_id, ${name} as name from ${sql.table(noun)} where ${name} = ${anyOf(names)} and ${inPlace}`
    }),
    sql` union all `,
  )
  const { rows } = await sql<NamedRow>`
    with named as materialized (${named})
    select noun, name, count(*)::int as count, '{' || string_agg(id::text, ',') || '}' as ids, bool_and(project_id is not null) as "isOfProjects"
      from ${isIds(projects) ? sql`named` : amongOpen(projects)} group by noun, name`.execute(db)
  const byName = (noun: string) =>
    new Map(
      rows
        .filter(row => row.noun === noun)
        .map(({ name, ids, count, isOfProjects }) => [name, { ids: sql<number[]>`${ids}::bigint[]`, count, isOfProjects }]),
    )
  return { labels: byName('labels'), milestones: byName('milestones') }
}

const isIds = (projects: Projects): projects is readonly number[] => Array.isArray(projects)

/** The labels or milestones `named` in the projects of a query. They are looked up by id in order, as few may match among very many. */
const amongOpen = (projects: RawBuilder<number>) => sql`(
  with open as materialized (
    select asked.id from (${projects}) as asked(id) where asked.id = any(array(select distinct named.project_id from named)))
  select * from named where project_id is null or project_id in (select open.id from open)) as named`

/** Very many ids are returned as text in the format in which they are sent back. */
interface NamedRow extends Omit<FilterIds, 'ids'> {
  readonly noun: string
  readonly name: string
  readonly ids: string
}
