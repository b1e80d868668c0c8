/** How lists grow with the instance: the same page asked of a big one and of one with few projects. */

import { recordStatements } from '../src/platform/db/statements/statements.ts'
import { buildApp } from '../src/server/app.ts'
import type { Bench } from './bench.ts'
import { type Load, load } from './load.ts'
import { inTurn, type Pair } from './medians.ts'
import { asMember } from './requests.ts'
import type { Site } from './site.ts'
import type { World } from './world/projects.ts'

/** A list, the same in each world. */
export interface GrowthCase {
  readonly name: string
  path(world: World): string
}

/** What a list costs on the big instance (`target`) and on the one with few projects (`floor`). */
export interface Growth {
  readonly times: Pair<Load>
  /** Statements on the big instance for a page of so many rows. */
  readonly statements: readonly number[]
}

const grown = (path: string | ((world: World) => string)): GrowthCase => {
  const given = typeof path === 'string' ? () => path : path
  return { name: `growth of ${given({ token: '', userId: 0, projectId: 0, groupId: 0 }).replaceAll('/0/', '/:id/')}`, path: given }
}

/** Rows of the pages whose statements are counted. A page of one row may lack what others have, and then nothing is loaded for it. */
export const pages = [1, 20, 100] as const

export const growthCases: readonly GrowthCase[] = [
  grown('/projects'),
  ...['name', 'path', 'updated_at', 'last_activity_at'].map(order => grown(`/projects?order_by=${order}`)),
  grown('/projects?membership=true'),
  grown('/projects?starred=true'),
  grown('/projects?search=Project+99'),
  grown('/projects?search=platform'),
  grown('/projects?topic=topic-8'),
  grown(({ projectId }) => `/projects/${projectId}/forks`),
  grown(({ projectId }) => `/projects/${projectId}/starrers`),
  grown(({ projectId }) => `/projects/${projectId}/members/all`),
  grown(({ userId }) => `/users/${userId}/projects`),
  grown('/groups'),
  grown('/groups?all_available=true'),
  grown('/groups?all_available=true&search=Team+19'),
  grown(({ groupId }) => `/groups/${groupId}/descendant_groups`),
  grown(({ groupId }) => `/groups/${groupId}/projects?include_subgroups=true`),
  grown('/namespaces'),
]

/** Measures a list on both instances in turn, one request after the other. */
export async function measureGrowth(bench: Bench, { path }: GrowthCase): Promise<Growth> {
  const few = await bench.few()
  const ask = (site: Omit<Site, 'close'>, time: number) =>
    load(`${site.ingot.url}/api/v4${path(site.world)}`, { headers: asMember(site), connections: 1 }, time)
  // Statements are prepared and functions compiled before anything counts.
  for (const site of [bench, few]) await ask(site, 1)
  const times = await inTurn(
    bench.rounds,
    () => ask(bench, bench.seconds),
    () => ask(few, bench.seconds),
  )
  const statements: number[] = []
  for (const rows of pages) statements.push(await statementsFor(bench, path(bench.world), rows))
  return { times, statements }
}

async function statementsFor(bench: Bench, path: string, rows: number): Promise<number> {
  const app = await buildApp(bench.deps)
  const url = `/api/v4${path}${path.includes('?') ? '&' : '?'}per_page=${rows}`
  const ask = async () => await app.inject({ url, headers: asMember(bench) })
  try {
    // Once before, for what is kept from the first use on.
    await ask()
    const { result, statements } = await recordStatements(ask)
    if (result.statusCode !== 200) throw new Error(`GET ${url} was answered ${result.statusCode}: ${result.body}`)
    return statements.length
  } finally {
    await app.close()
  }
}
