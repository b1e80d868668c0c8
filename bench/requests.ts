/** Requests under load, each beside a bare handler that does the same work. */

import type { Bench } from './bench.ts'
import { capture } from './capture.ts'
import type { Work } from './floor/answers.ts'
import { type Floor, startFloor } from './floor/start.ts'
import { allocatedDuring } from './inside/ask.ts'
import { type Load, load } from './load.ts'
import { takeTurns } from './medians.ts'
import { busyDuring } from './processor.ts'
import { profileRequest } from './profile/write.ts'
import { type ReadyFrom, startReady } from './ready_rows.ts'

/** A request to measure. */
export interface RequestCase {
  readonly name: string
  /** What a median of the samples must come to, where something is promised. */
  readonly promise?: Promised
  readonly connections: number
  prepare(bench: Bench): Promise<Prepared>
}

/** What is promised of a request. */
export interface Promised {
  /** A share of its floor's requests a second, at least. */
  readonly ratio?: number
  /** A share of the requests a second of the handler that has its answer ready, at least. */
  readonly readyRatio?: number
  readonly requestsPerSecond?: number
  /** Milliseconds that 99 of 100 take at most. */
  readonly p99?: number
}

/** A request, and how its floor is started. */
export interface Prepared {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent by POST, as load.ts has it. */
  readonly body?: string
  floor(): Promise<Floor>
  /** A handler that has the answer ready. */
  ready?(): Promise<Floor>
  /** What the request takes of the database, where it is known. */
  readonly asked?: Asked
}

/** What one request asks of the database. */
export interface Asked {
  readonly statements: number
  readonly roundTrips: number
}

/**
 * A GET whose floor is a handler that runs its statements and reads its git objects.
 * @param from where its second floor has the answer from; none by default
 */
export async function readRequest(
  bench: Bench,
  address: string,
  headers: Readonly<Record<string, string>>,
  objects?: Work['objects'],
  from?: ReadyFrom,
): Promise<Prepared> {
  const { deps } = bench
  const captured = await capture(deps, address, headers)
  const { statements, roundTrips, body, mediaType } = captured
  const work: Work = { statements, body, mediaType, objects, databaseUrl: deps.database.url, poolSize: deps.config.databasePoolSize }
  return {
    address,
    headers,
    floor: () => startFloor('./answers.ts', work),
    ...(from && { ready: () => startReady(bench, address, headers, from, captured) }),
    asked: { statements: statements.length, roundTrips },
  }
}

export const asMember = ({ world }: Pick<Bench, 'world'>) => ({ 'private-token': world.token })

/** Some seconds of load, and what they cost. */
export interface RequestSample extends Load {
  /** Milliseconds of processor time for each request, the database's included; undefined where the system does not tell. */
  readonly processor: number | undefined
  /** The part of it that is the server's, with git where it started that. */
  readonly program: number | undefined
  /** The database's part. */
  readonly database: number | undefined
}

/** What a request came to, and its floors. */
export interface Measured {
  readonly target: readonly RequestSample[]
  readonly floor: readonly RequestSample[]
  /** The handler that has its answer ready; empty where there is none. */
  readonly ready: readonly RequestSample[]
  readonly asked: Asked | undefined
  /** Bytes that JavaScript allocates for a request, of Ingot and of the handler with the ready answer. */
  readonly allocated: { readonly target: number; readonly ready: number } | undefined
  /** Files with its profiles. */
  readonly profiles: readonly string[]
}

type Server = Pick<Floor, 'url' | 'pid'>

/** Measures one request and its floors. */
export async function measureRequest(bench: Bench, request: RequestCase): Promise<Measured> {
  const { ingot, seconds, inside, profiles } = bench
  const prepared = await request.prepare(bench)
  const { address, headers, body, asked } = prepared
  const floors: Floor[] = []
  try {
    floors.push(await prepared.floor())
    if (prepared.ready) floors.push(await prepared.ready())
    const ask = async (server: Server, time: number): Promise<RequestSample> => {
      const question = { headers, body, connections: request.connections }
      const [sample, busy] = await busyDuring(server.pid, ingot.pid, () => load(`${server.url}${address}`, question, time))
      const { program, database } = busy ?? {}
      const each = (time: number | undefined) => (time === undefined ? undefined : time / sample.requests)
      return { ...sample, processor: busy && each(busy.program + busy.database), program: each(program), database: each(database) }
    }
    // Connections are made, statements prepared and functions compiled before anything counts.
    const servers = [ingot, ...floors]
    for (const server of servers) await ask(server, 1)
    const sides = servers.map(server => () => ask(server, seconds))
    const [target = [], beside = [], ready = []] = await takeTurns(bench.rounds, sides)
    const allocatedBy = async (server: Server): Promise<number> => {
      const [{ requests }, bytes] = await allocatedDuring(inside, server.pid, () => ask(server, 1))
      return bytes / requests
    }
    const second = floors[1]
    const allocated = second && { target: await allocatedBy(ingot), ready: await allocatedBy(second) }
    const written = profiles === undefined ? [] : await profileRequest(bench, request, prepared, profiles)
    return { target, floor: beside, ready, asked, allocated, profiles: written }
  } finally {
    for (const floor of floors) await floor.stop()
  }
}
