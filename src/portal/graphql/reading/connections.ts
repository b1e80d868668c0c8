/** Connections: lists with nodes, edges, cursors and a count. */

import { GraphQLError, type GraphQLResolveInfo } from 'graphql'
import { parseJson } from '../../../platform/bounded_json.ts'
import type { Entity } from '../../../platform/kernel/answer/entity.ts'
import { type Rows, slicesOf } from '../../../platform/kernel/answer/page.ts'
import { fieldsBelow, type GraphRequest } from './request.ts'

/** Nodes of a page unless fewer are asked for, and the most. */
export const PAGE = 100

/** The arguments that every connection takes. */
export interface PageArgs {
  readonly after?: string | null
  readonly before?: string | null
  readonly first?: number | null
  readonly last?: number | null
}

interface Page {
  readonly start: number
  readonly rows: readonly unknown[]
  readonly hasNext: boolean
}

const cursorAt = (position: number): string => Buffer.from(JSON.stringify({ position })).toString('base64')

/** The position that a cursor stands for, from 1. */
function positionOf(cursor: string): number {
  try {
    const { position } = parseJson(Buffer.from(cursor, 'base64').toString()) as { position?: unknown }
    if (typeof position === 'number' && Number.isSafeInteger(position) && position > 0) return position
  } catch {
    // Refused below.
  }
  throw new GraphQLError('Please provide a valid cursor')
}

/** A list as a connection. Nothing is read before its fields are resolved. */
export class Connection {
  readonly #request: GraphRequest
  readonly #args: PageArgs
  readonly #kind: string
  readonly #rows: () => Rows<unknown> | Promise<Rows<unknown>>
  readonly #show: (row: unknown) => unknown
  #source: Promise<Rows<unknown>> | undefined
  #page: Promise<Page> | undefined

  constructor(
    request: GraphRequest,
    args: PageArgs,
    kind: string,
    rows: () => Rows<unknown> | Promise<Rows<unknown>>,
    show: (row: unknown) => unknown,
  ) {
    this.#request = request
    this.#args = args
    this.#kind = kind
    this.#rows = rows
    this.#show = show
  }

  async #list() {
    this.#source ??= Promise.resolve(this.#rows())
    return { kind: this.#kind, rows: await this.#source }
  }

  count = async (): Promise<number> => this.#request.lists.count(await this.#list())

  #cut(): Promise<Page> {
    this.#page ??= this.#read()
    return this.#page
  }

  async #read(): Promise<Page> {
    const { after, before, first, last } = this.#args
    if (first != null && last != null) throw new GraphQLError('Can only provide either `first` or `last`, not both')
    if ((first ?? 0) < 0 || (last ?? 0) < 0) throw new GraphQLError('`first` and `last` must not be negative')
    let start = after ? positionOf(after) : 0
    let end = before ? positionOf(before) - 1 : Number.MAX_SAFE_INTEGER
    if (last != null) {
      if (!before) end = await this.count()
      start = Math.max(start, end - Math.min(last, PAGE))
    }
    const limit = Math.min(first ?? PAGE, PAGE, Math.max(0, end - start))
    // One more than the page tells whether there is a next one.
    const some = limit === 0 && first === undefined ? [] : await this.#request.lists.slice(await this.#list(), start, limit + 1)
    const rows = some.slice(0, limit)
    this.#request.pacer.countRows(rows.length)
    return { start, rows, hasNext: some.length > limit }
  }

  async #presented(fields: number): Promise<unknown[]> {
    const { rows } = await this.#cut()
    return rows.map(row => {
      const turn = this.#request.pacer.next(fields)
      return turn ? turn.then(() => this.#show(row)) : this.#show(row)
    })
  }

  nodes = (_args: unknown, _request: unknown, info: GraphQLResolveInfo): Promise<unknown[]> => this.#presented(fieldsBelow(info))

  edges = async (_args: unknown, _request: unknown, info: GraphQLResolveInfo): Promise<unknown[]> => {
    const [{ start }, nodes] = await Promise.all([this.#cut(), this.#presented(fieldsBelow(info))])
    return nodes.map((node, index) => ({ cursor: cursorAt(start + index + 1), node }))
  }

  pageInfo = async () => {
    const { start, rows, hasNext } = await this.#cut()
    return {
      startCursor: rows.length > 0 ? cursorAt(start + 1) : null,
      endCursor: rows.length > 0 ? cursorAt(start + rows.length) : null,
      hasNextPage: hasNext,
      hasPreviousPage: start > 0,
    }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: what `load` hands to `present` is each entity's own affair
type AnyEntity<Row> = Entity<Row, any, any>

/** A connection whose nodes are rows of an entity. `kind` names the list: lists of one kind have the same columns. */
export const connectionOf = <Row>(
  request: GraphRequest,
  args: PageArgs,
  kind: string,
  entity: AnyEntity<Row>,
  rows: () => Rows<Row> | Promise<Rows<Row>>,
): Connection => new Connection(request, args, kind, rows as () => Rows<unknown>, row => request.show(entity, row as Row))

/** A connection of what is known already. `show` makes the nodes of the page. */
export const connectionOfKnown = <Row>(
  request: GraphRequest,
  args: PageArgs,
  known: () => readonly Row[] | Promise<readonly Row[]>,
  show: (row: Row) => unknown = row => row,
): Connection =>
  new Connection(
    request,
    args,
    'known',
    async () => slicesOf(await known()),
    row => show(row as Row),
  )

/** A connection without nodes, for what the caller may not read. */
export const emptyConnection = (request: GraphRequest, args: PageArgs): Connection => connectionOfKnown(request, args, () => [])
