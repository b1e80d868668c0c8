/**
 * What a board shows: the open issues that are in none of its lists, those of each list, and the closed ones. One statement counts all columns and finds
 * the first issues of each; where a column has very many, a second one reads them along their order.
 */
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { idArray } from '../../platform/db/statements/any.ts'
import { customPlan } from '../../platform/db/statements/prepared.ts'
import type { IssueList } from '../issues/queries.ts'
import type { BoardListRow, BoardRow } from './queries.ts'

/** The columns that every board has besides its lists. */
export const ends = ['open', 'closed'] as const

/** A column: one of the ends, or a list. */
export type Column = (typeof ends)[number] | BoardListRow

/** What a column is called in addresses. */
export const keyOf = (column: Column): string => (typeof column === 'string' ? column : String(column.id))

/** Issues of a column are counted up to this number. */
export const COUNTED = 10_000

/**
 * A place in the order of a column: the value that it is in order of, and the id. Open issues are in the order made by hand; closed ones by when they
 * were closed, the last one first, as microseconds since 1970.
 */
export const cursorPattern = '^-?\\d{1,40}(\\.\\d{1,900})?,\\d{1,15}$'

/** The part of a column that is asked for. */
export interface ColumnPart {
  readonly column: Column
  /** At most so many. */
  readonly limit: number
  /** Only what comes after this place. */
  readonly after?: string | undefined
}

/** A column as it was found. */
export interface FoundColumn {
  readonly column: Column
  /** How many it has; more than COUNTED: at least so many. */
  readonly total: number
  /** The weight of all of them; undefined where there are more than COUNTED. */
  readonly weight: number | undefined
  /** The ids of the issues of the part, in order. */
  readonly ids: readonly number[]
  /** Where the part ends; undefined where nothing comes after it. */
  readonly end: string | undefined
}

// biome-ignore lint/suspicious/noExplicitAny: a query over any tables will do
type Query = SelectQueryBuilder<any, any, object>
type Condition = RawBuilder<boolean>

const hasLabels = (ids: readonly number[]): Condition =>
  sql<boolean>`exists (select from issue_labels il where il.issue_id = issues.id and il.label_id = any(${idArray(ids)}))`
const isAssignedTo = (ids: readonly number[]): Condition =>
  sql<boolean>`exists (select from issue_assignees ia where ia.issue_id = issues.id and ia.user_id = any(${idArray(ids)}))`

const idsIn = (lists: readonly BoardListRow[], name: 'label_id' | 'assignee_id' | 'milestone_id' | 'iteration_id'): number[] =>
  lists.flatMap(list => list[name] ?? [])

/** Open issues that are in none of the lists. */
function isInNone(lists: readonly BoardListRow[]): Condition {
  const [labels, people] = [idsIn(lists, 'label_id'), idsIn(lists, 'assignee_id')]
  const outside = (name: 'milestone_id' | 'iteration_id'): Condition[] => {
    const ids = idsIn(lists, name)
    const column = sql.ref(`issues.${name}`)
    return ids.length === 0 ? [] : [sql<boolean>`(${column} is null or ${column} <> all(${idArray(ids)}))`]
  }
  const all = [
    sql<boolean>`issues.state = 'opened'`,
    ...(labels.length > 0 ? [sql<boolean>`not ${hasLabels(labels)}`] : []),
    ...(people.length > 0 ? [sql<boolean>`not ${isAssignedTo(people)}`] : []),
    ...outside('milestone_id'),
    ...outside('iteration_id'),
  ]
  return sql.join<boolean>(all, sql` and `)
}

/** The condition of a column; `lists`: all of the board. */
function isIn(column: Column, lists: readonly BoardListRow[]): Condition {
  if (column === 'open') return isInNone(lists)
  if (column === 'closed') return sql<boolean>`issues.state = 'closed'`
  const { label_id, assignee_id, milestone_id, iteration_id } = column
  const subject =
    label_id !== null
      ? sql<boolean>`issues.id in (select il.issue_id from issue_labels il where il.label_id = ${label_id})`
      : assignee_id !== null
        ? sql<boolean>`issues.id in (select ia.issue_id from issue_assignees ia where ia.user_id = ${assignee_id})`
        : milestone_id !== null
          ? sql<boolean>`issues.milestone_id = ${milestone_id}`
          : sql<boolean>`issues.iteration_id = ${iteration_id}`
  return sql<boolean>`issues.state = 'opened' and ${subject}`
}

/** What a board is narrowed to. */
function isInScope({ milestone_id, assignee_id, weight, label_ids }: BoardRow): Condition {
  const all = [
    sql<boolean>`true`,
    ...(milestone_id === null ? [] : [sql<boolean>`issues.milestone_id = ${milestone_id}`]),
    ...(assignee_id === null ? [] : [isAssignedTo([assignee_id])]),
    ...(weight === null ? [] : [sql<boolean>`issues.weight = ${weight}`]),
    ...label_ids.map(id => hasLabels([id])),
  ]
  return sql.join<boolean>(all, sql` and `)
}

/** What a column is in order of. */
const rankOf = (column: Column): RawBuilder<unknown> =>
  column === 'closed' ? sql`(extract(epoch from issues.closed_at) * 1000000)::numeric` : sql`issues.relative_position`

/** The order of a column by its index. */
const orderOf = (column: Column): RawBuilder<unknown> =>
  column === 'closed' ? sql`issues.closed_at desc, issues.id desc` : sql`issues.relative_position, issues.id`

/** Does an issue come after the place where the part begins? Written so that the index of the order is used. */
function isInPart({ column, after }: ColumnPart): Condition {
  if (after === undefined) return sql<boolean>`true`
  const [value, id] = after.split(',')
  return column === 'closed'
    ? sql<boolean>`(issues.closed_at, issues.id) < (timestamptz 'epoch' + ${value}::numeric::bigint * interval '1 microsecond', ${id}::bigint)`
    : sql<boolean>`(issues.relative_position, issues.id) > (${value}::numeric, ${id}::bigint)`
}

interface Counted {
  readonly nth: number
  readonly total: number
  readonly weight: number
  readonly found: readonly (readonly [id: number, rank: string])[] | null
}

/** The first issues of a part and one more, with their ranks, as one JSON array. */
const pairs = (rows: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select coalesce(json_agg(json_build_array(part.id, part.rank::text)), '[]') from (${rows}) as part)`

/**
 * The asked parts of columns.
 * @param base the issues that may be on the board: those of its place that the caller may see and that the filters leave
 * @param lists all lists of the board
 */
export async function findColumns(
  db: Db,
  board: BoardRow,
  lists: readonly BoardListRow[],
  base: Pick<IssueList, 'unordered'>,
  parts: readonly ColumnPart[],
): Promise<FoundColumn[]> {
  if (parts.length === 0) return []
  const scoped = (base.unordered as Query).where(isInScope(board))
  const inColumn = ({ column }: ColumnPart) => scoped.where(isIn(column, lists))
  const counting = parts.map((part, nth) => {
    const rows = inColumn(part)
      .select([sql`issues.id`.as('id'), sql`issues.weight`.as('weight'), rankOf(part.column).as('rank')])
      .select([sql`issues.relative_position`.as('relative_position'), sql`issues.closed_at`.as('closed_at')])
      .limit(sql.lit(COUNTED + 1))
    const first = sql`select issues.id, issues.rank from found as issues where ${isInPart(part)}
      order by ${orderOf(part.column)} limit ${part.limit + 1}`
    return sql`(with found as materialized (${rows}), counted as (select count(*)::int as total, coalesce(sum(weight), 0)::int8 as weight from found)
      select ${sql.lit(nth)}::int as nth, total, weight, case when total <= ${sql.lit(COUNTED)} then ${pairs(first)} end as found from counted)`
  })
  const { rows } = await sql<Counted>`${customPlan} ${sql.join(counting, sql` union all `)}`.execute(db)
  const counted = rows.toSorted((one, other) => one.nth - other.nth)
  const long = counted.filter(({ found }) => found === null)
  const walked = new Map<number, Counted['found']>()
  if (long.length > 0) {
    const walks = long.map(({ nth }) => {
      const part = parts[nth] as ColumnPart
      const along = inColumn(part)
        .select([sql`issues.id`.as('id'), rankOf(part.column).as('rank')])
        .where(isInPart(part))
        .orderBy(orderOf(part.column))
        .limit(part.limit + 1)
      return sql`(select ${sql.lit(nth)}::int as nth, ${pairs(sql`${along}`)} as found)`
    })
    const { rows: more } = await sql<Pick<Counted, 'nth' | 'found'>>`${customPlan} ${sql.join(walks, sql` union all `)}`.execute(db)
    for (const { nth, found } of more) walked.set(nth, found)
  }
  return parts.map((part, nth) => {
    const { total, weight, found } = counted[nth] as Counted
    const all = found ?? walked.get(nth) ?? []
    const shown = all.slice(0, part.limit)
    const [id, rank] = shown.at(-1) ?? []
    return {
      column: part.column,
      total,
      weight: total > COUNTED ? undefined : Number(weight),
      ids: shown.map(([one]) => one),
      end: all.length > part.limit ? `${rank},${id}` : undefined,
    }
  })
}
