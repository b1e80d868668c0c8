/**
 * A second handle on the same connections, whose transactions end without waiting for the disk. They begin with one message
 * that says so, which goes out with the first statement and is not waited for: it fails only with its connection, on which
 * nothing runs any more then.
 */
import { CompiledQuery, type DatabaseConnection, type Driver, Kysely, PostgresDialect, PostgresDriver, type PostgresPool } from 'kysely'
import type { Db } from './connection.ts'
import type { DB } from './schema.ts'
import { recordStatement } from './statements.ts'

/** How these transactions begin. */
export const BEGIN_EARLY = 'begin; set local synchronous_commit = off'

class EarlyDriver extends PostgresDriver {
  /** Transactions whose beginning nobody has waited for. */
  readonly #begun = new WeakMap<DatabaseConnection, Promise<unknown>>()

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const begun = connection.executeQuery(CompiledQuery.raw(BEGIN_EARLY))
    // Whether it failed is asked at the end.
    begun.catch(() => {})
    this.#begun.set(connection, begun)
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#begun.get(connection)
    await super.commitTransaction(connection)
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
