/**
 * The conditions of list filters, as SQL. A filter selects the rows that meet all of its conditions; under `not` it selects those that
 * meet none of them, rows with unset values included (decision 35).
 */
import { type RawBuilder, sql } from 'kysely'
import type { ItemTables } from '../../../collaboration/item_kinds/kinds.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import type { Facts } from '../../../platform/kernel/context.ts'
import { type Tier, tierCovers } from '../../../platform/kernel/declaration/types.ts'
import type { ResolvedFilters } from './filter_ids.ts'
import { isAny, isNone } from './keywords.ts'

/** A condition that a subquery has rows. A separate type, since its negation as a plain `not exists` lets the planner use an anti-join. */
export interface Existence {
  readonly rows: RawBuilder<unknown>
}

/**
 * A condition that the row belongs to a set of ids, given as a query that does not read the rows themselves. Sets are intersected with
 * one another first, and only the rest is looked up.
 */
export interface Membership {
  readonly id: RawBuilder<unknown>
  readonly ids: RawBuilder<unknown>
  /** Are all of them rows of the requested projects, without duplicates? */
  readonly isOfProjects: boolean
}
export type Condition = RawBuilder<boolean> | Existence | Membership

/** The context of conditions: the table, the caller and the time. */
export interface Asked {
  readonly kind: ItemTables
  /** A column of the table. */
  column(name: string): RawBuilder<unknown>
  readonly actor: Actor
  /** The caller's ID; 0, which no user has, for anonymous callers. */
  readonly userId: number
  readonly now: Date
  /** The columns that `search` reads. */
  readonly in: readonly string[]
  /** The ids of the given names of labels and milestones, if they were resolved. */
  readonly named: ResolvedFilters | undefined
  readonly by: Way
}

/**
 * How rows are found: by reading rows in the order of the list, which is fast if many match, or by the sets of rows that meet each
 * condition, which is fast if few do.
 */
export type Way = 'rows' | 'sets'

/** A filter: the conditions for a value. */
export interface Filter<Value> {
  readonly tier?: Tier
  conditions(value: Value, asked: Asked): Condition[]
}

/** A filter for each value of `F`. */
export type FilterTable<F> = { readonly [K in keyof F]-?: Filter<NonNullable<F[K]>> }

export const isSet = (column: RawBuilder<unknown>): Condition => sql<boolean>`${column} is not null`
export const isUnset = (column: RawBuilder<unknown>): Condition => sql<boolean>`${column} is null`

export const userNamed = (username: string) => sql`(select u.id from users u where lower(u.username) = lower(${username}))`

/** A condition for a number, `None` or `Any` in a column. */
export const numberIn =
  (name: string) =>
  (value: number | string, { column }: Asked) => [
    isNone(value) ? isUnset(column(name)) : isAny(value) ? isSet(column(name)) : sql<boolean>`${column(name)} = ${value}`,
  ]

export const equal =
  (name: string) =>
  (value: unknown, { column }: Asked) => [sql<boolean>`${column(name)} = ${value}`]
/** Contract: bounds of dates are inclusive everywhere (decision 41). */
export const from =
  (name: string) =>
  (value: string, { column }: Asked) => [sql<boolean>`${column(name)} >= ${value}`]
export const until =
  (name: string) =>
  (value: string, { column }: Asked) => [sql<boolean>`${column(name)} <= ${value}`]

const isMembership = (condition: Condition): condition is Membership => 'ids' in condition

function written(condition: Condition): RawBuilder<boolean> {
  if ('rows' in condition) return sql<boolean>`exists (${condition.rows})`
  return isMembership(condition) ? sql<boolean>`${condition.id} in (${condition.ids})` : condition
}

export const negated = (condition: Condition): RawBuilder<boolean> =>
  'rows' in condition ? sql<boolean>`not exists (${condition.rows})` : sql<boolean>`(${written(condition)}) is not true`

/** The intersection of sets; undefined for no sets. */
function commonOf(sets: readonly Membership[]): RawBuilder<unknown> | undefined {
  const [first, ...others] = sets.map(set => set.ids)
  if (first === undefined || others.length === 0) return first
  const inOthers = others.map(ids => sql<boolean>`among.id in (${ids})`)
  return sql`select among.id from (${first}) as among(id) where ${sql.join(inOthers, sql` and `)}`
}

/** The conditions, with all sets replaced by their intersection. */
function withOneSet(conditions: readonly Condition[]): Condition[] {
  const sets = conditions.filter(isMembership)
  const [first, ...others] = sets
  const ids = commonOf(sets)
  if (first === undefined || ids === undefined || others.length === 0) return [...conditions]
  return [{ ...first, ids }, ...conditions.filter(condition => !isMembership(condition))]
}

/** The caller, the time and the tier. */
export type Asker = Pick<Facts, 'actor' | 'now' | 'tier'>

/** Values of filters, and the columns that `search` reads. */
type Wanted<F> = F & { readonly in?: readonly string[] | undefined }

/** The conditions of the given filters; empty texts, and filters above the instance's tier, are ignored. */
function conditionsOf<F>(
  table: FilterTable<F>,
  kind: ItemTables,
  wanted: Wanted<F>,
  { actor, now, tier }: Asker,
  named: ResolvedFilters | undefined,
  by: Way,
): Condition[] {
  const asked: Asked = {
    kind,
    column: name => sql.ref(`${kind.table}.${name}`),
    actor,
    userId: actor.user?.id ?? 0,
    now,
    in: wanted.in?.length ? wanted.in : ['title', 'description'],
    named,
    by,
  }
  return Object.entries<Filter<never>>(table as never).flatMap(([name, filter]) => {
    const value = wanted[name as keyof F]
    return value === undefined || value === '' || !tierCovers(tier, filter.tier) ? [] : filter.conditions(value as never, asked)
  })
}

/**
 * The rows that match `wanted` and do not match `not`, by the filters of `table`.
 * @param named the resolved names in the filters (`resolveFilterIds`), for long lists
 * @param by how rows are found, where a condition can be written in both ways
 */
export function matchingBy<F>(
  table: FilterTable<F>,
  kind: ItemTables,
  { not, ...wanted }: Wanted<F> & { readonly not?: Wanted<F> | undefined },
  asker: Asker,
  named?: ResolvedFilters,
  by: Way = 'rows',
): RawBuilder<boolean> {
  const all = [
    ...withOneSet(conditionsOf(table, kind, wanted as unknown as Wanted<F>, asker, named, by)).map(written),
    // Negated filters usually exclude few rows, and are checked row by row.
    ...(not ? conditionsOf(table, kind, not, asker, named, 'rows').map(negated) : []),
  ]
  return all.length === 0 ? sql<boolean>`true` : sql.join<boolean>(all, sql` and `)
}

/**
 * The ids of the rows that `wanted` matches, without duplicates, if all filters are sets of rows of the requested projects;
 * undefined otherwise.
 */
export function idsMatching<F>(
  table: FilterTable<F>,
  kind: ItemTables,
  wanted: Wanted<F>,
  asker: Asker,
  named: ResolvedFilters,
): RawBuilder<unknown> | undefined {
  const conditions = conditionsOf(table, kind, wanted, asker, named, 'sets')
  const sets = conditions.filter(isMembership).filter(set => set.isOfProjects)
  return sets.length === conditions.length ? commonOf(sets) : undefined
}
