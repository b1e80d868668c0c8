/**
 * A second handle on the same connections, whose transactions end without waiting for the disk. They begin with one message
 * that says so: a statement of its own would be one more way to the database and back in everything that writes.
 */
import { CompiledQuery, type DatabaseConnection, type Driver, Kysely, PostgresDialect, PostgresDriver, type PostgresPool } from 'kysely'
import type { Db } from './connection.ts'
import type { DB } from './schema.ts'
import { recordStatement } from './statements.ts'

const BEGIN = CompiledQuery.raw('begin; set local synchronous_commit = off')

class EarlyDriver extends PostgresDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(BEGIN)
  }
}

class EarlyDialect extends PostgresDialect {
  readonly #pool: PostgresPool

  constructor(pool: PostgresPool) {
    super({ pool })
    this.#pool = pool
  }

  override createDriver(): Driver {
    return new EarlyDriver({ pool: this.#pool })
  }
}

const early = new WeakMap<Db, Db>()

/** Makes the second handle of `db`, for its transactions. */
export function openEarly(db: Db, pool: PostgresPool): Db {
  const handle: Db = new Kysely<DB>({ dialect: new EarlyDialect(pool), log: recordStatement })
  early.set(db, handle)
  return handle
}

/** The handle whose transactions end early; `db` itself, whose end is durable, where it has no second one. */
export const earlyOf = (db: Db): Db => early.get(db) ?? db
