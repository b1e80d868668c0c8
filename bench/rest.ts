/** The requests that clients make most, each beside two floors. */
import { setTimeout as pause } from 'node:timers/promises'
import { call } from './api.ts'
import type { Bench } from './bench.ts'
import { git } from './git.ts'
import { someFile } from './history.ts'
import type { HistoryProject } from './history_project.ts'
import { CONNECTIONS } from './load.ts'
import { proposal } from './merge_requests.ts'
import { asMember, type Promised, type RequestCase, readRequest } from './requests.ts'

/** Single things: a share of the handler that has them ready. */
const single: Promised = { readyRatio: 0.4 }
/** The least share of its floor's requests a second that a list should reach, and of the handler that has it ready. */
const list: Promised = { ratio: 0.6, readyRatio: 0.4 }
/** Beside a handler that sends the same bytes from memory. */
const fromGit: Promised = { readyRatio: 0.3 }

const fromDatabase = (
  name: string,
  path: (bench: Bench) => string | Promise<string>,
  promise: Promised,
  from: 'rows' | 'memory' = 'rows',
): RequestCase => ({
  name,
  connections: CONNECTIONS,
  promise,
  prepare: async bench => readRequest(bench, `/api/v4${await path(bench)}`, asMember(bench), undefined, from),
})

const fromRepository = (
  name: string,
  path: (project: HistoryProject) => string,
  names: (project: HistoryProject) => Promise<readonly string[]>,
  promise: Promised = fromGit,
): RequestCase => ({
  name,
  connections: CONNECTIONS,
  promise,
  async prepare(bench) {
    const project = await bench.history()
    const objects = { repository: project.stored, names: await names(project) }
    return readRequest(bench, `/api/v4${path(project)}`, asMember(bench), objects, 'memory')
  },
})

/** A list of the project that has most issues, or the first thing of such a list. */
const ofBigProject = (what: string) => async (bench: Bench) => `/projects/${(await bench.issues()).bigProjectId}/${what}`

const issues = ofBigProject('issues')

/** The first of these issues. */
async function oneIssue(bench: Bench): Promise<string> {
  const address = await issues(bench)
  const { body } = await call<readonly { iid: number }[]>({ ...bench.ingot, token: bench.world.token }, 'GET', address)
  return `${address}/${body[0]?.iid}`
}

const mergeRequests = async (bench: Bench) => `/projects/${(await bench.mergeRequests()).bigProjectId}/merge_requests`

/** How often it is looked whether a merge request has been checked, in milliseconds. */
const INTERVAL = 100

/** One with branches, once it was found out whether it can be merged. */
async function oneMergeRequest(bench: Bench): Promise<string> {
  const address = await proposal(bench, 'asked for')
  const status = async () => (await call<{ merge_status: string }>(bench.ingot, 'GET', address)).body.merge_status
  while ((await status()) !== 'can_be_merged') await pause(INTERVAL)
  return address
}

export const restCases: readonly RequestCase[] = [
  fromDatabase('version', () => '/version', single, 'memory'),
  fromDatabase('user', () => '/user', single),
  // Before there are many issues: these are about projects.
  fromDatabase('projects list', () => '/projects', list),
  fromDatabase('project get', ({ world }) => `/projects/${world.projectId}`, single),
  fromDatabase('groups list', () => '/groups', list),
  fromDatabase('issues list', issues, list),
  fromDatabase('issue get', oneIssue, single),
  fromDatabase('labels list', ofBigProject('labels'), list),
  fromRepository(
    'file raw',
    ({ id }) => `/projects/${id}/repository/files/${encodeURIComponent(someFile)}/raw?ref=main`,
    async () => [`main:${someFile}`],
  ),
  fromRepository(
    'tree',
    ({ id }) => `/projects/${id}/repository/tree?ref=main&path=src/part-3`,
    async () => ['main:src/part-3'],
  ),
  fromRepository(
    'commits list',
    ({ id }) => `/projects/${id}/repository/commits`,
    async ({ stored }) => (await git(['-C', stored, 'rev-list', '-n', '20', 'main'])).trim().split('\n'),
    { ...fromGit, ratio: 0.6 },
  ),
  fromDatabase('merge requests list', mergeRequests, list),
  fromDatabase('merge request get', oneMergeRequest, single),
]
