/**
 * `npm run mutate`: would the tests notice? Small changes are made to the sources of an area, one at a time, and the tests that run the changed code are
 * run. Fails where fewer than nine of ten are noticed. `docs/mutation.md` says what is changed, and how a survivor is read.
 *
 *     npm run mutate -- [<area>]... [--times <number>] [--seed <number>] [--file <path>] [--line <number>] [--processes <number>]
 */
import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { globalSetup, globalTeardown } from '../test/setup.ts'
import { chanceFrom } from '../torture/chance.ts'
import { type Area, areas, NOT_MUTATED, NOT_RUN } from './areas.ts'
import { type Mutant, mutantsOf } from './mutants.ts'
import { lineOf, type Result, report } from './report.ts'
import { endAll, type Probe, probe, runs, tryMutant } from './trial.ts'

const root = resolve(import.meta.dirname, '..')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: 'string' },
    seed: { type: 'string', default: '1' },
    file: { type: 'string' },
    line: { type: 'string' },
    processes: { type: 'string', default: '2' },
  },
})
const names = areas.map(({ name }) => name)
for (const name of positionals) if (!names.includes(name)) throw new Error(`there is no ${name} among ${names.join(', ')}`)

function number(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} must be a whole number above 0`)
  return Number(text)
}
const times = values.times === undefined ? undefined : number('times', values.times)
const line = values.line === undefined ? undefined : number('line', values.line)
const seed = number('seed', values.seed)
const processes = number('processes', values.processes)
const say = (text: string) => void process.stdout.write(`${text}\n`)

interface Source {
  readonly file: string
  readonly text: string
}

/** The sources of an area, without tests and what is not mutated. */
async function sourcesOf(area: Area): Promise<Source[]> {
  const patterns = area.sources.map(path => `${path}/**/*.ts`)
  const files = globSync(patterns, { cwd: root })
    .filter(file => !file.endsWith('.test.ts') && !NOT_MUTATED.some(pattern => pattern.test(file)))
    .filter(file => values.file === undefined || file === values.file)
  return Promise.all(files.sort().map(async file => ({ file, text: await readFile(join(root, file), 'utf8') })))
}

/** The test files of an area. Folders are taken with all below them. */
function testsOf(area: Area): string[] {
  const all = globSync('{src,test}/**/*.test.ts', { cwd: root })
  return all.filter(file => !NOT_RUN.test(file) && area.tests.some(path => file === path || file.startsWith(`${path}/`))).sort()
}

/** Does the work for each thing, so many at a time. */
async function forAll<T>(things: readonly T[], work: (thing: T) => Promise<void>): Promise<void> {
  const left = [...things]
  const next = async (): Promise<void> => {
    for (let thing = left.shift(); thing !== undefined; thing = left.shift()) await work(thing)
  }
  await Promise.all(Array.from({ length: processes }, next))
}

/** Some of many, the same for the same seed. */
function sample<T>(things: readonly T[], count: number): T[] {
  const chance = chanceFrom(seed)
  const left = [...things]
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(chance.below(left.length), 1)[0]!)
}

/** What is known so far: a run that is ended early says it. */
const results: Result[] = []

/** Tries mutants of an area, and notes the results. */
async function mutate(area: Area, folder: string): Promise<void> {
  const sources = await sourcesOf(area)
  const all = sources
    .flatMap(source => mutantsOf(source.text).map(mutant => ({ source, mutant })))
    .filter(({ source, mutant }) => line === undefined || lineOf(source.text, mutant.start).number === line)
  const chosen = times === undefined ? all : sample(all, times)
  if (chosen.length === 0) return
  const tests = testsOf(area)
  say(`${area.name}: ${chosen.length} of ${all.length} mutants in ${sources.length} files, ${tests.length} test files …`)
  const probes: Probe[] = []
  await forAll(tests, async test => void probes.push(await probe(test, folder)))
  let done = 0
  await forAll(chosen, async ({ source, mutant }) => {
    const result = { area: area.name, ...source, mutant, outcome: await outcomeOf(source, mutant, probes, folder) }
    results.push(result)
    say(`${++done}/${chosen.length} ${report.line(result)}`)
  })
}

async function outcomeOf({ file }: Source, mutant: Mutant, probes: readonly Probe[], folder: string): Promise<Result['outcome']> {
  const path = join(root, file)
  const concerned = probes.filter(each => runs(each, path, mutant.start)).sort((a, b) => a.milliseconds - b.milliseconds)
  if (concerned.length === 0) return 'not run'
  const patience = 60_000 + 5 * concerned.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
  const tests = concerned.map(({ test }) => test)
  return tryMutant(tests, folder, { ...mutant, file: path }, patience)
}

// What is ended takes its processes with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    say(report.table(results))
    endAll()
    void globalTeardown().finally(() => process.exit(1))
  })

const folder = await mkdtemp(join(tmpdir(), 'ingot-mutate-'))
await globalSetup()
try {
  for (const area of areas) if (positionals.length === 0 || positionals.includes(area.name)) await mutate(area, folder)
  say(report.table(results))
  if (report.isTooLow(results)) process.exitCode = 1
} finally {
  endAll()
  await globalTeardown()
  await rm(folder, { recursive: true, force: true })
}
