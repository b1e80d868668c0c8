/** Requests under load, each beside a bare handler that does the same work. */

import type { Bench } from './bench.ts'
import { capture } from './capture.ts'
import type { Work } from './floor/answers.ts'
import { type Floor, startFloor } from './floor/start.ts'
import { git } from './git.ts'
import { someFile } from './history.ts'
import type { HistoryProject } from './history_project.ts'
import { CONNECTIONS, type Load, load } from './load.ts'
import { inTurn, type Pair } from './medians.ts'
import { busyDuring } from './processor.ts'

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
}

/** A GET whose floor is a handler that runs its statements and reads its git objects. */
export async function readRequest(
  { deps }: Bench,
  address: string,
  headers: Readonly<Record<string, string>>,
  objects?: Work['objects'],
): Promise<Prepared> {
  const captured = await capture(deps, address, headers)
  const work: Work = { ...captured, objects, databaseUrl: deps.database.url, poolSize: deps.config.databasePoolSize }
  return { address, headers, floor: () => startFloor('./answers.ts', work) }
}

export const asMember = ({ world }: Pick<Bench, 'world'>) => ({ 'private-token': world.token })

/** The least share of its floor's requests a second that a list should reach. */
const list: Promised = { ratio: 0.6 }

const fromDatabase = (name: string, path: (bench: Bench) => string, promise?: Promised): RequestCase => ({
  name,
  connections: CONNECTIONS,
  ...(promise && { promise }),
  prepare: bench => readRequest(bench, `/api/v4${path(bench)}`, asMember(bench)),
})

const fromRepository = (
  name: string,
  path: (project: HistoryProject) => string,
  names: (project: HistoryProject) => Promise<readonly string[]>,
  promise?: Promised,
): RequestCase => ({
  name,
  connections: CONNECTIONS,
  ...(promise && { promise }),
  async prepare(bench) {
    const project = await bench.history()
    const objects = { repository: project.stored, names: await names(project) }
    return readRequest(bench, `/api/v4${path(project)}`, asMember(bench), objects)
  },
})

export const restCases: readonly RequestCase[] = [
  fromDatabase('projects list', () => '/projects', list),
  fromDatabase('project get', ({ world }) => `/projects/${world.projectId}`),
  fromDatabase('groups list', () => '/groups', list),
  fromRepository(
    'file raw',
    ({ id }) => `/projects/${id}/repository/files/${encodeURIComponent(someFile)}/raw?ref=main`,
    async () => [`main:${someFile}`],
  ),
  fromRepository(
    'commits list',
    ({ id }) => `/projects/${id}/repository/commits`,
    async ({ stored }) => (await git(['-C', stored, 'rev-list', '-n', '20', 'main'])).trim().split('\n'),
    list,
  ),
]

/** Some seconds of load, and what they cost. */
export interface RequestSample extends Load {
  /** Milliseconds of processor time for each request, the database's included; undefined where the system does not tell. */
  readonly processor: number | undefined
}

/** Measures one request and its floor. */
export async function measureRequest(bench: Bench, request: RequestCase): Promise<Pair<RequestSample>> {
  const { ingot, seconds } = bench
  const prepared = await request.prepare(bench)
  const { address, headers, body } = prepared
  const floor = await prepared.floor()
  try {
    const ask = async (server: { readonly url: string; readonly pid: number }, time: number): Promise<RequestSample> => {
      const question = { headers, body, connections: request.connections }
      const [sample, busy] = await busyDuring(server.pid, ingot.pid, () => load(`${server.url}${address}`, question, time))
      return { ...sample, processor: busy && busy / sample.requests }
    }
    // Connections are made, statements prepared and functions compiled before anything counts.
    for (const server of [ingot, floor]) await ask(server, 1)
    return await inTurn(
      bench.rounds,
      () => ask(ingot, seconds),
      () => ask(floor, seconds),
    )
  } finally {
    await floor.stop()
  }
}
