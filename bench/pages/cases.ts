/** Pages: what they load, how long the server takes, and what a browser makes of them. */
import type { Page } from 'playwright-core'
import { assetPath } from '../../src/platform/pages/assets/files.ts'
import type { Bench } from '../bench.ts'
import type { DurationCase } from '../durations.ts'
import { load } from '../load.ts'
import { inTurn, median } from '../medians.ts'
import type { PageProject } from './project.ts'
import { inBrowser, type Visit, visit } from './visit.ts'

/** Requests of one sample. */
const REQUESTS = 40

/** Requests for a page before browsers visit it: more than there are connections to the database. */
const BEFOREHAND = 15

/** A GET by the session, read to its end. @throws Error unless the answer is a 200 */
async function get({ ingot }: Bench, { cookie }: { readonly cookie: string }, path: string): Promise<number> {
  const began = performance.now()
  const answer = await fetch(ingot.url + path, { headers: { cookie, 'accept-encoding': 'br' } })
  await answer.arrayBuffer()
  if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}`)
  return performance.now() - began
}

/** The middle of some requests, one after the other, for a page that was asked for before. */
export const servedPage = (
  name: string,
  most: number,
  pageOf: (bench: Bench) => Promise<{ readonly cookie: string; readonly path: string }>,
): DurationCase => ({
  name: `${name}, served`,
  unit: 'ms',
  promise: { most },
  async measure(bench) {
    const page = await pageOf(bench)
    const target: number[] = []
    for (let round = 0; round <= bench.rounds; round++) {
      const times: number[] = []
      for (let request = 0; request < REQUESTS; request++) times.push(await get(bench, page, page.path))
      // The first round is for what is compiled and kept.
      if (round > 0) target.push(median(times))
    }
    return { target, floor: [] }
  },
})

/** The same of the project that is looked at; `beforehand`: what its frames load. */
const served = (
  name: string,
  most: number,
  pathOf: (project: PageProject) => string,
  beforehand?: (project: PageProject) => string,
): DurationCase =>
  servedPage(name, most, async bench => {
    const project = await bench.pages()
    if (beforehand) await get(bench, project, beforehand(project))
    return { cookie: project.cookie, path: pathOf(project) }
  })

/** The first time that a page is asked for after a push. */
const servedFirst = (name: string, most: number, pathOf: (project: PageProject) => string): DurationCase => ({
  name: `${name}, served first`,
  unit: 'ms',
  promise: { most },
  async measure(bench) {
    const project = await bench.pages()
    const target: number[] = []
    for (let round = 0; round < bench.rounds; round++) {
      await project.advance()
      target.push(await get(bench, project, pathOf(project)))
    }
    return { target, floor: [] }
  },
})

/** Pages a second, beside the same list as JSON. */
const besideJson = (name: string, path: (project: PageProject) => string, api: (project: PageProject) => string): DurationCase => ({
  name: `${name}, beside JSON`,
  unit: 'per second',
  promise: { shareOfFloor: 0.5 },
  async measure(bench) {
    const project = await bench.pages()
    const { ingot, seconds, world } = bench
    const ask = async (address: string, headers: Readonly<Record<string, string>>, time: number) =>
      (await load(ingot.url + address, { headers, connections: 2 }, time)).requestsPerSecond
    const page = (time: number) => ask(path(project), { cookie: project.cookie }, time)
    const json = (time: number) => ask(`/api/v4${api(project)}`, { 'private-token': world.token }, time)
    for (const side of [page, json]) await side(1)
    return inTurn(
      bench.rounds,
      () => page(seconds),
      () => json(seconds),
    )
  },
})

/** The bytes of a built file as browsers get it. */
const loaded = (name: string, file: string, most: number): DurationCase => ({
  name,
  unit: 'KB',
  promise: { most },
  async measure({ ingot }) {
    const answer = await fetch(ingot.url + assetPath(file), { headers: { 'accept-encoding': 'br' } })
    if (answer.headers.get('content-encoding') !== 'br') throw new Error(`${file} is not sent compressed`)
    return { target: [Number(answer.headers.get('content-length')) / 1024], floor: [] }
  },
})

/** Pages that a browser visits. */
const visited: Readonly<Record<string, (project: PageProject) => string>> = {
  home: () => '/',
  'list of projects': () => '/explore',
  'to-dos': () => '/dashboard/todos',
  search: () => '/search?search=project',
  settings: () => '/-/profile',
  'new project': () => '/projects/new',
  project: ({ path }) => path,
  tree: ({ path }) => `${path}/-/tree/main/hundred`,
  file: ({ path }) => `${path}/-/blob/main/long.ts`,
  blame: ({ path }) => `${path}/-/blame/main/hundred/module-1.ts`,
  commits: ({ path }) => `${path}/-/commits/main`,
  commit: ({ path }) => `${path}/-/commit/main`,
  issues: ({ path }) => `${path}/-/issues`,
  'issue with 50 notes': ({ path }) => `${path}/-/issues/1`,
  'issue with 2,000 notes': ({ path }) => `${path}/-/issues/2`,
  'changes of a merge request': ({ path }) => `${path}/-/merge_requests/1/diffs`,
  branches: ({ path }) => `${path}/-/branches`,
  tags: ({ path }) => `${path}/-/tags`,
  members: ({ path }) => `${path}/-/project_members`,
  'search of a project': ({ path }) => `${path}/-/search?search=value9`,
}

const seen = new WeakMap<Bench, Promise<ReadonlyMap<string, readonly Visit[]>>>()

/** Visits of all pages, made once for all measurements of them. */
function visits(bench: Bench): Promise<ReadonlyMap<string, readonly Visit[]>> {
  const known = seen.get(bench) ?? makeVisits(bench)
  seen.set(bench, known)
  return known
}

async function makeVisits(bench: Bench): Promise<ReadonlyMap<string, readonly Visit[]>> {
  const project = await bench.pages()
  const { url } = bench.ingot
  // It is the browser that has nothing yet: each connection to the database plans the statements of a page when it first asks them.
  for (const pathOf of Object.values(visited))
    for (let request = 0; request < BEFOREHAND; request++) await get(bench, project, pathOf(project))
  return inBrowser(url, async browser => {
    const found = new Map<string, Visit[]>()
    for (let round = 0; round < bench.rounds; round++)
      for (const [name, pathOf] of Object.entries(visited)) {
        const made = found.get(name) ?? []
        found.set(name, made)
        made.push(await visit(browser, { url, cookie: project.cookie, path: pathOf(project) }))
      }
    return found
  })
}

const painted = (name: string): DurationCase => ({
  name: `${name}, painted`,
  unit: 'ms',
  promise: { most: 400 },
  measure: async bench => ({ target: ((await visits(bench)).get(name) ?? []).map(({ paint }) => paint), floor: [] }),
})

const longestTask = (name: string): DurationCase => ({
  name: `${name}, longest task`,
  unit: 'ms',
  promise: { most: 50 },
  measure: async bench => ({ target: ((await visits(bench)).get(name) ?? []).map(visit => visit.longestTask), floor: [] }),
})

/** The layout shift of the page with most: the middle of the visits of each. */
const worstShift: DurationCase = {
  name: 'layout shift of the worst page',
  unit: 'score',
  promise: { most: 0 },
  measure: async bench => {
    const shifts = [...(await visits(bench)).values()].map(made => median(made.map(({ shift }) => shift)))
    return { target: [Math.max(...shifts)], floor: [] }
  },
}

const manyFiles = ({ path }: PageProject) => `${path}/-/compare/main...many`
const manyFilesBeside = (project: PageProject) => `${manyFiles(project)}?view=parallel`

interface DifferenceOptions {
  readonly pathOf?: (project: PageProject) => string
  readonly afterwards?: (page: Page) => Promise<void>
}

/** A difference of many files in a browser: what `of` reads of each visit. */
const difference = (
  name: string,
  most: number,
  of: (visit: Visit) => number,
  { pathOf = manyFiles, afterwards }: DifferenceOptions = {},
): DurationCase => ({
  name: `difference of 200 files, ${name}`,
  unit: 'ms',
  promise: { most },
  async measure(bench) {
    const project = await bench.pages()
    const { url } = bench.ingot
    const target = await inBrowser(url, async browser => {
      const made: number[] = []
      for (let round = 0; round < bench.rounds; round++)
        made.push(of(await visit(browser, { url, cookie: project.cookie, path: pathOf(project) }, afterwards)))
      return made
    })
    return { target, floor: [] }
  },
})

/** Scrolls a long page to its end, a window at a time, and asks again what the browser observed only from here on. */
async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate('observed.longestTask = 0')
  for (let step = 0; step < 40; step++) {
    await page.mouse.wheel(0, 700)
    await page.waitForTimeout(50)
  }
}

export const pageCases: readonly DurationCase[] = [
  loaded('script of a reading page, compressed', 'main.js', 60),
  loaded('style sheet, compressed', 'main.css', 40),
  served('tree of 100 entries', 20, ({ path }) => `${path}/-/tree/main/hundred`),
  served('file of 1,000 lines', 20, ({ path }) => `${path}/-/blob/main/long.ts`),
  served('list of projects', 20, () => '/explore'),
  served('list of commits', 20, ({ path }) => `${path}/-/commits/main`),
  served('list of branches', 20, ({ path }) => `${path}/-/branches`),
  servedPage('list of 10,000 branches', 100, bench => bench.branches()),
  servedPage('search in 10,000 branches', 100, async bench => {
    const { path, cookie } = await bench.branches()
    return { path: `${path}?search=999`, cookie }
  }),
  served('list of 20 issues', 20, ({ path }) => `${path}/-/issues`),
  served('issue with 50 notes', 20, ({ path }) => `${path}/-/issues/1`),
  served('issue with 2,000 notes', 300, ({ path }) => `${path}/-/issues/2`),
  besideJson(
    'list of issues',
    ({ path }) => `${path}/-/issues`,
    ({ id }) => `/projects/${id}/issues?state=opened&with_labels_details=true`,
  ),
  besideJson(
    'list of projects',
    () => '/explore',
    () => '/projects?order_by=last_activity_at',
  ),
  besideJson(
    'list of commits',
    ({ path }) => `${path}/-/commits/main`,
    ({ id }) => `/projects/${id}/repository/commits`,
  ),
  servedFirst('tree of 1,000 entries', 300, ({ path }) => `${path}/-/tree/main/wide`),
  served(
    'tree of 1,000 entries',
    30,
    ({ path }) => `${path}/-/tree/main/wide`,
    ({ path }) => `${path}/-/last_commits/main/wide`,
  ),
  servedFirst('tree of 1,000 entries, with every last commit', 10_000, ({ path }) => `${path}/-/last_commits/main/wide`),
  servedFirst('file of 1 MB', 500, ({ path }) => `${path}/-/blob/main/large.ts`),
  served('file of 1 MB', 500, ({ path }) => `${path}/-/blob/main/large.ts`),
  servedFirst('difference of 200 files', 500, manyFiles),
  difference('first painted', 500, ({ paint }) => paint),
  difference('longest task while scrolling', 50, ({ longestTask }) => longestTask, { afterwards: scrollThrough }),
  difference('side by side, first painted', 500, ({ paint }) => paint, { pathOf: manyFilesBeside }),
  difference('side by side, longest task while scrolling', 50, ({ longestTask }) => longestTask, {
    pathOf: manyFilesBeside,
    afterwards: scrollThrough,
  }),
  ...Object.keys(visited).map(painted),
  ...Object.keys(visited).map(longestTask),
  worstShift,
]
