/**
 * Pages: offset and keyset, with the headers of document 1 "Pagination" and decisions 1 to 5.
 */
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import { integer, optional, text } from '../declaration/types.ts'
import { methodNotAllowed } from '../errors.ts'

/** Exact totals are given up to this many rows (decision 3). */
export const COUNT_LIMIT = 10_000

const MAX_PER_PAGE = 100

/** The parameters that every list takes. */
export const pageParams = {
  // Contract: 0 is the first page too (public behaviour).
  page: integer('Page number, from 1', { minimum: 1, default: 1, zeroAs: 1 }),
  per_page: integer('Rows on a page; above 100 is served as 100', { minimum: 1, default: 20 }),
}

/** The parameter that a list with keyset pages takes besides. */
export const keysetParams = {
  pagination: optional(text('`keyset` for keyset pages')),
}

/** Rows in a stable order that can be counted and cut. */
export interface Slices<Row> {
  /**
   * `limit` rows from `offset` on.
   * @param total what `count` will say, for those who look for few rows in another way than for many
   */
  slice(offset: number, limit: number, total: Promise<number>): Promise<readonly Row[]>
  /** How many rows there are, or `limit` if there are at least that many. */
  count(limit: number): Promise<number>
  /** Both in one step, where that costs less. */
  counted?(offset: number, limit: number, most: number): Promise<{ readonly rows: readonly Row[]; readonly total: number }>
  /** The query of all of them, for a list that has keyset pages. */
  readonly query?: Query<Row>
}

// biome-ignore lint/suspicious/noExplicitAny: a query over any tables will do
type Query<Row> = SelectQueryBuilder<any, any, Row>

/** What the `run` of a list returns: a query with its order and without limit, or slices of another source (git). */
export type Rows<Row> = Query<Row> | Slices<Row>

/** The slices of a list that is in memory already. */
export const slicesOf = <Row>(rows: readonly Row[]): Slices<Row> => ({
  slice: async (offset, limit) => rows.slice(offset, offset + limit),
  count: async limit => Math.min(rows.length, limit),
})

const isSlices = <Row>(rows: Rows<Row>): rows is Slices<Row> => 'slice' in rows

const slicesOfQuery = <Row>(db: Db, query: Query<Row>): Slices<Row> => ({
  slice: (offset, limit) => query.limit(limit).offset(offset).execute(),
  count: limit => countRows(db, query, limit),
})

/** How many rows a query has, or `limit` if there are at least that many. */
export async function countRows<Row>(db: Db, query: Query<Row>, limit: number): Promise<number> {
  const { rows } = await countingOf(query, limit).execute(db)
  return rows[0]?.total ?? 0
}

/** The statement of `countRows`. */
export const countingOf = <Row>(query: Query<Row>, limit: number | RawBuilder<number>): RawBuilder<{ total: number }> => {
  // The inner limit bounds the work: counting never grows with the table.
  const some = query.clearSelect().clearOrderBy().select(sql`1`.as('one')).limit(limit)
  return sql<{ total: number }>`select count(*)::int as total from ${some} as counted`
}

/** What a list endpoint offers besides plain offset pages. */
export interface PageOptions {
  /** Offset pages end here: `page` × `per_page` above it is a 405 (decision 5). */
  readonly cap?: number
  /** Keyset pages in the order of this id column, e.g. `projects.id` (document 1; decision 4). */
  readonly keyset?: string
}

export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly headers: Record<string, string>
}

/** The parameters that a page is cut by, as the endpoint has read them. */
export interface PageRequest {
  readonly page: number
  readonly per_page: number
  readonly pagination?: string
  readonly order_by?: string
  readonly sort?: string
}

/**
 * Cuts one page and describes it. `address` is the URL of the request as the client sees it; links keep its filters.
 */
export async function cutPage<Row>(
  db: Db,
  source: Rows<Row>,
  request: PageRequest,
  options: PageOptions,
  address: URL,
): Promise<Page<Row>> {
  const perPage = Math.min(request.per_page, MAX_PER_PAGE)
  if (options.keyset && request.pagination === 'keyset') {
    if (request.order_by !== 'id') throw methodNotAllowed('Keyset pagination is not yet available for this type of request')
    const query = isSlices(source) ? source.query : source
    return keysetPage(query as Query<Row & { id: number }>, perPage, request.sort ?? 'desc', address)
  }
  if (options.cap && request.page * perPage > options.cap)
    throw methodNotAllowed(`Offset pagination has a maximum allowed offset of ${options.cap} records: use keyset pagination for more`)
  return offsetPage(isSlices(source) ? source : slicesOfQuery(db, source), request.page, perPage, address)
}

async function rowsAndTotal<Row>(source: Slices<Row>, offset: number, limit: number) {
  if (source.counted) return source.counted(offset, limit, COUNT_LIMIT + 1)
  const total = source.count(COUNT_LIMIT + 1)
  const [rows, counted] = await Promise.all([source.slice(offset, limit, total), total])
  return { rows, total: counted }
}

async function offsetPage<Row>(source: Slices<Row>, page: number, perPage: number, address: URL): Promise<Page<Row>> {
  // One row more than the page tells whether a next page exists where the total is not known.
  const { rows: some, total: counted } = await rowsAndTotal(source, (page - 1) * perPage, perPage + 1)
  const rows = some.slice(0, perPage)
  const known = counted <= COUNT_LIMIT
  const pages = Math.max(1, Math.ceil(counted / perPage))
  const next = some.length > perPage ? page + 1 : undefined
  // Of a page beyond the end, the page before may not exist either (decision 1).
  const previous = page > 1 && (!known || page - 1 <= pages) ? page - 1 : undefined
  const to = (number: number) => withQuery(address, { page: String(number), per_page: String(perPage) })
  const links = [
    previous && link(to(previous), 'prev'),
    next && link(to(next), 'next'),
    link(to(1), 'first'),
    // Contract: exact totals may be left out above 10,000 rows, on all lists alike (decision 3).
    known && link(to(pages), 'last'),
  ].filter(part => typeof part === 'string')
  return {
    rows,
    headers: {
      ...linkHeader(links, next === undefined ? undefined : to(next)),
      'x-next-page': next === undefined ? '' : String(next),
      'x-page': String(page),
      'x-per-page': String(perPage),
      'x-prev-page': previous === undefined ? '' : String(previous),
      ...(known ? { 'x-total': String(counted), 'x-total-pages': String(pages) } : {}),
    },
  }
}

async function keysetPage<Row extends { id: number }>(query: Query<Row>, perPage: number, sort: string, address: URL): Promise<Page<Row>> {
  const rows = await query.limit(perPage).execute()
  const last = rows.at(-1)
  // Contract: the last page that has rows still links on, to an empty one without a link (decision 4).
  if (!last) return { rows, headers: {} }
  const next = link(withQuery(address, { [sort === 'asc' ? 'id_after' : 'id_before']: String(last.id), page: undefined }), 'next')
  return { rows, headers: { link: next, links: next } }
}

/** The longest `Link` header in bytes: Node's own clients read 16 KB of headers in all, and renovate ignores long ones. */
const MAX_LINK = 8 * 1024

/**
 * Contract: every relation that exists is sent (decision 1), unless a query of many kilobytes, repeated in each, would
 * make the answer unreadable for its client: then `next` alone, and without it the `x-` headers still tell the pages.
 */
function linkHeader(links: readonly string[], next: string | undefined): Record<string, string> {
  const fitting = [links.join(', '), next === undefined ? '' : link(next, 'next')].find(text => text.length <= MAX_LINK)
  return fitting ? { link: fitting } : {}
}

const link = (url: string, relation: string) => `<${url}>; rel="${relation}"`

/** The address with some query parameters replaced; commas and semicolons stay encoded, for clients split on them. */
function withQuery(address: URL, changes: Record<string, string | undefined>): string {
  const query = new URLSearchParams(address.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) query.delete(name)
    else query.set(name, value)
  }
  return `${address.origin}${address.pathname}?${query}`
}
