/** Lists of planned things, long ones too: counted before their rows are looked for. */
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { ItemTables } from '../../collaboration/item_kinds/kinds.ts'
import { anyOf } from '../../platform/db/any.ts'
import { customPlan } from '../../platform/db/prepared.ts'
import { COUNT_LIMIT, countRows, type Slices } from '../../platform/kernel/answer/page.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { type FilterTable, matchingBy, type Way } from './conditions.ts'
import { type Projects, resolveFilterIds } from './filter_ids.ts'
import type { Filters } from './filters.ts'
import { columnsOf, inOrder, type Order, type Sort } from './orders.ts'
import { firstOf, setsOf } from './set_operations.ts'

/** Who asks for a list, and of what. */
export type Asking = Pick<Context, 'db' | 'actor' | 'now' | 'tier'>

/** Values of the filters `F`, of what is not wanted, and the order. */
export type ListOptions<F> = F & {
  readonly in?: readonly string[] | undefined
  readonly not?: F | undefined
  readonly order_by?: Order | undefined
  readonly sort?: Sort | undefined
}

// biome-ignore lint/suspicious/noExplicitAny: a query over any tables will do
type Query<Row> = SelectQueryBuilder<any, any, Row>

type Wanted = Pick<Filters, 'in' | 'scope' | 'state'> & object

/** Rows that are read and sorted rather than met on the way. */
const FEW = 2_000

/** The filters that every kind of planned thing has. */
export type Common = Pick<Filters, 'labels' | 'milestone' | 'scope' | 'state'>

/** What a list is made from. */
export interface Listing<Row, F extends Common> {
  readonly kind: ItemTables
  readonly filters: FilterTable<F>
  /** Everything of the kind, as it is shown; with outer joins alone, for rows are counted in the kind's table. */
  readonly all: Query<Row>
  /** Which of them the caller may know of in the place that is asked. */
  readonly where: RawBuilder<boolean>
  readonly options: ListOptions<F>
  /** The projects that are asked, all of them open to the caller. */
  readonly projects: Projects
  /** Given where `where` takes all rows of these projects, except those with some ids. */
  readonly byProject?: ByProject | undefined
  /**
   * How many rows in `state` `where` takes at the least, as far as that is known without looking at them; no more than `enough` need be
   * told. Where they are enough nothing is counted.
   */
  readonly atLeast?: ((state: string, enough: number) => number | Promise<number>) | undefined
}

/** That whoever may look into a project may know of all its rows. */
export interface ByProject {
  /** A query of the ids of the rows that they may not know of. */
  readonly except?: RawBuilder<number> | undefined
}

/** A list, and the same without columns and order for what is counted in it. */
export interface PlannedList<Row> extends Slices<Row> {
  readonly unordered: Query<object>
}

/**
 * A list, whose rows are counted before they are looked for: a page of few is cut from all of them; a page of many is
 * found by walking along its order, where the database would rather trust its guess of how many there are. Wrong guesses
 * (two labels that never go together) made it read a million rows for none. Planned for its values each time, since projects
 * differ in size by orders of magnitude. Where something narrows the list, few rows are found by counting them already;
 * where nothing does, what projects count of themselves may tell that there are many.
 */
export async function listPlanned<Row, F extends Common>(ctx: Asking, listing: Listing<Row, F>): Promise<PlannedList<Row>> {
  const { kind, filters, all, where, options, projects, atLeast } = listing
  const { db } = ctx
  const { order_by = 'created_at', sort = 'desc', ...wanted } = options
  const named = await resolveFilterIds(db, wanted as Filters & { not?: Filters }, projects)
  const condition = (by: Way) => sql<boolean>`${where} and ${matchingBy(filters, kind, wanted as unknown as F, ctx, named, by)}`
  const isNarrowed = isNarrow(filters, wanted)
  const order = inOrder(kind, order_by, sort)
  const id = `${kind.table}.id`
  const unordered: Query<object> = db.selectFrom(kind.table).modifyFront(customPlan).where(condition('sets'))
  /** The rows with these ids, in order. What is shown of a row is found for those on the page alone, not for all before it. */
  const withIds = (ids: Query<object>) =>
    all
      .modifyFront(customPlan)
      .where(sql<boolean>`${sql.ref(id)} in ${ids}`)
      .orderBy(order)
  const walked = (offset: number, limit: number) => {
    // The first page has no rows before it.
    if (offset === 0) return all.modifyFront(customPlan).where(condition('rows')).orderBy(order).limit(limit)
    const met = db.selectFrom(kind.table).select(sql.ref<number>(id).as('id')).where(condition('rows'))
    return withIds(met.orderBy(order).limit(limit).offset(offset))
  }
  const cut = (offset: number, limit: number) => {
    // Without the offset the database would see through it, and walk.
    const found = unordered.selectAll(kind.table).offset(sql.lit(0)).as(kind.table)
    return withIds(db.selectFrom(found).select(sql.ref<number>(id).as('id')).orderBy(order).limit(limit).offset(offset))
  }
  const sets = setsOf(ctx, listing, named)
  // What was found by counting, in the order of the list, where it is little.
  let found: readonly number[] | null = null
  const countFinding = async (limit: number) => {
    const columns = columnsOf(kind, order_by)
    const some = sets
      ? firstOf(listing, sets, columns, limit)
      : unordered.select(columns.map(name => sql.ref(`${kind.table}.${name}`).as(name))).limit(limit)
    // Rows that ids alone tell are looked at no sooner than there are few.
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
 * Up to how many rows a page is cut from all of them: so many are read faster than a walk along the order meets twenty of
 * them among a million others. In a project where nothing but the state is asked for, a walk meets them soon unless there
 * are very few.
 */
function fewAmong({ state }: Wanted, isNarrowed: boolean, isProject: boolean): number {
  if (!isProject || isNarrowed) return FEW
  return state === undefined || state === 'all' ? 0 : 200
}

/** Is more asked for by these filters than a state? A list of everything is counted faster where nothing of its rows is looked at. */
const isNarrow = (filters: object, wanted: Wanted & { readonly not?: unknown }): boolean =>
  (wanted.scope ?? 'all') !== 'all' ||
  wanted.not !== undefined ||
  Object.keys(filters).some(name => name !== 'scope' && name !== 'state' && wanted[name as keyof Wanted] !== undefined)
