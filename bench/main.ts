/**
 * `npm run bench`: how fast is Ingot, and how near to what the machine gives? docs/performance.md says how to read it.
 *
 *     npm run bench -- [<part or measurement>]... [--seconds <number>] [--size small|full] [--check] [--profile] [--json <file>]
 *     npm run bench -- stall
 *     npm run bench -- charts <file that --json wrote>
 */
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { makeArchiveProject } from './archive_project.ts'
import { artifactCases } from './artifacts.ts'
import type { Bench } from './bench.ts'
import { drawCharts } from './charts.ts'
import { ciCases, jobListCases } from './ci.ts'
import { growthCases, measureGrowth } from './growth.ts'
import { pushHistory } from './history_project.ts'
import { startIngot } from './ingot.ts'
import { watched } from './inside/ask.ts'
import { issueCases } from './issues.ts'
import { memoryOf } from './memory.ts'
import { mergeRequestCases, mergingCases } from './merge_requests.ts'
import { measureMixed } from './mixed.ts'
import { makeBoard } from './pages/board.ts'
import { makeBranches } from './pages/branches.ts'
import { makeBuiltProject } from './pages/builds.ts'
import { pageCases } from './pages/cases.ts'
import { ciPageCases } from './pages/ci_cases.ts'
import { planningPageCases } from './pages/planning_cases.ts'
import { makePageProject } from './pages/project.ts'
import { loadPackages, packageListCases, registryCases } from './registries.ts'
import { Report } from './report.ts'
import { measureRequest } from './requests.ts'
import { restCases } from './rest.ts'
import { scimCases } from './scim.ts'
import { loadProvisioned } from './scim_group.ts'
import { furnishSite, openSite, type Site } from './site.ts'
import { measureStalls } from './stall/run.ts'
import { transferCases } from './transfers.ts'
import { loadIssues } from './world/issues.ts'
import { loadMergeRequests } from './world/merge_requests.ts'
import { makeProposals } from './world/proposals.ts'
import { type BenchSize, fewProjects, sizes } from './world/sizes.ts'

interface Options {
  readonly size: BenchSize
  readonly seconds: number
  /** Parts and measurements to make; all when empty. */
  readonly wanted: readonly string[]
  readonly check: boolean
  /** Write profiles of the requests? */
  readonly profile: boolean
  /** The file that results are written to. */
  readonly json: string | undefined
}

const ROUNDS = 3

/** Long enough for what a load leaves behind (timers, checkpoints, collections) to come to rest, in milliseconds. */
const REST = 3_000

/** What can be measured, by parts; the order is that of the run. */
const requestParts = {
  requests: restCases,
  scim: scimCases,
  issues: issueCases,
  merge_requests: mergeRequestCases,
  ci: jobListCases,
  registries: packageListCases,
} as const
/** What is timed as a whole, by the same parts. */
const durationParts = {
  merge_requests: mergingCases,
  ci: ciCases,
  artifacts: artifactCases,
  registries: registryCases,
  pages: [...pageCases, ...planningPageCases],
  ci_pages: ciPageCases,
} as const
const names = [
  'stall',
  ...Object.entries(requestParts).flatMap(([part, cases]) => [part, ...cases.map(({ name }) => name)]),
  'mixed',
  'growth',
  ...growthCases.map(({ name }) => name),
  ...Object.entries(durationParts).flatMap(([part, cases]) => [part, ...cases.map(({ name }) => name)]),
  'transfers',
  ...transferCases.map(({ name }) => name),
]

const USAGE = 'npm run bench -- [<part or measurement>]... [--seconds <number>] [--size small|full] [--check] [--profile] [--json <file>]'

function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: '3' },
      size: { type: 'string', default: 'full' },
      check: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(`${USAGE}\nParts and measurements: ${names.join(', ')}. docs/performance.md says how to read them.\n`)
    process.exit(0)
  }
  const seconds = Number(values.seconds)
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > 60) throw new Error('--seconds must be a whole number from 1 to 60')
  if (!(values.size in sizes)) throw new Error(`--size must be one of ${Object.keys(sizes).join(', ')}`)
  for (const name of positionals) if (!names.includes(name)) throw new Error(`there is no ${name} among ${names.join(', ')}`)
  return {
    size: sizes[values.size as keyof typeof sizes],
    seconds,
    wanted: positionals,
    check: values.check,
    profile: values.profile,
    json: values.json,
  }
}

const say = (line: string) => process.stdout.write(`${line}\n`)

async function run(options: Options, scratch: string): Promise<Report> {
  const report = new Report(say)
  const dataDir = join(scratch, 'data')
  const inside = join(scratch, 'inside')
  await mkdir(inside)
  const ingot = await startIngot(dataDir, watched(inside))
  try {
    say(`Ingot made a database and listened after ${ingot.startedIn.toFixed(0)} ms`)
    await pause(REST)
    report.addMemory('after start', await memoryOf(ingot.pid), true)
    const site = await timed('loading projects', () => furnishSite(ingot, dataDir, options.size))
    try {
      await measureAll(options, scratch, site, report)
      await pause(REST)
      report.addMemory('after load', await memoryOf(ingot.pid), false)
    } finally {
      await site.close()
    }
    return report
  } finally {
    // Where its site was closed, it has stopped.
    await ingot.stop()
  }
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now()
  const result = await work()
  say(`${what} took ${((performance.now() - began) / 1_000).toFixed(1)} s`)
  return result
}

/** The same promise whenever it is asked for. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

async function measureAll(options: Options, scratch: string, site: Site, report: Report): Promise<void> {
  const { size, seconds } = options
  const profiles = options.profile ? await mkdtemp(join(tmpdir(), 'ingot-profiles-')) : undefined
  const { ingot, deps } = site
  const { database } = deps
  let few: Site | undefined
  const issues = once(() => timed('loading issues', () => loadIssues(database, size)))
  const history = once(() => pushHistory(ingot, deps, scratch, size.commits))
  const bench: Bench = {
    ...site,
    scratch,
    inside: join(scratch, 'inside'),
    profiles,
    seconds,
    rounds: ROUNDS,
    size,
    archived: once(() => timed('making an archive', () => makeArchiveProject(ingot, scratch, size))),
    history,
    provisioned: once(() => timed('loading provisioned people', () => loadProvisioned(database, size.identities))),
    issues,
    mergeRequests: once(async () => {
      const world = await issues()
      await timed('loading merge requests', () => loadMergeRequests(database, size))
      return world
    }),
    proposals: once(async () => {
      const project = await history()
      return timed('making merge requests', () => makeProposals(ingot, database, project))
    }),
    board: once(() => timed('making a board of many issues', () => makeBoard(ingot, site))),
    branches: once(() => timed('making many branches', () => makeBranches(ingot, site, scratch))),
    pages: once(() => timed('making a project to look at', () => makePageProject(ingot, site, scratch, size.pageCommits))),
    packages: once(() => timed('loading packages', () => loadPackages(site))),
    built: once(() => timed('loading jobs', () => makeBuiltProject(ingot, site, size.jobs))),
    few: once(async () => {
      few = await openSite(scratch, 'few', fewProjects)
      return few
    }),
  }
  const { wanted } = options
  const isWanted = (part: string, name: string) => wanted.length === 0 || wanted.includes(part) || wanted.includes(name)
  const chosen = <T extends { readonly name: string }>(part: string, cases: readonly T[]): T[] =>
    cases.filter(({ name }) => isWanted(part, name))
  /** What cannot be measured does not keep the others from it. */
  async function attempt(name: string, measure: () => Promise<void>): Promise<void> {
    say(`measuring ${name}`)
    try {
      await measure()
    } catch (error) {
      report.addFailure(name, error)
    }
  }
  try {
    // Before there are many issues: growth and lists of projects are about projects.
    for (const list of chosen('growth', growthCases))
      await attempt(list.name, async () => report.addGrowth(list, await measureGrowth(bench, list)))
    for (const [part, cases] of Object.entries(requestParts))
      for (const request of chosen(part, cases))
        await attempt(request.name, async () => report.addRequest(request, await measureRequest(bench, request)))
    if (isWanted('mixed', 'mixed')) await attempt('mixed load', async () => report.addMixed(await measureMixed(bench)))
    for (const [part, cases] of Object.entries(durationParts))
      for (const duration of chosen(part, cases))
        await attempt(duration.name, async () => report.addDuration(duration, await duration.measure(bench)))
    for (const transfer of chosen('transfers', transferCases))
      await attempt(transfer.name, async () => report.addTransfer(transfer.name, await transfer.measure(bench)))
  } finally {
    await few?.close()
    if (profiles !== undefined) say(`profiles and flame graphs are in ${profiles}`)
  }
}

/** Loads a server and measures it. */
async function measureLoad(options: Options): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'ingot-bench-'))
  try {
    // Under root the database runs as another user, who must be able to enter.
    await chmod(scratch, 0o755)
    const report = await run(options, scratch)
    say(`\n${report}\n${cpus().length} × ${cpus()[0]?.model.trim()}, ${(totalmem() / 1e9).toFixed(0)} GB, Node ${process.versions.node}`)
    if (report.failures.length > 0) {
      say(`could not be measured: ${report.failures.join(', ')}`)
      process.exitCode = 1
    }
    if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(report.results, undefined, 2)}\n`)
    if (options.check) for (const { says, isMet } of report.targets) say(`${isMet ? 'met' : 'NOT met'}: ${says}`)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** What the arguments ask for. */
async function main(args: readonly string[]): Promise<void> {
  if (args[0] === 'charts') {
    const [, file, ...others] = args
    if (file === undefined || others.length > 0) throw new Error('charts are drawn from one file, which --json wrote')
    for (const chart of await drawCharts(file)) say(`drew ${chart}`)
    return
  }
  const options = readOptions(args)
  // By itself, and only where it is asked for: it is about how long one request takes, and loads nothing.
  if (options.wanted.includes('stall')) process.exitCode = (await measureStalls()) ? 0 : 1
  const wanted = options.wanted.filter(name => name !== 'stall')
  if (wanted.length > 0 || options.wanted.length === 0) await measureLoad({ ...options, wanted })
}

await main(process.argv.slice(2))
