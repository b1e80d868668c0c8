/**
 * Databases that the scenes of a process use one after the other. To copy a database, to open connections, and to plan every statement again
 * on each of them was most of what the server did for tests. A scene finds its database as the migrations left it: every row and every
 * sequence, with nothing left in a session. A database that cannot be brought back to that is not used again.
 */
import pg from 'pg'
import pino from 'pino'
import { type Connections, type Database, databaseOn, openConnections, openDatabase } from '../src/platform/db/connection.ts'
import type { Log } from '../src/platform/db/log.ts'
import { testDatabaseUrl } from './database.ts'
import { eventually } from './eventually.ts'

const POOL_SIZE = 8

/** What is deleted keeps its room on the disk: a database with more pages of 8 kB in its tables is not used again. */
const MOST_PAGES = 4_000

/** Databases that no scene uses; undefined in a process that keeps none. */
let free: Kept[] | undefined

/** Keeps the databases of scenes for the next ones, until the returned function is called. */
export function keepDatabases(): () => Promise<void> {
  const before = free
  free = []
  return async () => {
    const all = free ?? []
    free = before
    await Promise.all(all.map(kept => kept.close()))
  }
}

/**
 * A handle on a database as the migrations left it, which is for the caller alone until `close`.
 * @param log for connections that are the scene's own
 */
export async function sceneDatabase(log: Log): Promise<Database> {
  if (free === undefined) return openDatabase({ url: await testDatabaseUrl(), poolSize: POOL_SIZE, log })
  const kept = free.pop() ?? (await Kept.open())
  return kept.lend()
}

/** Rows of a table as JSON, with the quoted names of the columns that can be written. */
interface Rows {
  readonly json: string
  readonly columns: string
}

/** Quoted names of tables and ids of sequences. */
interface Shape {
  readonly tables: readonly string[]
  readonly sequences: readonly string[]
}

class Kept {
  readonly connections: Connections
  /**
   * Brings the database back, without the triggers of the tables, which foreign keys are among. Not one of the scenes' connections: with this setting a
   * session forgets the plans of all its statements.
   */
  readonly #restorer: pg.Client
  readonly #shape: Shape
  /** What no test may change: the definitions of everything in the database. */
  readonly #definitions: string
  /** The rows that the migrations made, by table. */
  readonly #rows: ReadonlyMap<string, Rows>

  private constructor(connections: Connections, restorer: pg.Client, shape: Shape, definitions: string, rows: ReadonlyMap<string, Rows>) {
    this.connections = connections
    this.#restorer = restorer
    this.#shape = shape
    this.#definitions = definitions
    this.#rows = rows
  }

  static async open(): Promise<Kept> {
    const log = pino({ level: 'silent' })
    const url = await testDatabaseUrl()
    const restorer = new pg.Client(url)
    await restorer.connect()
    await restorer.query('set session_replication_role = replica')
    const [shape] = (await restorer.query<Shape>(SHAPE)).rows
    if (!shape) throw new Error('a database has tables')
    const rows = new Map<string, Rows>()
    for (const table of await filled(restorer, shape.tables))
      rows.set(table, { json: await rowsOf(restorer, table), columns: await columnsOf(restorer, table) })
    const connections = await openConnections({ url, poolSize: POOL_SIZE, log })
    return new Kept(connections, restorer, shape, await definitionsIn(restorer), rows)
  }

  /** Closes all connections to the database, which is not used again. */
  async close(): Promise<void> {
    await Promise.all([this.connections.close(), this.#restorer.end()])
  }

  /** A handle that works until it is closed. */
  lend(): Database {
    const { leases, url, pool } = this.connections
    let isOver = false
    const connect = async () => {
      if (isOver) throw new Error('The database was given back')
      return leases.connect()
    }
    return databaseOn({
      size: POOL_SIZE,
      url,
      pool,
      leases: { ...leases, connect },
      close: async () => {
        isOver = true
        await eventually(() => pool.idleCount === pool.totalCount && pool.waitingCount === 0, 'the connections of a scene')
        if (free !== undefined && (await this.#restore())) free.push(this)
        else await this.close()
      },
    })
  }

  /** Makes the database what it was. @returns whether it is */
  async #restore(): Promise<boolean> {
    const { pool } = this.connections
    const clients = await Promise.all(Array.from({ length: Math.max(pool.totalCount, 1) }, () => pool.connect()))
    try {
      const client = this.#restorer
      if ((await isUsedByOthers(client, [client, ...clients])) || (await definitionsIn(client)) !== this.#definitions) return false
      await Promise.all(clients.map(each => each.query('unlisten *; select pg_advisory_unlock_all()')))
      return await this.#empty()
    } finally {
      for (const each of clients) each.release()
    }
  }

  async #empty(): Promise<boolean> {
    const client = this.#restorer
    const tables = await filled(client, this.#shape.tables)
    const { rows } = await client.query<{ pages: number }>({ name: 'pages', text: PAGES, values: [tables] })
    if ((rows[0]?.pages ?? 0) > MOST_PAGES) return false
    const steps: string[] = []
    for (const table of new Set([...tables, ...this.#rows.keys()])) {
      const wanted = this.#rows.get(table)
      if (wanted === undefined) steps.push(`delete from ${table}`)
      else if (wanted.json !== (await rowsOf(client, table))) steps.push(`delete from ${table}`, insertion(table, wanted))
    }
    await client.query(['begin', ...steps, 'commit'].join(';'))
    await client.query({ name: 'restart_sequences', text: RESTART, values: [this.#shape.sequences] })
    return true
  }
}

const OWN = `('pg_catalog', 'information_schema', 'pg_toast')`

const SHAPE = `
  select array_agg(format('%I.%I', nspname, relname) order by nspname, relname) filter (where relkind = 'r') as tables,
         array_agg(pg_class.oid::text) filter (where relkind = 'S') as sequences
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace where nspname not in ${OWN}`

/** Everything that the definition of a table, a function or a sequence is made of, and what the planner was given to know. */
const DEFINITIONS = `
  select md5(string_agg(item, ' ' order by item)) as digest from (
    select 'class ' || oid || ' ' || xmin || ' ' || relpages from pg_class where oid >= 16384 and relkind <> 'S' and relkind <> 'i'
    union all select 'index ' || indexrelid || ' ' || xmin from pg_index where indexrelid >= 16384
    union all select 'column ' || attrelid || ' ' || attnum || ' ' || xmin from pg_attribute where attrelid >= 16384
    union all select 'function ' || oid || ' ' || xmin from pg_proc where oid >= 16384
    union all select 'trigger ' || oid || ' ' || xmin from pg_trigger
    union all select 'rule ' || oid || ' ' || xmin from pg_rewrite where oid >= 16384
    union all select 'constraint ' || oid || ' ' || xmin from pg_constraint where oid >= 16384
    union all select 'statistics ' || count(*) from pg_statistic where starelid >= 16384
    union all select 'setting ' || setrole || ' ' || setconfig::text from pg_db_role_setting
      join pg_database on pg_database.oid = setdatabase where datname = current_database()
  ) items (item)`

const PAGES = `select coalesce(sum(pg_relation_size(name::regclass)) / 8192, 0)::int as pages from unnest($1::text[]) name`

const RESTART = `
  select setval(seqrelid, seqstart, false) from pg_sequence
   where seqrelid = any($1::oid[]) and pg_sequence_last_value(seqrelid) is not null`

type Session = Pick<pg.Client, 'query'>

async function definitionsIn(session: Session): Promise<string> {
  const { rows } = await session.query<{ digest: string }>({ name: 'definitions', text: DEFINITIONS })
  return rows[0]?.digest ?? ''
}

/** Those of the tables that have rows. */
async function filled(session: Session, tables: readonly string[]): Promise<string[]> {
  const text = tables.map((table, index) => `select ${index} as position where exists (select from ${table})`).join(' union all ')
  const { rows } = await session.query<{ position: number }>({ name: 'filled', text })
  return rows.map(({ position }) => tables[position] as string)
}

async function rowsOf(session: Session, table: string): Promise<string> {
  const { rows } = await session.query<{ json: string }>(`select json_agg(t order by ctid)::text as json from ${table} t`)
  return rows[0]?.json ?? ''
}

/** Is another session than those of these clients connected? One that has just been closed has a moment to end. */
async function isUsedByOthers(client: Session, clients: readonly (pg.Client | pg.PoolClient)[]): Promise<boolean> {
  const own = clients.map(each => (each as unknown as { processID: number }).processID)
  const deadline = performance.now() + 2_000
  for (;;) {
    const { rowCount } = await client.query({
      name: 'others',
      text: 'select from pg_stat_activity where datname = current_database() and pid <> all($1::int[]) limit 1',
      values: [own],
    })
    if (rowCount === 0) return false
    if (performance.now() > deadline) return true
  }
}

async function columnsOf(session: Session, table: string): Promise<string> {
  const { rows } = await session.query<{ names: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as names from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  )
  return rows[0]?.names ?? ''
}

/** The statement that writes rows back as they were. */
const insertion = (table: string, { json, columns }: Rows): string =>
  `insert into ${table} (${columns}) overriding system value
   select ${columns} from json_populate_recordset(null::${table}, ${pg.escapeLiteral(json)}::json)`
