/** Lists of issues, merge requests and epics, which are counted before their rows are read so that long ones stay fast. */
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { ItemTables } from '../../../collaboration/item_kinds/kinds.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { customPlan } from '../../../platform/db/statements/prepared.ts'
import { COUNT_LIMIT, countRows, type Slices } from '../../../platform/kernel/answer/page.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { firstOf, setsOf } from '../set_operations.ts'
import { type FilterTable, matchingBy, type Way } from './conditions.ts'
import { type Projects, resolveFilterIds } from './filter_ids.ts'
import type { Filters } from './filters.ts'
import { columnsOf, inOrder, type Order, type Sort } from './orders.ts'

/** The context of a list request. */
export type ListContext = Pick<Context, 'db' | 'actor' | 'now' | 'tier'>

/** Values of the filters `F`, the negated ones, and the order. */
export type ListOptions<F> = F & {
  readonly in?: readonly string[] | undefined
  readonly not?: F | undefined
  readonly order_by?: Order | undefined
  readonly sort?: Sort | undefined
}

// biome-ignore lint/suspicious/noExplicitAny: a query over any tables will do
type Query<Row> = SelectQueryBuilder<any, any, Row>

type Wanted = Pick<Filters, 'in' | 'scope' | 'state'> & object

/** Up to this number, rows are read and sorted; beyond, they are read in order. */
const FEW = 2_000

/** The filters that all kinds have. */
export type Common = Pick<Filters, 'labels' | 'milestone' | 'scope' | 'state'>

/** Definition of a list. */
export interface Listing<Row, F extends Common> {
  readonly kind: ItemTables
  readonly filters: FilterTable<F>
  /** All rows of the kind with their columns; only outer joins are allowed, since counts use the kind's table alone. */
  readonly all: Query<Row>
  /** The rows that the caller may see in the requested place. */
  readonly where: RawBuilder<boolean>
  readonly options: ListOptions<F>
  /** The requested projects, all of them visible to the caller. */
  readonly projects: Projects
  /** Set if `where` selects all rows of these projects, except some ids. */
  readonly byProject?: ByProject | undefined
  /**
   * A lower bound of the number of rows in `state` that `where` selects, known without reading them; values above `enough` may be cut. If
   * it reaches `enough` nothing is counted.
   */
  readonly atLeast?: ((state: string, enough: number) => number | Promise<number>) | undefined
}

/** States that a user who may see a project may see all of its rows. */
export interface ByProject {
  /** A query of the ids of the rows that the user may not see. */
  readonly except?: RawBuilder<number> | undefined
}

/** A list, its query without columns and order, for counts, and the whole as one query, for pages of several lists at a time. */
export interface PlannedList<Row> extends Slices<Row> {
  readonly unordered: Query<object>
  readonly ordered: Query<Row>
}

/**
 * A list whose rows are counted before they are read. If there are few, a page is cut from all of them; if there are many, it is read along
 * the list's order. The planner would choose by its estimate of how many rows there are, and wrong estimates (two labels that never
 * occur together) made it read a million rows for none. Uses custom plans, since projects differ in size by orders of magnitude. With
 * filters, counting finds the few rows already; without them, stored counters of projects may show that there are many.
 */
export async function listPlanned<Row, F extends Common>(ctx: ListContext, listing: Listing<Row, F>): Promise<PlannedList<Row>> {
  const { kind, filters, all, where, options, projects, atLeast } = listing
  const { db } = ctx
  const { order_by = 'created_at', sort = 'desc', ...wanted } = options
  const named = await resolveFilterIds(db, wanted as Filters & { not?: Filters }, projects)
  const condition = (by: Way) => sql<boolean>`${where} and ${matchingBy(filters, kind, wanted as unknown as F, ctx, named, by)}`
  const isNarrowed = isNarrow(filters, wanted)
  const order = inOrder(kind, order_by, sort)
  const id = `${kind.table}.id`
  const unordered: Query<object> = db.selectFrom(kind.table).modifyFront(customPlan).where(condition('sets'))
  /** The rows with these ids, in order. Their columns are loaded for the rows on the page only, not for those before it. */
  const withIds = (ids: Query<object>) =>
    all
      .modifyFront(customPlan)
      .where(sql<boolean>`${sql.ref(id)} in ${ids}`)
      .orderBy(order)
  const walked = (offset: number, limit: number) => {
    // The first page has no rows to skip.
    if (offset === 0) return all.modifyFront(customPlan).where(condition('rows')).orderBy(order).limit(limit)
    const met = db.selectFrom(kind.table).select(sql.ref<number>(id).as('id')).where(condition('rows'))
    return withIds(met.orderBy(order).limit(limit).offset(offset))
  }
  const cut = (offset: number, limit: number) => {
    // `offset` is an optimization fence: otherwise the planner would flatten the subquery and walk along the order.
    const found = unordered.selectAll(kind.table).offset(sql.lit(0)).as(kind.table)
    return withIds(db.selectFrom(found).select(sql.ref<number>(id).as('id')).orderBy(order).limit(limit).offset(offset))
  }
  const sets = setsOf(ctx, listing, named)
  // The rows found while counting, in the order of the list, if they are few.
  let found: readonly number[] | null = null
  const countFinding = async (limit: number) => {
    const columns = columnsOf(kind, order_by)
    const some = sets
      ? firstOf(listing, sets, columns, limit)
      : unordered.select(columns.map(name => sql.ref(`${kind.table}.${name}`).as(name))).limit(limit)
    // Rows of a set are read only if there are few.
    const few =
      sets && !sets.rest
        ? sql`${sql.table(kind.table)} where ${sql.ref(id)} in (select found.id from found)`
        : sql`found as ${sql.table(kind.table)}`
    const { rows } = await sql<{ total: number; ids: number[] | null }>`
      with found as materialized (${some})
      select total, case when total <= ${sql.lit(FEW)} then array(select ${sql.ref(id)} from ${few} order by ${order}) end as ids
        from (select count(*)::int as total from found) as counted`.execute(db)
    const [counted] = rows
    found = counted?.ids ?? null
    return counted?.total ?? 0
  }
  const countAll = async (limit: number) => {
    const isEnough = atLeast && (await atLeast(wanted.state ?? 'all', limit)) >= limit
    return isEnough ? limit : countRows(db, unordered, limit)
  }
  return {
    unordered,
    ordered: all.modifyFront(customPlan).where(condition('rows')).orderBy(order),
    count: isNarrowed ? countFinding : countAll,
    async slice(offset, limit, total) {
      const count = await total
      if (offset >= count && count <= COUNT_LIMIT) return []
      if (found)
        return all
          .where(sql<boolean>`${sql.ref(id)} = ${anyOf(found.slice(offset, offset + limit))}`)
          .orderBy(order)
          .execute()
      return count <= fewAmong(wanted, isNarrowed, Array.isArray(projects) && projects.length === 1)
        ? cut(offset, limit).execute()
        : walked(offset, limit).execute()
    },
  }
}

/**
 * The number of rows up to which a page is cut from all of them: reading that many is faster than walking along the order to meet twenty
 * of them among a million others. In a project filtered by state only, a walk meets them soon unless there
 * are very few.
 */
function fewAmong({ state }: Wanted, isNarrowed: boolean, isProject: boolean): number {
  if (!isProject || isNarrowed) return FEW
  return state === undefined || state === 'all' ? 0 : 200
}

/** Do the filters select by more than a state? An unfiltered list is counted faster without reading rows. */
const isNarrow = (filters: object, wanted: Wanted & { readonly not?: unknown }): boolean =>
  (wanted.scope ?? 'all') !== 'all' ||
  wanted.not !== undefined ||
  Object.keys(filters).some(name => name !== 'scope' && name !== 'state' && wanted[name as keyof Wanted] !== undefined)
