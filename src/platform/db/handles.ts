/**
 * The handles on the connections besides the one that takes a connection for each statement: of a request, whose statements share
 * one while they overlap, and of a transaction.
 *
 * Statements that are asked for at once on one connection go out in one write and wake one process of the server, which answers
 * them in order; on connections of their own each is a write, a wake-up and a process that switches.
 */
import {
  CompiledQuery,
  type ConnectionBuilder,
  type ConnectionProvider,
  type ControlledTransactionBuilder,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  type KyselyProps,
  PostgresDialect,
  type QueryExecutor,
  Transaction,
  type TransactionBuilder,
} from 'kysely'
import type { Db } from './connection.ts'
import type { DB } from './schema.ts'

/** How a transaction begins: one that ends without waiting for the disk says so in the same message. */
const beginnings = {
  early: CompiledQuery.raw('begin; set local synchronous_commit = off'),
  on_disk: CompiledQuery.raw('begin'),
}

/** Does a transaction end before it is on disk, or when it is? */
export type Ending = keyof typeof beginnings

const COMMIT = CompiledQuery.raw('commit')
const ROLLBACK = CompiledQuery.raw('rollback')

/** The handles of requests, and what each was made of. */
const bases = new WeakMap<Db, Db>()

/** The handle that `db`, which may be that of a request, was made of. */
export const rootDb = (db: Db): Db => bases.get(db) ?? db

/** A handle for the statements of one request. `db` is the connections, not a transaction. */
export function requestDb(db: Db): Db {
  const handle = new RequestHandle(db)
  bases.set(handle, db)
  return handle
}

/** Takes a connection when it is asked for one while it has none, and gives it back when all who had it are done. */
class Overlapping implements ConnectionProvider {
  readonly #executor: QueryExecutor
  #connection: Promise<DatabaseConnection> | undefined
  #giveBack: (() => void) | undefined
  #users = 0

  constructor(executor: QueryExecutor) {
    this.#executor = executor
  }

  async provideConnection<T>(consumer: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    this.#connection ??= this.#take()
    this.#users++
    try {
      return await consumer(await this.#connection)
    } finally {
      if (--this.#users === 0) {
        this.#giveBack?.()
        this.#connection = undefined
      }
    }
  }

  #take(): Promise<DatabaseConnection> {
    const taken = Promise.withResolvers<DatabaseConnection>()
    const done = Promise.withResolvers<void>()
    this.#giveBack = done.resolve
    this.#executor
      .provideConnection(connection => {
        taken.resolve(connection)
        return done.promise
      })
      .catch(taken.reject)
    return taken.promise
  }
}

class RequestHandle extends Kysely<DB> {
  readonly #base: Db

  constructor(base: Db) {
    super(propsWith(base, new Overlapping(base.getExecutor())))
    this.#base = base
  }

  // What holds a connection for itself must not have the one that other statements of the request are on.
  override transaction(): TransactionBuilder<DB> {
    return this.#base.transaction()
  }
  override startTransaction(): ControlledTransactionBuilder<DB> {
    return this.#base.startTransaction()
  }
  override connection(): ConnectionBuilder<DB> {
    return this.#base.connection()
  }
}

/**
 * Does the work in a transaction of `db`. Statements that are asked for at once go out at once.
 * Nobody waits for the beginning, which goes out with the first of them: it fails only with its connection.
 */
export function inTransaction<T>(db: Db, ending: Ending, work: (db: Db) => Promise<T>): Promise<T> {
  return db.getExecutor().provideConnection(async connection => {
    let isOver = false
    const provider: ConnectionProvider = {
      async provideConnection(consumer) {
        if (isOver) throw new Error('The transaction is over')
        return consumer(connection)
      },
    }
    const begun = connection.executeQuery(beginnings[ending])
    // Asked for at the end.
    begun.catch(() => {})
    try {
      const result = await work(new Transaction<DB>(propsWith(db, provider)))
      isOver = true
      await Promise.all([begun, connection.executeQuery(COMMIT)])
      return result
    } catch (error) {
      isOver = true
      // Where this fails too, the connection is lost, and with it the transaction.
      await connection.executeQuery(ROLLBACK).catch(() => {})
      throw error
    }
  })
}

/** What a handle on other connections is made of; nothing that it does asks for the driver. */
function propsWith(db: Db, provider: ConnectionProvider): KyselyProps {
  const dialect = new PostgresDialect({ pool: neverAsked })
  return { config: { dialect }, dialect, driver: new DummyDriver(), executor: db.getExecutor().withConnectionProvider(provider) }
}

const neverAsked = (): never => {
  throw new Error('This handle has connections')
}
