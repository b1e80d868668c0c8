/**
 * A prepared statement that fetches its column descriptions once. The driver requests them with every execution and builds the same list
 * each time: for a row of a hundred columns that took longer in this process than everything else about the statement. A prepared statement
 * keeps its columns: the server otherwise refuses to run it ("cached plan must not change result type").
 */
import type { Duplex } from 'node:stream'
import pg from 'pg'

/** What the driver derives from a row description. */
interface Shape {
  fields: unknown
  _parsers: unknown
  _prebuiltEmptyResultObject: unknown
}

/** The parts of the driver's connection that are used here. */
interface Wire {
  describe(what: object): void
  close(what: { readonly name: string }): void
  /** The texts of the prepared statements by name. */
  readonly parsedStatements: Record<string, string>
  readonly submittedNamedStatements: Record<string, string>
  readonly stream: Duplex
}

const wireOf = (client: pg.PoolClient): Wire => (client as unknown as { connection: Wire }).connection

/** The socket of the connection. */
export const streamOf = (client: pg.PoolClient): Duplex => wireOf(client).stream

/** Members of the driver's query that its types omit. */
interface DriversQuery {
  readonly name: string
  callback: (error: Error | null, result: pg.QueryResult) => void
  _result: Shape
  _accumulateRows: boolean
  prepare(wire: Wire): void
  handleCommandComplete(message: unknown, wire: Wire): void
}
const DriversQuery = pg.Query as unknown as new (config: pg.QueryConfig) => DriversQuery

/** The prepared statements of one connection. */
class Prepared {
  readonly #shapes = new Map<string, Shape>()
  readonly #wire: Wire
  /** The connection as a new statement sees it. The driver closes a statement whose values it cannot send and does not record that. */
  readonly thorough: Wire
  /** The connection as a known statement sees it: it requests no description. */
  readonly brief: Wire

  constructor(wire: Wire) {
    this.#wire = wire
    const close: Wire['close'] = what => {
      this.forget(what.name)
      wire.close(what)
    }
    this.thorough = Object.create(wire, { close: { value: close } })
    this.brief = Object.create(this.thorough, { describe: { value: () => {} } })
  }

  shapeOf(name: string): Shape | undefined {
    return this.#shapes.get(name)
  }

  remember(name: string, { fields, _parsers, _prebuiltEmptyResultObject }: Shape): void {
    this.#shapes.set(name, { fields, _parsers, _prebuiltEmptyResultObject })
  }

  forget(name: string): void {
    delete this.#wire.parsedStatements[name]
    delete this.#wire.submittedNamedStatements[name]
    this.#shapes.delete(name)
  }
}

const connections = new WeakMap<object, Prepared>()

function preparedBy(wire: Wire): Prepared {
  const known = connections.get(wire) ?? new Prepared(wire)
  connections.set(wire, known)
  return known
}

class NamedQuery extends DriversQuery {
  override prepare(wire: Wire): void {
    const prepared = preparedBy(wire)
    const shape = prepared.shapeOf(this.name)
    if (shape) {
      Object.assign(this._result, shape)
      this._accumulateRows = true
    }
    super.prepare(shape ? prepared.brief : prepared.thorough)
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    super.handleCommandComplete(message, wire)
    preparedBy(wire).remember(this.name, this._result)
  }
}

/** Runs a statement under a name, which stands for this text alone as long as the connection lives or until `deallocateUnless` frees it. */
export function queryNamed(client: pg.PoolClient, name: string, text: string, values: unknown[]): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const query = new NamedQuery({ name, text, values })
    query.callback = (error, result) => {
      if (!error) return resolve(result)
      // The trace then shows the caller instead of the code that read the answer.
      Error.captureStackTrace(error)
      reject(error)
    }
    client.query(query as unknown as pg.Submittable)
  })
}

/** Deallocates the statements of a connection whose names are no longer in use. `client` must be in no transaction. */
export async function deallocateUnless(client: pg.PoolClient, isNamed: (name: string) => boolean): Promise<void> {
  const wire = wireOf(client)
  const gone = Object.keys(wire.parsedStatements).filter(name => !isNamed(name))
  if (gone.length === 0) return
  await client.query(gone.map(name => `deallocate ${pg.escapeIdentifier(name)}`).join(';'))
  for (const name of gone) preparedBy(wire).forget(name)
}
