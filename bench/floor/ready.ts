/**
 * The second floor of a request: what the machine gives to a program that keeps its answers ready. A bare `node:http` handler looks the
 * caller's token up by one statement, reads the rows as JSON text by an index with one more, which also counts them where the list counts,
 * and sends the same bytes and headers. Reads of git, and what depends on no row, come from memory.
 */
import { hash } from 'node:crypto'
import pino from 'pino'
import { openDatabase } from '../../src/platform/db/connection.ts'
import { serveFloor } from './serve.ts'

/** The table of ready texts, which the bench makes (`bench/ready_rows.ts`). */
export const READY_TABLE = 'bench_ready'

/** What the handler answers, and what with. */
export interface ReadyWork {
  readonly databaseUrl: string
  readonly poolSize: number
  readonly headers: readonly string[]
  /** Where the rows are in the table; undefined where the answer comes from memory. */
  readonly rows: ReadyRows | undefined
  /** The answer, where it comes from memory. */
  readonly body: Buffer
}

/** Rows of the table that make an answer. */
export interface ReadyRows {
  readonly list: number
  /** On the page. */
  readonly length: number
  /** A thing that is no list is its one row. */
  readonly isList: boolean
  /** So many rows are counted; 0 where the list counts none. */
  readonly counted: number
}

/** By the digest, as the tokens of the program are found. */
const findCaller = `
  select t.id, t.scopes, u.id as user_id, u.username, u.admin, u.state
    from personal_access_tokens t join users u on u.id = t.user_id
   where t.digest = $1 and not t.revoked and (t.expires_at is null or t.expires_at > current_date)`

/** One text: the driver takes longer over an array of texts than over all else that it does here. */
const page = `
  select string_agg(json, ',' order by position) as texts from ${READY_TABLE} where list = $1 and position <= $2`
const countedPage = `
  select texts, (select count(*)::int from (select from ${READY_TABLE} where list = $1 limit $3) counted) as total from (${page}) page`

await serveFloor<ReadyWork>(async ({ databaseUrl, poolSize, headers, rows, body }) => {
  const { pool } = await openDatabase({ url: databaseUrl, poolSize, log: pino({ level: 'error' }) })

  async function texts({ list, length, counted }: ReadyRows): Promise<string> {
    const statement =
      counted === 0
        ? { name: 'page', text: page, values: [list, length] }
        : { name: 'counted', text: countedPage, values: [list, length, counted] }
    const found = await pool.query<{ texts: string | null }>(statement)
    return found.rows[0]?.texts ?? ''
  }

  async function answer(token: string): Promise<string | Buffer> {
    const caller = await pool.query({ name: 'caller', text: findCaller, values: [hash('sha256', token, 'base64url')] })
    if (caller.rowCount !== 1) throw new Error('there is no such token')
    if (!rows) return body
    const found = await texts(rows)
    return rows.isList ? `[${found}]` : found
  }
  return (request, response) => {
    answer(String(request.headers['private-token'])).then(
      bytes => response.writeHead(200, headers as string[]).end(bytes),
      error => response.writeHead(500).end(String(error)),
    )
  }
})
