/**
 * Runs the tests: `npm test` all of them, `npm test -- src/planning/issues` those of a folder or a file, `npm test -- issues` those of every folder
 * of that name, `npm test -- --changed` those that a change concerns (changed.ts); with `--whole` each takes all that it can try (depth.ts). Files
 * share processes, one after the other (together.ts): loading the program, and running it until it is compiled, is most of what a small file
 * needs. What takes long begins first, so that no processor waits for it alone at the end.
 */
import { existsSync } from 'node:fs'
import { glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { Transform } from 'node:stream'
import { run } from 'node:test'
import { spec, type TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import { buildChangedProgram } from '../src/server/bundle/build.ts'
import { flawlessVariable } from './browser/flawless.ts'
import { openPagesVariable } from './browser/open_pages.ts'
import { changedFiles, testsConcerning } from './changed.ts'
import { depthVariable } from './depth.ts'
import { refusalsUnseen, seenVariable } from './derived/refusals_seen.ts'
import { globalSetup, globalTeardown } from './setup.ts'
import { reportFlags, Silence } from './silence.ts'
import { longestFiles, timesVariable } from './times.ts'

const root = resolve(import.meta.dirname, '..')

/**
 * Processes at the same time, one for each processor of a small machine: each has a database's process, programs and often a browser beside it. With
 * four, six journeys in the browser took a fifth longer and a third more of the processors, and tests without one no less.
 */
const PROCESSES = 2

/** Files with a process of their own, in the order in which they begin: those that take longest, and those that are about processes or memory. */
const LONG: readonly RegExp[] = [
  /^test\/derived\/fuzz\./,
  /^test\/derived\/plans\./,
  /^test\/clients\/python_gitlab\./,
  // Not together with the first: until the world is there, which it makes, these could only wait (derived/made_once.ts).
  /^test\/derived\/(access|callers|queries)\./,
  /^test\/torture\//,
  /^src\/server\/cli\//,
  /^src\/(platform\/db\/embedded\/embedded|runner\/runner)\./,
  /memory|large/,
  /^test\/documents\./,
]

/** Of the other files those that take longer than most, which are taken first. */
const EARLY: readonly RegExp[] = [/^test\//, /\/(open_to|kinds|internal|cost)\./]

/** Short files with a process of their own, since they are about processes. They come last: no processor waits long for the other one. */
const SHORT: readonly RegExp[] = [/^src\/(platform\/db|runner|platform\/git\/process)\//]

const isOneOf = (patterns: readonly RegExp[]) => (file: string) => patterns.some(pattern => pattern.test(file))

/** The test files below the given paths or names of folders, those that a change concerns, or all, in the order of their names. */
async function testFiles(paths: readonly string[]): Promise<string[]> {
  const wanted = paths.map(path => path.replace(/\/$/, ''))
  const found: string[] = []
  for await (const file of glob('{src,test}/**/*.test.ts', { cwd: root })) found.push(file)
  if (wanted.includes('--changed')) return testsConcerning(found.sort(), await changedFiles(root))
  return found.filter(file => wanted.length === 0 || wanted.some(path => `/${file}/`.includes(`/${path}/`))).sort()
}

/**
 * What the processes run, in the order in which they begin: a file itself, or a program that takes one file of a list after the other.
 * @param folder for what only this run needs
 */
async function entriesOf(files: readonly string[], folder: string): Promise<string[]> {
  const rankOf = (file: string) => LONG.findIndex(pattern => pattern.test(file))
  const long = files.filter(isOneOf(LONG)).sort((a, b) => rankOf(a) - rankOf(b))
  const short = files.filter(file => !long.includes(file)).filter(isOneOf(SHORT))
  const others = files.filter(file => !long.includes(file) && !short.includes(file))
  const early = others.filter(isOneOf(EARLY))
  const shared = [...early, ...others.filter(file => !early.includes(file))]
  const workers = await Promise.all(
    Array.from({ length: Math.min(PROCESSES, shared.length) }, (_, index) => workerFor(shared, folder, index + 1)),
  )
  const alone = (files: readonly string[]) => Promise.all(files.map(file => workerFor([file], folder, file.replaceAll('/', '-'))))
  return [...(await alone(long)), ...workers, ...(await alone(short))]
}

/**
 * A program that runs files of the list until each has been taken, by it or by another one with this list.
 * @param name of the program; programs that share a list have the number of theirs
 */
async function workerFor(files: readonly string[], folder: string, name: string | number): Promise<string> {
  const entry = join(folder, `worker-${name}.test.mjs`)
  const claims = join(folder, typeof name === 'number' ? 'claims' : `claims-${name}`)
  await mkdir(claims, { recursive: true })
  const url = JSON.stringify(import.meta.resolve('./together.ts'))
  await writeFile(entry, `import { runTogether } from ${url}\nawait runTogether(${JSON.stringify(files)}, ${JSON.stringify(claims)})\n`)
  return entry
}

/**
 * Fails a run of all tests where a declaration names a refusal that no test has seen: the name is wrong, or a test is missing. After a failure
 * some of them may be what the failed test would have seen.
 */
async function assertRefusalsSeen(folder: string): Promise<void> {
  const { endpoints } = await import('../src/server/endpoints.ts')
  const unseen = await refusalsUnseen(endpoints, folder)
  if (unseen.length === 0) return
  process.exitCode = 1
  process.stdout.write(`\n✖ \`errors\` of these declarations were never answered:\n${unseen.map(line => `  ${line}\n`).join('')}`)
}

/** How many of each kind all processes have reported, and what failed, with its reason. */
const sums: Record<string, number> = {}
const failed: { readonly what: string; readonly why: string }[] = []

/** Lines of a reason that the summary repeats. */
const REASON = 25

/**
 * Runs one entry after the other. Several share the list. An entry that hangs is ended and has failed: the run goes on.
 * @param folder for what processes say of themselves
 */
async function runInTurn(entries: string[], folder: string): Promise<void> {
  for (let entry = entries.shift(); entry !== undefined; entry = entries.shift()) {
    const name = relative(root, entry)
    const silence = new Silence(entry, folder, text => noteFailure(name, text))
    const execArgv = ['--import', import.meta.resolve('./following.ts'), ...reportFlags(folder)]
    const events = run({ files: [entry], execArgv, cwd: root, signal: silence.signal })
    const path: string[] = []
    const heard = (event: TestEvent, _encoding: unknown, done: (error: null, event?: TestEvent) => void) => {
      silence.heard(event)
      // Before its tests, a suite is reported as begun.
      if (event.type === 'test:start') path.splice(event.data.nesting, path.length, event.data.name)
      done(null, ...noted(event, path))
    }
    await print(events.pipe(new Transform({ objectMode: true, transform: heard })).compose(new spec()))
    silence.end()
  }
}

/** Writes what failed, and why, when it is known: its process reports it once more at its end, which may be long after. */
function noteFailure(what: string, why: string): void {
  process.exitCode = 1
  failed.push({ what, why })
  process.stdout.write(`✖ ${what}\n${why}\n`)
}

/**
 * Counts what an event says.
 * @param path the names of the file, of the suites that the test lies in, and its own
 * @returns the event, unless it is a sum of one process
 */
function noted(event: TestEvent, path: readonly string[]): TestEvent[] {
  const { type, data } = event
  // Another one is of the entry alone, which all is here.
  if (type === 'test:summary' && data.file === undefined)
    for (const [name, count] of Object.entries(data.counts)) sums[name] = (sums[name] ?? 0) + count
  if (type === 'test:fail' && (data.todo === undefined || data.todo === false)) {
    process.exitCode = 1
    const { failureType } = data.details.error as { readonly failureType?: string }
    if (failureType !== 'subtestsFailed')
      noteFailure(
        `${relative(root, data.file ?? '')}:${data.line ?? ''} ${[...path.slice(1, data.nesting), data.name].join(' > ')}`,
        inspect(data.details.error.cause),
      )
  }
  const isSum = type === 'test:diagnostic' && data.nesting === 0 && data.file === undefined
  return isSum ? [] : [event]
}

/** Writes a report as it comes, each file in one piece: several processes report at the same time. */
async function print(report: AsyncIterable<string>): Promise<void> {
  let pending = ''
  for await (const text of report) {
    pending += text
    if (!/^[^\s▶]/m.test(text)) continue
    process.stdout.write(pending)
    pending = ''
  }
  process.stdout.write(pending)
}

/**
 * What all processes counted, what failed, and what it left on its screen: often only the end of the output is kept.
 * @param pages the file that has what windows showed which no test has closed
 */
async function summary(pages: string): Promise<string> {
  const counts = Object.entries(sums).map(([name, count]) => `ℹ ${name} ${count}\n`)
  const reasons = failed.map(({ what, why }) => `✖ ${what}\n${why.split('\n', REASON).join('\n')}\n\n`)
  const shown = failed.length > 0 && existsSync(pages) ? `Windows that were left open:\n${await readFile(pages, 'utf8')}` : ''
  return `${counts.join('')}${shown}${reasons.join('')}${failed.map(({ what }) => `✖ ${what}\n`).join('')}`
}

const arguments_ = process.argv.slice(2)
const isWhole = arguments_.includes('--whole')
const wanted = arguments_.filter(argument => argument !== '--whole')
const files = await testFiles(wanted)
if (files.length === 0) throw new Error('There are no tests there')
const folder = await mkdtemp(join(tmpdir(), 'ingot-tests-'))
const [seen, flawless, reports] = [join(folder, 'refusals'), join(folder, 'flawless'), join(folder, 'reports')]
const pages = join(folder, 'pages')
try {
  await Promise.all([mkdir(seen), mkdir(flawless), mkdir(reports)])
  // biome-ignore lint/style/noProcessEnv: the way from here to the processes of the tests
  Object.assign(process.env, {
    ...(isWhole && { [depthVariable]: 'whole' }),
    [seenVariable]: seen,
    [flawlessVariable]: flawless,
    [timesVariable]: join(folder, 'times'),
    [openPagesVariable]: pages,
  })
  // From its sources, each start of the program takes the processor twice as long.
  if (files.length > 1) await buildChangedProgram()
  await globalSetup()
  const entries = await entriesOf(files, folder)
  await Promise.all(Array.from({ length: PROCESSES }, () => runInTurn(entries, reports)))
  process.stdout.write(await summary(pages))
  if (files.length > 1) process.stdout.write(await longestFiles(join(folder, 'times')))
  if (wanted.length === 0) await assertRefusalsSeen(seen)
} finally {
  await globalTeardown()
  await rm(folder, { recursive: true, force: true })
}
