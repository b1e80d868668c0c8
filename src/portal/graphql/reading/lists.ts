/**
 * Lists for many parents at a time: the same connection below each node of a list is one statement for all of them, so that a query costs the
 * same number of statements however many nodes it meets.
 */
import DataLoader from 'dataloader'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { COUNT_LIMIT, countRows, type Rows, type Slices } from '../../../platform/kernel/answer/page.ts'

// biome-ignore lint/suspicious/noExplicitAny: a query over any tables will do
type Query = SelectQueryBuilder<any, any, any>

/** A list that is asked for below a parent. */
export interface Source {
  /** Lists of one kind have the same columns. */
  readonly kind: string
  readonly rows: Rows<unknown>
}

interface Slice extends Source {
  readonly offset: number
  readonly limit: number
}

export interface Lists {
  /** `limit` rows from `offset` on. */
  slice(source: Source, offset: number, limit: number): Promise<readonly unknown[]>
  /** How many rows there are; from `COUNT_LIMIT` on, that many. */
  count(source: Source): Promise<number>
}

/** The lists of one request. */
export function listsOf(db: Db): Lists {
  const slices = new DataLoader<Slice, readonly unknown[]>(wanted => byKind(wanted, some => slicesOfKind(db, some)), { cache: false })
  const counts = new DataLoader<Source, number>(wanted => byKind(wanted, some => countsOfKind(db, some)), { cache: false })
  return {
    slice: (source, offset, limit) => slices.load({ ...source, offset, limit }),
    count: source => counts.load(source),
  }
}

/** Answers the sources of each kind by one call, in the order of `wanted`. */
async function byKind<S extends Source, T>(wanted: readonly S[], answer: (some: readonly S[]) => Promise<readonly T[]>): Promise<T[]> {
  const answers = new Map<S, T>()
  await Promise.all(
    [...Map.groupBy(wanted, ({ kind }) => kind).values()].map(async some => {
      const found = await answer(some)
      for (const [index, source] of some.entries()) answers.set(source, found[index] as T)
    }),
  )
  return wanted.map(source => answers.get(source) as T)
}

const isSlices = (rows: Rows<unknown>): rows is Slices<unknown> => 'slice' in rows

/** The list as one query in its order, if it is one. */
const queryOf = (rows: Rows<unknown>): Query | undefined => (isSlices(rows) ? (rows as { readonly ordered?: Query }).ordered : rows)

async function slicesOfKind(db: Db, wanted: readonly Slice[]): Promise<readonly (readonly unknown[])[]> {
  const queries = wanted.map(({ rows }) => queryOf(rows))
  const [only] = wanted
  if (wanted.length === 1 && only) return [await oneSlice(only)]
  if (queries.some(query => query === undefined)) return Promise.all(wanted.map(oneSlice))
  const parts = wanted.map(
    ({ offset, limit }, index) => sql`
      (select cut.*, ${sql.lit(index)}::int as at_parent, row_number() over () as at_row
         from (${(queries[index] as Query).limit(limit).offset(offset)}) as cut)`,
  )
  const { rows } = await sql<{ at_parent: number }>`${sql.join(parts, sql` union all `)} order by at_parent, at_row`.execute(db)
  const found = Map.groupBy(rows, row => row.at_parent)
  return wanted.map((_, index) => found.get(index) ?? [])
}

const oneSlice = ({ rows, offset, limit }: Slice): Promise<readonly unknown[]> =>
  isSlices(rows) ? rows.slice(offset, limit, rows.count(COUNT_LIMIT + 1)) : rows.limit(limit).offset(offset).execute()

async function countsOfKind(db: Db, wanted: readonly Source[]): Promise<readonly number[]> {
  const [only] = wanted
  const counted = (rows: Rows<unknown>) => (isSlices(rows) ? (rows as { readonly unordered?: Query }).unordered : rows)
  if (wanted.length === 1 && only) return [await oneCount(db, only)]
  const queries = wanted.map(({ rows }) => counted(rows))
  if (queries.some(query => query === undefined)) return Promise.all(wanted.map(source => oneCount(db, source)))
  const parts = queries.map(
    (query, index) => sql`(select ${sql.lit(index)}::int as at_parent, count(*)::int as total
      from ${(query as Query).clearSelect().clearOrderBy().select(sql`1`.as('one')).limit(COUNT_LIMIT)} as counted)`,
  )
  const { rows } = await sql<{ at_parent: number; total: number }>`${sql.join(parts, sql` union all `)}`.execute(db)
  const totals = new Map(rows.map(row => [row.at_parent, row.total]))
  return wanted.map((_, index) => totals.get(index) ?? 0)
}

const oneCount = (db: Db, { rows }: Source): Promise<number> =>
  isSlices(rows) ? rows.count(COUNT_LIMIT) : countRows(db, rows, COUNT_LIMIT)
