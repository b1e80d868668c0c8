/**
 * A database handle whose changes can be undone: requests that write are tried one after the other on one world, and
 * each leaves it as it was. The handle has one connection; while something is attempted a transaction is open on it,
 * and the transactions of the requests become savepoints inside that one.
 */
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import type { Database } from '../src/platform/db/connection.ts'
import type { DB } from '../src/platform/db/schema.ts'
import { queryNamed, streamOf } from '../src/platform/db/statements/named_query.ts'
import { recordStatement } from '../src/platform/db/statements/statements.ts'

/** Milliseconds after which what was attempted is taken back although nothing else is. */
const SOON = 2

export interface RollbackDatabase {
  readonly database: Database
  /** Does the work and takes back what it changed in the database. One at a time. */
  attempt<T>(work: () => Promise<T>): Promise<T>
  /** Gives the connection back. */
  close(): void
}

export async function rollbackDatabase(base: Database): Promise<RollbackDatabase> {
  const connection = await base.pool.connect()
  // Thousands of requests ask the same in a small world: without this the server would spend nine tenths of its time on parsing and planning.
  await connection.query('set plan_cache_mode = force_generic_plan')
  const names = new Map<string, string>()
  const socket = streamOf(connection)
  let depth = 0
  /** Is the transaction open that is rolled back? It begins with the first statement: what is refused without one takes none. */
  let phase: 'outside' | 'beginning' | 'begun' = 'outside'
  let isGathering = false
  /** Has something ended that is not rolled back yet? */
  let isOwed = false

  /** What is sent in this tick goes out in one write, as from the server's own handle: each write wakes the database's process. */
  const gather = () => {
    if (isGathering) return
    isGathering = true
    socket.cork()
    process.nextTick(() => {
      isGathering = false
      socket.uncork()
    })
  }

  /** Takes back what has ended, with the next statement where one comes soon: one write less, and one time less that the database's process wakes. */
  const rollBack = () => {
    if (!isOwed) return
    isOwed = false
    // Fails only with the connection, and then so does the statement after it.
    connection.query('rollback').catch(() => {})
  }

  const query = (statement: string, parameters: unknown[]) => {
    gather()
    rollBack()
    if (phase === 'beginning') {
      phase = 'begun'
      // Fails only with the connection, and then so does the statement after it.
      connection.query('begin').catch(() => {})
    }
    if (/^(begin|start transaction)/.test(statement)) {
      depth += 1
      return connection.query(`savepoint inside_${depth}`)
    }
    if (statement === 'commit') return connection.query(`release savepoint inside_${depth--}`)
    if (statement === 'rollback') return connection.query(`rollback to savepoint inside_${depth--}`)
    const name = names.get(statement) ?? `often_${names.size}`
    names.set(statement, name)
    return queryNamed(connection, name, statement, parameters)
  }
  // Kysely knows connections by identity, so it must always get the same one.
  const client = { query: query as unknown as PostgresPoolClient['query'], release: () => {} }
  const pool: PostgresPool = { connect: async () => client, end: async () => {} }
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }), log: recordStatement })

  return {
    database: { ...base, db },
    async attempt(work) {
      phase = 'beginning'
      try {
        return await work()
      } finally {
        // The compiler does not see that `query` sets it.
        const isBegun = (phase as string) === 'begun'
        phase = 'outside'
        depth = 0
        if (isBegun) {
          isOwed = true
          // What has locked something must not keep it.
          setTimeout(rollBack, SOON).unref()
        }
      }
    },
    close() {
      rollBack()
      connection.release()
    },
  }
}
