/** The connection pool and the typed handle on it, for the embedded server and for any other one from version 14. */
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { DatabaseUnavailable, DatabaseUnfit, isRefusedByServer } from './errors.ts'
import { limitTransactions } from './handles.ts'
import type { Log } from './log.ts'
import { openPool, type Pool } from './pool.ts'
import type { DB } from './schema.ts'
import { deallocateUnless, queryNamed, streamOf } from './statements/named_query.ts'
import { type Planning, planningOf, StatementNames } from './statements/prepared.ts'
import { recordStatement } from './statements/statements.ts'
import { types } from './types.ts'

export { DatabaseUnavailable, DatabaseUnfit }

/** The handle that queries and commands take: the pool, or the transaction of a request. */
export type Db = Kysely<DB>

export type Database = {
  readonly db: Db
  /** The pool, for work that needs a connection of its own (LISTEN, locks). */
  readonly pool: pg.Pool
  readonly url: string
  /** Closes the connections when the running statements have ended. */
  close(): Promise<void>
}

export type DatabaseOptions = {
  url: string
  /** Connections for statements and transactions. */
  poolSize: number
  /** Connections besides, for what keeps one as long as the process runs: it listens, or holds a lock. Default none. */
  kept?: number
  log: Log
  /** Limit for one statement in milliseconds; 0: none. Default 30,000. */
  statementTimeout?: number
}

const oldestVersion = 140_000

/** Limit of waiting for a pooled or new connection, in milliseconds. */
const connectTimeout = 10_000

/** How long a transaction may be idle before the server ends it, in milliseconds: other transactions wait for its locks. */
const idleTransactionTimeout = 60_000

/** Open connections to a database, which handles are made on. */
export type Connections = {
  readonly url: string
  readonly pool: pg.Pool
  /** The pool as a handle takes connections from it. */
  readonly leases: PostgresPool
  /** How many there may be for statements and transactions. */
  readonly size: number
  /** Closes the connections when the running statements have ended. */
  close(): Promise<void>
}

/**
 * Connects and checks the server.
 * @throws DatabaseUnavailable it cannot be reached
 * @throws DatabaseUnfit it is older than PostgreSQL 14, or its address overrides what Ingot's sessions rely on
 */
export const openDatabase = async (options: DatabaseOptions): Promise<Database> => databaseOn(await openConnections(options))

/** A handle on these connections, which ends with them. */
export function databaseOn({ url, pool, leases, size, close }: Connections): Database {
  const db: Db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: leases }), log: recordStatement })
  limitTransactions(db, size, connectTimeout)
  return {
    db,
    pool,
    url,
    close: async () => {
      await db.destroy()
      await close()
    },
  }
}

/** `openDatabase` without the handle. */
export async function openConnections({ url, poolSize, kept = 0, log, statementTimeout = 30_000 }: DatabaseOptions): Promise<Connections> {
  const settings: pg.PoolConfig = {
    connectionString: url,
    max: poolSize + kept,
    types,
    application_name: 'ingot',
    options: '-c TimeZone=UTC -c DateStyle=ISO -c IntervalStyle=postgres',
    statement_timeout: statementTimeout,
    idle_in_transaction_session_timeout: idleTransactionTimeout,
    connectionTimeoutMillis: connectTimeout,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    // Concurrent statements on a connection are sent in one round trip.
    pipeline: true,
  }
  const pool = openPool(settings, log)
  try {
    await assertFit(pool.pool)
  } catch (error) {
    await pool.close()
    throw error instanceof DatabaseUnfit
      ? error
      : new DatabaseUnavailable(`The database cannot be reached: ${reasonOf(error)}`, { cause: error })
  }
  return { url, pool: pool.pool, leases: typedFailures(pool), size: poolSize, close: () => pool.close() }
}

async function assertFit(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
            current_setting('server_encoding') as encoding, current_setting('TimeZone') as zone, current_setting('DateStyle') as style`,
  )
  const { number, version, encoding, zone, style } = rows[0]
  if (number < oldestVersion) throw new DatabaseUnfit(`The database is PostgreSQL ${version}, Ingot needs 14 or newer`)
  if (encoding !== 'UTF8') throw new DatabaseUnfit(`The database is encoded in ${encoding}, Ingot needs UTF8`)
  if (zone !== 'UTC' || !style.startsWith('ISO'))
    throw new DatabaseUnfit('DATABASE_URL must not set `options`: Ingot needs TimeZone UTC and DateStyle ISO')
}

/** An error's code or message. The failure of several addresses is one error without a message. */
function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException
  return message || code || String(error)
}

/** The pool as Kysely uses it, with every connection failure converted to DatabaseUnavailable. */
function typedFailures({ pool, isLost }: Pool): PostgresPool {
  // One wrapper per connection, because Kysely remembers connections by identity.
  const wrappers = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  const names = new StatementNames()
  const unavailable = (cause: unknown) => new DatabaseUnavailable('The database is not available', { cause })

  function wrap(client: pg.PoolClient): PostgresPoolClient {
    // The server sends its error before it closes the connection. The connection must not be reused in between.
    let isDoomed = false
    const socket = streamOf(client)
    /** The plan mode that was set on this connection; undefined after a failure that may have rolled it back. */
    let planning: Planning | undefined = 'auto'
    const plan = (wanted: Planning) => {
      if (planning === wanted) return
      planning = wanted
      client.query(`set plan_cache_mode = ${wanted}`).catch(() => {
        planning = undefined
      })
    }
    const send = (statement: string, parameters: unknown[]) => {
      // A statement without parameters is sent as a simple query, which may contain several statements.
      if (parameters.length === 0) return client.query(statement)
      const name = names.nameOf(statement)
      plan(name === undefined ? 'auto' : planningOf(statement))
      return name === undefined ? client.query(statement, parameters) : queryNamed(client, name, statement, parameters)
    }
    let isGathering = false
    /** Corks the socket, so that all statements of this tick go out in one write. */
    const gather = () => {
      if (isGathering) return
      isGathering = true
      socket.cork()
      process.nextTick(() => {
        isGathering = false
        socket.uncork()
      })
    }
    const run = async (statement: string, parameters: unknown[]) => {
      gather()
      if (statement.startsWith('rollback')) planning = undefined
      try {
        return await send(statement, parameters)
      } catch (error) {
        planning = undefined
        isDoomed ||= isLost(client) || isRefusedByServer(error)
        throw isDoomed ? unavailable(error) : error
      }
    }
    // Kysely's type has an overload for cursors, which need a package that is not configured.
    return { query: run as unknown as PostgresPoolClient['query'], release: () => client.release(isDoomed || isLost(client)) }
  }

  /** The value of the counter of evicted names when this connection last deallocated statements. */
  const freed = new WeakMap<pg.PoolClient, number>()

  async function freeUnnamed(client: pg.PoolClient): Promise<void> {
    if ((freed.get(client) ?? 0) === names.lost) return
    freed.set(client, names.lost)
    await deallocateUnless(client, name => names.isInUse(name))
  }

  return {
    connect: async () => {
      let client: pg.PoolClient
      try {
        client = await pool.connect()
      } catch (error) {
        throw unavailable(error)
      }
      try {
        await freeUnnamed(client)
      } catch (error) {
        client.release(true)
        throw unavailable(error)
      }
      const known = wrappers.get(client) ?? wrap(client)
      wrappers.set(client, known)
      return known
    },
    // Kysely ends a pool only if it has used it, so `close` ends this one.
    end: async () => {},
  }
}
