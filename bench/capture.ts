/** One request, taken apart: what it is answered with, and the statements that this takes. */

import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { recordQueries } from '../src/platform/db/statements/statements.ts'
import type { Deps } from '../src/platform/kernel/context.ts'
import { buildApp } from '../src/server/app.ts'

/** A statement with its parameters. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

export interface Captured {
  readonly statements: readonly Statement[]
  /** Messages to the database, each of which wakes it: statements that are sent together share one. */
  readonly roundTrips: number
  readonly body: Buffer
  readonly mediaType: string
}

/** Asks an application over the instance's database, in this process, for `address` and records what it does. */
export async function capture(deps: Deps, address: string, headers: Readonly<Record<string, string>>): Promise<Captured> {
  const app = await buildApp(deps)
  try {
    return await captureOf(app, deps.database.pool, address, headers)
  } finally {
    await app.close()
  }
}

/** The same of an application that is there; `pool` is that of its database. */
export async function captureOf(
  app: FastifyInstance,
  pool: Deps['database']['pool'],
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<Captured> {
  // Awaited within: the request starts when it is awaited, which must be inside the recording.
  const ask = async () => await app.inject({ url: address, headers })
  // The first use of a token is written down; those that are measured are not the first.
  await ask()
  const sent = countWrites(pool)
  const { result, queries } = await recordQueries(ask)
  const roundTrips = sent.stop()
  if (result.statusCode !== 200) throw new Error(`GET ${address} was answered ${result.statusCode}: ${result.body}`)
  if (queries.length === 0) throw new Error(`GET ${address} ran no statement: the recording is broken`)
  return {
    statements: queries.map(({ sql, parameters }) => ({ sql, parameters })),
    roundTrips,
    body: result.rawPayload,
    mediaType: String(result.headers['content-type']),
  }
}

/** A connection of the driver, with its socket. */
interface Wired {
  readonly connection: { readonly stream: Duplex }
}

/** Counts what is written to the sockets of the pool. What is corked is written together. */
function countWrites(pool: Deps['database']['pool']): { stop(): number } {
  let writes = 0
  const undo: (() => void)[] = []
  const watched = new Set<Duplex>()
  const watch = (client: unknown) => {
    const { stream } = (client as Wired).connection
    if (watched.has(stream)) return
    watched.add(stream)
    const { _write, _writev } = stream
    stream._write = (...given) => {
      writes++
      _write.apply(stream, given)
    }
    if (_writev)
      stream._writev = (...given) => {
        writes++
        _writev.apply(stream, given)
      }
    undo.push(() => Object.assign(stream, { _write, _writev }))
  }
  pool.on('acquire', watch)
  return {
    stop() {
      pool.off('acquire', watch)
      for (const one of undo) one()
      return writes
    },
  }
}
