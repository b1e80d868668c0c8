/** Merge requests on a long history: lists, opening one, checking whether they can be merged, and merging. */
import { checkMergeability } from '../src/review/merge_requests/merging/mergeability/check.ts'
import { call } from './api.ts'
import type { Bench } from './bench.ts'
import type { DurationCase } from './durations.ts'
import { git } from './git.ts'
import { inTurn, median } from './medians.ts'
import { inParallel } from './parallel.ts'
import { asMember, type Promised, type RequestCase, readRequest } from './requests.ts'
import type { Proposals } from './world/proposals.ts'

/** As of issues: as many as the machine of the targets has cores. */
const CONNECTIONS = 2

const requested = (
  name: string,
  promise: Promised,
  path: (proposals: Proposals) => string,
  names?: (proposals: Proposals) => readonly string[],
): RequestCase => ({
  name,
  connections: CONNECTIONS,
  promise,
  async prepare(bench) {
    const proposals = await bench.proposals()
    const objects = names && { repository: proposals.project.stored, names: names(proposals) }
    return readRequest(bench, `/api/v4${path(proposals)}`, asMember(bench), objects)
  },
})

const list: Promised = { ratio: 0.6, p99: 50 }
/** Opening one: no floor runs git's differences, so only the time is promised. */
const opening: Promised = { p99: 150 }

const ofProject = ({ project }: Proposals) => `/projects/${project.id}/merge_requests`
const wide = (proposals: Proposals) => `${ofProject(proposals)}/${proposals.wide.iid}`

export const mergeRequestCases: readonly RequestCase[] = [
  requested('merge requests of a project', list, ofProject),
  requested('merge requests of a project, opened, by update', list, world => `${ofProject(world)}?state=opened&order_by=updated_at`),
  requested('merge requests of a project, text search', list, world => `${ofProject(world)}?search=topic-77`),
  {
    ...requested('merge requests of a group', list, () => ''),
    prepare: async bench => {
      const { groupId } = await bench.mergeRequests()
      return readRequest(bench, `/api/v4/groups/${groupId}/merge_requests`, asMember(bench))
    },
  },
  {
    ...requested('all merge requests', list, () => ''),
    prepare: async bench => {
      await bench.mergeRequests()
      return readRequest(bench, '/api/v4/merge_requests?scope=all', asMember(bench))
    },
  },
  requested('merge request of 200 files', opening, wide),
  requested('changes of 200 files', opening, world => `${wide(world)}/changes`),
]

/** Checks of one sample; each is of another merge request. */
const CHECKS = 30

const check: DurationCase = {
  name: 'mergeability check',
  unit: 'ms',
  promise: { most: 100 },
  async measure(bench) {
    const { narrow, project, start } = await bench.proposals()
    const { db } = bench.deps.database
    const some = (round: number) => narrow.slice(round * CHECKS, (round + 1) * CHECKS)
    return inTurn(
      bench.rounds,
      async round => {
        const times: number[] = []
        for (const { id } of some(round)) {
          await db.updateTable('merge_requests').set({ merge_status: 'unchecked' }).where('id', '=', id).execute()
          times.push(await timed(() => checkMergeability(bench.deps, { merge_request_id: id })))
        }
        return median(times)
      },
      async round => {
        const times: number[] = []
        for (const { head } of some(round))
          times.push(await timed(() => git(['-C', project.stored, 'merge-tree', '--write-tree', start, head])))
        return median(times)
      },
    )
  },
}

/** Merges of one sample, each into a repository of its own. */
const MERGES = 60
const MERGING = 8

const merges: DurationCase = {
  name: 'merges into distinct repositories',
  unit: 'per second',
  promise: { least: 50 },
  async measure(bench) {
    const samples: number[] = []
    for (let round = 0; round < bench.rounds; round++) {
      const numbers = Array.from({ length: MERGES }, (_, index) => `${round}-${index}`)
      const addresses = await inParallel(MERGING, numbers, number => proposal(bench, number))
      const time = await timed(() => inParallel(MERGING, addresses, address => call(bench.ingot, 'PUT', `${address}/merge`)))
      samples.push((MERGES * 1_000) / time)
    }
    return { target: samples, floor: [] }
  },
}

export const mergingCases: readonly DurationCase[] = [check, merges]

/** Makes a project with a merge request that all who are signed in may see, and answers its address. */
export async function proposal({ ingot }: Pick<Bench, 'ingot'>, number: string): Promise<string> {
  const options = { name: `merged ${number}`, visibility: 'internal', initialize_with_readme: true }
  const { id } = (await call<{ id: number }>(ingot, 'POST', '/projects', options)).body
  const actions = [{ action: 'create', file_path: 'new.txt', content: 'New.\n' }]
  const commit = { branch: 'topic', start_branch: 'main', commit_message: 'Add', actions }
  await call(ingot, 'POST', `/projects/${id}/repository/commits`, commit)
  const made = { source_branch: 'topic', target_branch: 'main', title: 'Add' }
  const { iid } = (await call<{ iid: number }>(ingot, 'POST', `/projects/${id}/merge_requests`, made)).body
  return `/projects/${id}/merge_requests/${iid}`
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
