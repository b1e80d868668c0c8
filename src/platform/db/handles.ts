/**
 * Database handles besides the one that takes a connection per statement: the handle of a request, whose statements share a connection
 * while they overlap, and the handle of a transaction.
 *
 * Concurrent statements on one connection go out in one write and wake one process of the server, which answers them in order. On separate
 * connections each costs a write, a wake-up and a process switch.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { isDeepStrictEqual } from 'node:util'
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
import { DatabaseUnavailable } from './errors.ts'
import type { DB } from './schema.ts'

/** The statements that begin a transaction: one with asynchronous commit says so in the same message. */
const beginnings = {
  early: CompiledQuery.raw('begin; set local synchronous_commit = off'),
  on_disk: CompiledQuery.raw('begin'),
}

/** Does a transaction commit asynchronously, or when it is on disk? */
export type Ending = keyof typeof beginnings

const COMMIT = CompiledQuery.raw('commit')
const ROLLBACK = CompiledQuery.raw('rollback')

/**
 * How many transactions of a handle are under way at a time. Work in a transaction may need a connection besides its own (another transaction that
 * must be seen before, a reader of its own); if all connections belonged to transactions, each of them would wait for the others. So some are left
 * for that, and a transaction within another one does not wait here.
 */
class TransactionGate {
  readonly #waiting: (() => void)[] = []
  readonly #patience: number
  #free: number

  constructor(most: number, patience: number) {
    this.#free = most
    this.#patience = patience
  }

  /** Waits until there is room. @throws DatabaseUnavailable */
  async enter(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.push(resolve)
    const timer = setTimeout(() => {
      const at = this.#waiting.indexOf(resolve)
      if (at < 0) return
      this.#waiting.splice(at, 1)
      reject(new DatabaseUnavailable('The database is not available', { cause: new Error('too many transactions are under way') }))
    }, this.#patience)
    try {
      await promise
    } finally {
      clearTimeout(timer)
    }
  }

  leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free += 1
  }
}

const gates = new WeakMap<Db, TransactionGate>()

/** The outermost transaction of what is under way. */
interface OpenTransaction {
  /** What was begun within it and goes on after it is in no transaction. */
  isOver: boolean
  /** Undefined where it runs once. */
  readonly repeats: Repeats | undefined
}

const within = new AsyncLocalStorage<OpenTransaction>()

const openTransaction = (): OpenTransaction | undefined => {
  const open = within.getStore()
  return open?.isOver ? undefined : open
}

/** Ends a transaction that found work for outside of it: it is run again when that is done. */
class Postponed extends Error {
  override name = 'Postponed'

  constructor() {
    super('This work is done outside of the transaction, which begins again then')
  }
}

interface OutsideWork {
  /** Who does it, and what it is asked: so that it is known when it is asked for again. */
  readonly owner: object
  readonly asked: unknown
  readonly work: () => Promise<unknown>
}

/** Attempts at a transaction for which work is done outside: one that asks for something else each time would never end. */
const MOST_REPEATS = 100

/** Work that the attempts at a transaction have found, and what came of it. */
export class Repeats {
  readonly #done: { readonly owner: object; readonly asked: unknown; readonly result: Promise<unknown> }[] = []
  #found: OutsideWork[] = []
  #left = MOST_REPEATS

  /** Has the last attempt found work? Also where it caught what ended it. */
  get hasWork(): boolean {
    return this.#found.length > 0
  }

  /** What came of the work; ends the attempt where it is not done yet. */
  ask(work: OutsideWork): Promise<unknown> {
    const known = this.#done.find(({ owner, asked }) => owner === work.owner && isDeepStrictEqual(asked, work.asked))
    if (known) return known.result
    this.#found.push(work)
    throw new Postponed()
  }

  /** Does the work, one after the other. One that fails does so for who asks again. */
  async settle(): Promise<void> {
    this.#left -= 1
    if (this.#left === 0) throw new Error('A transaction finds other work to be done outside of it each time')
    const found = this.#found
    this.#found = []
    for (const { owner, asked, work } of found) {
      const result = work()
      await result.catch(() => {})
      this.#done.push({ owner, asked, result })
    }
  }
}

/**
 * Does work that waits for more than the database: in a transaction it would keep a connection, and the locks on its rows, from all others. Where one is
 * open, it is rolled back, the work is done, and it is run again with what came of that. So commands ask for such work first.
 * @param asked all that the result depends on
 */
export async function outsideTransaction<T>(owner: object, asked: unknown, work: () => Promise<T>): Promise<T> {
  const open = openTransaction()
  if (!open) return work()
  if (!open.repeats) throw new Error('This transaction runs once: what takes long is to be done before it')
  return open.repeats.ask({ owner, asked, work }) as Promise<T>
}

/** Is a transaction open around what asks this? */
export const isInTransaction = (): boolean => openTransaction() !== undefined

/** For what asks others and cannot be asked twice: in a transaction it would keep a connection and locks for as long as they take. @throws Error */
export function assertNoTransaction(): void {
  if (isInTransaction()) throw new Error('Other servers are asked before a transaction begins, or after it has ended')
}

/** Leaves a quarter of the connections of a handle to work within its transactions. `patience`: milliseconds that a transaction waits for its turn. */
export function limitTransactions(db: Db, connections: number, patience: number): void {
  gates.set(db, new TransactionGate(Math.max(1, connections - Math.ceil(connections / 4)), patience))
}

/** The handles of requests, and the handle that each was made from. */
const bases = new WeakMap<Db, Db>()

/** The root handle of `db`, which may be the handle of a request. */
export const rootDb = (db: Db): Db => bases.get(db) ?? db

/** A handle for the statements of one request. `db` is the pool, not a transaction. */
export function requestDb(db: Db): Db {
  const handle = new RequestHandle(db)
  bases.set(handle, db)
  return handle
}

/** Acquires a connection for the first of several overlapping statements, and releases it after the last. */
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

  // A transaction needs its own connection, not the one that other statements of the request share.
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
 * Runs the work in a transaction of `db`, and again where it has found work for outside (`outsideTransaction`). Within another transaction that one is
 * run again.
 */
export async function inRepeatedTransaction<T>(db: Db, ending: Ending, work: (db: Db) => Promise<T>, repeats: Repeats): Promise<T> {
  for (;;) {
    try {
      return await inTransaction(db, ending, work, repeats)
    } catch (error) {
      if (!repeats.hasWork) throw error
    }
    await repeats.settle()
  }
}

/**
 * Runs the work in a transaction of `db`. Concurrent statements are sent in one write. BEGIN is sent together with the first of them and is
 * not awaited: it fails only with its connection.
 */
export async function inTransaction<T>(db: Db, ending: Ending, work: (db: Db) => Promise<T>, repeats?: Repeats): Promise<T> {
  if (openTransaction()) return begin(db, ending, work)
  const gate = gates.get(db)
  await gate?.enter()
  const open: OpenTransaction = { isOver: false, repeats }
  try {
    return await within.run(open, () =>
      begin(db, ending, async tx => {
        const result = await work(tx)
        if (repeats?.hasWork) throw new Postponed()
        return result
      }),
    )
  } finally {
    open.isOver = true
    gate?.leave()
  }
}

function begin<T>(db: Db, ending: Ending, work: (db: Db) => Promise<T>): Promise<T> {
  return db.getExecutor().provideConnection(async connection => {
    let isOver = false
    const provider: ConnectionProvider = {
      async provideConnection(consumer) {
        if (isOver) throw new Error('The transaction is over')
        return consumer(connection)
      },
    }
    const begun = connection.executeQuery(beginnings[ending])
    // Awaited at the end.
    begun.catch(() => {})
    try {
      const result = await work(new Transaction<DB>(propsWith(db, provider)))
      isOver = true
      await Promise.all([begun, connection.executeQuery(COMMIT)])
      return result
    } catch (error) {
      isOver = true
      // If this fails too, the connection is lost, and the transaction with it.
      await connection.executeQuery(ROLLBACK).catch(() => {})
      throw error
    }
  })
}

/** The properties of a handle with another connection provider. The driver itself is never used through it. */
function propsWith(db: Db, provider: ConnectionProvider): KyselyProps {
  const dialect = new PostgresDialect({ pool: neverAsked })
  return { config: { dialect }, dialect, driver: new DummyDriver(), executor: db.getExecutor().withConnectionProvider(provider) }
}

const neverAsked = (): never => {
  throw new Error('This handle has connections')
}
