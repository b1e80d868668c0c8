/**
 * Mixed load, in the proportions that large installations have: of a hundred operations eighty are requests of the API, fifteen are pulls and
 * five are pushes, over a few connections, in an order that is the same each time.
 */
import { join } from 'node:path'
import type { Bench } from './bench.ts'
import { git } from './git.ts'
import { someFile } from './history.ts'
import { createProject } from './history_project.ts'
import { busyDuring } from './processor.ts'

/** What a client does. */
type Kind = 'API' | 'pull' | 'push'

/** Of a hundred operations. */
const proportions: Readonly<Record<Kind, number>> = { API: 80, pull: 15, push: 5 }

/** Clients, each of which does one thing after the other. */
const CLIENTS = 8

/** What operations of one kind, or all of them, came to. */
export interface MixedResult {
  readonly kind: Kind | 'together'
  readonly operations: number
  readonly perSecond: number
  /** Milliseconds, git's own work at the client included. */
  readonly p50: number
  readonly p99: number
  /** Milliseconds of the processor for each operation; undefined where the system does not tell, or of one kind, which nobody can tell. */
  readonly program?: number
  readonly database?: number
}

/** Seconds of mixed load; the more samples the longer. */
export async function measureMixed(bench: Bench): Promise<MixedResult[]> {
  const { ingot, seconds, rounds } = bench
  const clients = await Promise.all(Array.from({ length: CLIENTS }, (_, number) => prepareClient(bench, number)))
  const order = orderOf()
  const times: Record<Kind, number[]> = { API: [], pull: [], push: [] }
  let next = 0
  async function work(until: number, client: Readonly<Record<Kind, (number: number) => Promise<void>>>, noted: boolean): Promise<void> {
    while (performance.now() < until) {
      const number = next++
      const kind = order[number % order.length] as Kind
      const began = performance.now()
      await client[kind](number)
      if (noted) times[kind].push(performance.now() - began)
    }
  }
  const during = (length: number, noted: boolean) => {
    const until = performance.now() + length
    return Promise.all(clients.map(client => work(until, client, noted)))
  }
  // Connections are made, statements prepared and functions compiled before anything counts.
  await during(2_000, false)
  const began = performance.now()
  const [, busy] = await busyDuring(ingot.pid, ingot.pid, () => during(seconds * rounds * 1_000, true))
  const passed = (performance.now() - began) / 1_000
  const all = Object.values(times).flat()
  const result = (kind: MixedResult['kind'], some: readonly number[]): MixedResult => {
    const sorted = some.toSorted((one, other) => one - other)
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
    return { kind, operations: some.length, perSecond: some.length / passed, p50: at(0.5), p99: at(0.99) }
  }
  return [
    ...(Object.keys(times) as Kind[]).map(kind => result(kind, times[kind])),
    { ...result('together', all), ...(busy && { program: busy.program / all.length, database: busy.database / all.length }) },
  ]
}

/** Kinds spread over a hundred operations, so that pushes do not come together. */
function orderOf(): Kind[] {
  const places = (Object.keys(proportions) as Kind[]).flatMap(kind =>
    Array.from({ length: proportions[kind] }, (_, number) => ({ kind, place: (number + 0.5) / proportions[kind] })),
  )
  return places.sort((one, other) => one.place - other.place).map(({ kind }) => kind)
}

/** A client with a clone of its own, which pushes to a branch of its own of a project that all share. */
async function prepareClient(bench: Bench, number: number): Promise<Readonly<Record<Kind, (number: number) => Promise<void>>>> {
  const { ingot, world, scratch } = bench
  const history = await bench.history()
  const { bigProjectId } = await bench.issues()
  const { cloneUrl } = await createProject(ingot, `mixed-${number}`)
  const copy = join(scratch, `mixed-${number}`)
  await git(['clone', '--quiet', '--depth', '1', history.cloneUrl, copy])
  const person = ['-c', 'user.name=A', '-c', 'user.email=a@example.com']
  const commit = ['-C', copy, ...person, 'commit', '--quiet', '--allow-empty', '-m']
  await git(['-C', copy, 'checkout', '--quiet', '--orphan', 'work'])
  await git([...commit, 'Begin'])
  const pulled = join(scratch, `pulled-${number}`)
  await git(['init', '--bare', '--quiet', '--template=', pulled])
  const big = `/projects/${bigProjectId}`
  const repository = `/projects/${history.id}/repository`
  const paths = [
    '/user',
    `${big}/issues`,
    `${big}/issues/1`,
    `/projects/${world.projectId}`,
    '/projects?membership=true',
    `${big}/labels`,
    `${repository}/files/${encodeURIComponent(someFile)}/raw?ref=main`,
    `${repository}/tree?path=src/part-3`,
    `${repository}/commits`,
    '/groups',
  ]
  return {
    async API(number) {
      const path = paths[number % paths.length]
      const answer = await fetch(`${ingot.url}/api/v4${path}`, { headers: { 'private-token': world.token } })
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`GET ${path} was answered ${answer.status}`)
    },
    // As CI does it: the newest commit of a branch alone. No reference keeps it, so that it is sent again each time.
    async pull() {
      await git(['-C', pulled, 'fetch', '--quiet', '--depth', '1', '--no-tags', history.cloneUrl, 'main'])
    },
    async push(number) {
      await git([...commit, `Change ${number}`])
      await git(['-C', copy, 'push', '--quiet', cloneUrl, 'HEAD:main'])
    },
  }
}
