/** A table that is locked, so that a request which reads it has begun and does not end; and whether a request waits for some lock. */
import { sql } from 'kysely'
import type { Database } from '../src/platform/db/connection.ts'
import { eventually } from './eventually.ts'

export interface HeldTable {
  /** Resolves when someone waits for the table. */
  awaited(): Promise<unknown>
  release(): Promise<void>
}

export async function holdTable({ db, pool }: Database, table: string): Promise<HeldTable> {
  const client = await pool.connect()
  await client.query(`begin; lock table ${table} in access exclusive mode`)
  return {
    awaited: () =>
      eventually(async () => {
        const { rows } = await sql`select from pg_locks where not granted and relation = ${table}::regclass`.execute(db)
        return rows.length > 0
      }, `someone who reads ${table}`),
    async release() {
      await client.query('rollback')
      client.release()
    },
  }
}

/** Do so many statements of this database wait for a lock? */
export async function statementsWait({ pool }: Pick<Database, 'pool'>, count = 1): Promise<boolean> {
  const { rowCount } = await pool.query(`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)
  return rowCount === count
}

type Statement = readonly [text: string, values: readonly unknown[]]

/**
 * What a request answers that waits for a transaction, and sees what it has changed when it is committed.
 * @param first what the transaction has done when the request comes: a change, or a lock
 * @param then what it does while the request waits
 */
export async function overtakenBy<T>(database: Database, first: Statement, request: () => Promise<T>, then?: Statement): Promise<T> {
  const client = await database.pool.connect()
  const run = ([text, values]: Statement) => client.query(text, [...values])
  try {
    await client.query('begin')
    await run(first)
    const answer = request()
    await eventually(() => statementsWait(database), 'a request that waits')
    if (then) await run(then)
    await client.query('commit')
    return await answer
  } finally {
    client.release()
  }
}
