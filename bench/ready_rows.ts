/** What the second floor of a request sends: its answer, taken from the server that is measured, as ready texts in a table. */
import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Bench } from './bench.ts'
import type { Captured } from './capture.ts'
import type { READY_TABLE, ReadyRows, ReadyWork } from './floor/ready.ts'
import { type Floor, startFloor } from './floor/start.ts'
import { watched } from './inside/ask.ts'

/** Not imported: the module is the program of the floor. */
const TABLE: typeof READY_TABLE = 'bench_ready'

/** Where an answer comes from: rows of the database, or memory. */
export type ReadyFrom = 'rows' | 'memory'

/** Above so many rows lists give no totals (`COUNT_LIMIT` of the program, and one). */
const COUNT_BOUND = 10_001

/** Node adds these by itself. */
const ofConnection = ['connection', 'date', 'keep-alive', 'transfer-encoding']

/** An answer with its headers as they were sent. */
interface Sent {
  readonly status: number | undefined
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** Starts the second floor of a request. @throws Error unless it sends what the server sends, byte for byte */
export async function startReady(
  { deps, ingot, inside }: Pick<Bench, 'deps' | 'ingot' | 'inside'>,
  address: string,
  headers: Readonly<Record<string, string>>,
  from: ReadyFrom,
  captured: Captured,
): Promise<Floor> {
  const sent = await ask(`${ingot.url}${address}`, headers)
  const { database, config } = deps
  const rows = from === 'rows' ? await keep(database.pool, sent, captured) : undefined
  const kept = sent.headers.filter((_, at, all) => !ofConnection.includes((all[at - (at % 2)] as string).toLowerCase()))
  const work: ReadyWork = { databaseUrl: database.url, poolSize: config.databasePoolSize, headers: kept, rows, body: sent.body }
  const floor = await startFloor('./ready.ts', work, watched(inside))
  const again = await ask(`${floor.url}${address}`, headers)
  if (again.status === 200 && again.body.equals(sent.body)) return floor
  await floor.stop()
  throw new Error(`the floor of ${address} sends something else: ${again.status} ${again.body.subarray(0, 500)}`)
}

function ask(url: string, headers: Readonly<Record<string, string>>): Promise<Sent> {
  return new Promise((resolve, reject) => {
    request(url, { headers, agent: false }, answer => {
      buffer(answer).then(body => resolve({ status: answer.statusCode, headers: answer.rawHeaders, body }), reject)
    })
      .on('error', reject)
      .end()
  })
}

/** Writes the rows of an answer to the table, and as many more as the list counts. */
async function keep(pool: Bench['deps']['database']['pool'], { headers, body }: Sent, captured: Captured): Promise<ReadyRows> {
  const json: unknown = JSON.parse(body.toString())
  const isList = Array.isArray(json)
  const texts = (isList ? json : [json]).map(row => JSON.stringify(row))
  const counted = isList ? rowsCounted(headers, captured) : 0
  await pool.query(
    `create table if not exists ${TABLE} (list integer not null, position integer not null, json text not null, primary key (list, position))`,
  )
  const { rows } = await pool.query<{ list: number }>(`select coalesce(max(list), 0) + 1 as list from ${TABLE}`)
  const list = rows[0]?.list as number
  await pool.query(`insert into ${TABLE} select $1, position, json from unnest($2::text[]) with ordinality given (json, position)`, [
    list,
    texts,
  ])
  await pool.query(`insert into ${TABLE} select $1, position, '' from generate_series($2::int, $3) position`, [
    list,
    texts.length + 1,
    counted,
  ])
  // Rows that are only counted are found in the index alone, once they are known to be seen by everyone.
  await pool.query(`vacuum (analyze) ${TABLE}`)
  return { list, length: texts.length, isList, counted }
}

/** A list that knows without counting that there are too many counts none. */
function rowsCounted(headers: readonly string[], { statements }: Captured): number {
  const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'x-total')
  if (at >= 0) return Number(headers[at + 1])
  return statements.some(({ parameters }) => parameters.includes(COUNT_BOUND)) ? COUNT_BOUND : 0
}
