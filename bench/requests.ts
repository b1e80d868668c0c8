/** Requests under load, each beside a bare handler that does the same work. */

import type { Bench } from './bench.ts'
import { capture } from './capture.ts'
import type { Work } from './floor/answers.ts'
import { startFloor } from './floor/start.ts'
import { git } from './git.ts'
import { someFile } from './history.ts'
import type { HistoryProject } from './history_project.ts'
import { type Load, load } from './load.ts'
import { inTurn, type Pair } from './medians.ts'
import { busyDuring } from './processor.ts'

/** A request to measure. */
export interface RequestCase {
  readonly name: string
  /** Lists have a target of their own in the contract of the bench. */
  readonly isList: boolean
  prepare(bench: Bench): Promise<Prepared>
}

interface Prepared {
  /** Below `/api/v4`. */
  readonly path: string
  /** The git objects that the answer is made of. */
  readonly objects?: Work['objects']
}

const fromDatabase = (name: string, isList: boolean, path: (bench: Bench) => string): RequestCase => ({
  name,
  isList,
  prepare: async bench => ({ path: path(bench) }),
})

const fromRepository = (
  name: string,
  isList: boolean,
  path: (project: HistoryProject) => string,
  names: (project: HistoryProject) => Promise<readonly string[]>,
): RequestCase => ({
  name,
  isList,
  async prepare(bench) {
    const project = await bench.history()
    return { path: path(project), objects: { repository: project.stored, names: await names(project) } }
  },
})

export const requestCases: readonly RequestCase[] = [
  fromDatabase('projects list', true, () => '/projects'),
  fromDatabase('project get', false, ({ world }) => `/projects/${world.projectId}`),
  fromDatabase('groups list', true, () => '/groups'),
  fromRepository(
    'file raw',
    false,
    ({ id }) => `/projects/${id}/repository/files/${encodeURIComponent(someFile)}/raw?ref=main`,
    async () => [`main:${someFile}`],
  ),
  fromRepository(
    'commits list',
    true,
    ({ id }) => `/projects/${id}/repository/commits`,
    async ({ stored }) => (await git(['-C', stored, 'rev-list', '-n', '20', 'main'])).trim().split('\n'),
  ),
]

/** Some seconds of load, and what they cost. */
export interface RequestSample extends Load {
  /** Milliseconds of processor time for each request, the database's included; undefined where the system does not tell. */
  readonly processor: number | undefined
}

/** Measures one request and its floor. */
export async function measureRequest(bench: Bench, request: RequestCase): Promise<Pair<RequestSample>> {
  const { path, objects } = await request.prepare(bench)
  const { ingot, deps, world, seconds } = bench
  const address = `/api/v4${path}`
  const { statements, body, mediaType } = await capture(deps, address, world.token)
  const floor = await startFloor('./answers.ts', {
    databaseUrl: deps.database.url,
    poolSize: deps.config.databasePoolSize,
    statements,
    objects,
    body,
    mediaType,
  } satisfies Work)
  try {
    const ask = async (server: { readonly url: string; readonly pid: number }, time: number): Promise<RequestSample> => {
      const headers = { 'private-token': world.token }
      const [sample, busy] = await busyDuring(server.pid, ingot.pid, () => load(`${server.url}${address}`, headers, time))
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
