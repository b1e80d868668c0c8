/** Test files in a process of their own, with a mutant or to find what they run. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type FileMutant, mutantVariable } from './loading.ts'

/** Test files that passed without a mutant, and what they ran. */
export interface Probe {
  readonly test: string
  readonly milliseconds: number
  /** For the absolute path of each source that was loaded the ranges that ran or did not, the outer before the inner. */
  readonly ran: ReadonlyMap<string, readonly Range[]>
}

interface Range {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

/** What became of a mutant: the name of the test that failed, or that all passed. */
export type Outcome = { readonly killedBy: string } | 'survived'

interface ScriptCoverage {
  readonly url: string
  readonly functions: readonly { readonly ranges: readonly Range[] }[]
}

const running = new Set<ChildProcess>()

/** Ends the processes that still run. */
export function endAll(): void {
  for (const child of running) child.kill('SIGKILL')
}

/**
 * Runs a test file as it is, and notes what it runs. Rejects where it fails: nothing can be learnt from it then.
 * @param folder for what only this run needs
 */
export async function probe(test: string, folder: string): Promise<Probe> {
  const coverage = join(await mkdtemp(join(folder, 'probe-')), 'coverage.json')
  const begin = performance.now()
  const outcome = await runTests([test], folder, { coverage })
  if (outcome !== 'survived') throw new Error(`${test} fails without a mutant: ${outcome.killedBy}`)
  const scripts = JSON.parse(await readFile(coverage, 'utf8')) as ScriptCoverage[]
  const ran = new Map(scripts.map(({ url, functions }) => [fileURLToPath(url), functions.flatMap(({ ranges }) => ranges)]))
  return { test, milliseconds: performance.now() - begin, ran }
}

/** Does the test run the code at this place? Of the ranges around it the innermost, which comes last, says so. */
export function runs({ ran }: Probe, file: string, offset: number): boolean {
  const around = (ran.get(file) ?? []).filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset)
  const inner = around.reduce<Range | undefined>((a, b) => (a && size(a) < size(b) ? a : b), undefined)
  return inner !== undefined && inner.count > 0
}

const size = ({ startOffset, endOffset }: Range): number => endOffset - startOffset

/**
 * Runs test files with a mutant, until one fails.
 * @param patience milliseconds after which a mutant has made something endless, which counts as noticed
 */
export const tryMutant = (tests: readonly string[], folder: string, mutant: FileMutant, patience: number): Promise<Outcome> =>
  runTests(tests, folder, { mutant, patience })

interface Conditions {
  readonly coverage?: string
  readonly mutant?: FileMutant
  readonly patience?: number
}

async function runTests(tests: readonly string[], folder: string, { coverage, mutant, patience }: Conditions): Promise<Outcome> {
  const claims = await mkdtemp(join(folder, 'claims-'))
  const program = fileURLToPath(import.meta.resolve('./trying.ts'))
  const before = [import.meta.resolve('../test/following.ts'), import.meta.resolve('./loading.ts')].flatMap(url => ['--import', url])
  const child = spawn(process.execPath, [...before, '--test-reporter=tap', program, claims, coverage ?? '-', ...tests], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      // biome-ignore lint/style/noProcessEnv: the way from the command to its processes
      ...process.env,
      ...(mutant && { [mutantVariable]: JSON.stringify(mutant) }),
      // Functions from a cache of compiled code are covered less exactly.
      ...(coverage !== undefined && { NODE_DISABLE_COMPILE_CACHE: '1' }),
    },
  })
  running.add(child)
  let killedBy: string | undefined
  const end = (by: string) => {
    killedBy ??= by
    child.kill('SIGKILL')
  }
  const timer = patience === undefined ? undefined : setTimeout(() => end('the tests do not end'), patience)
  createInterface({ input: child.stdout }).on('line', line => {
    const failed = /^\s*not ok \d+ - (.*)$/.exec(line)
    if (failed && !/# (TODO|SKIP)/.test(line)) end(failed[1]!)
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-2_000)
  })
  const code = await new Promise<number | null>(resolve => child.once('close', resolve))
  clearTimeout(timer)
  running.delete(child)
  await rm(claims, { recursive: true, force: true })
  if (killedBy !== undefined) return { killedBy }
  return code === 0 ? 'survived' : { killedBy: errors.split('\n').find(line => /error/i.test(line)) ?? `exit ${code}` }
}
