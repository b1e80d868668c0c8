/**
 * Runs the tests: `npm test` all of them, `npm test -- src/planning/issues` those of a folder or a file, `npm test -- issues` those of every folder
 * of that name. Files share processes, one after the other (together.ts), since a program that has been loaded, and compiled where it is hot, is most of what a small file needs. What takes long
 * begins first, so that no processor waits for it alone at the end.
 */
import { glob, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type RunOptions, run } from 'node:test'
import { spec } from 'node:test/reporters'

const root = resolve(import.meta.dirname, '..')

/**
 * Processes at the same time: twice the processors of a small machine. Each waits a fifth of its time with nothing at work for it (timers, the
 * disk, a database being copied), and some tests wait for other programs: three leave a processor idle for a tenth of the run.
 */
const PROCESSES = 4

/** Files in one process: the world of each stays in its memory, some 20 MB, until the last one is over. */
const TOGETHER = 10

/** Files with a process of their own, in the order in which they begin: those that take longest, and those that are about memory. */
const LONG: readonly RegExp[] = [
  /^test\/derived\/fuzz\./,
  /^test\/derived\/plans\./,
  /^test\/clients\/python_gitlab\./,
  // Not together with the first: until the world is there, which it makes, these could only wait (derived/made_once.ts).
  /^test\/derived\/(access|queries)\./,
  /^src\/server\/cli\//,
  /^src\/(platform\/db\/embedded|runner\/runner)\./,
  /memory|large/,
  /^test\/documents\./,
]

/** Short files with a process of their own, since they are about processes. They come last: no processor waits long for the other one. */
const SHORT: readonly RegExp[] = [/^src\/(platform\/db|runner|platform\/git\/launching)\//]

const isOneOf = (patterns: readonly RegExp[]) => (file: string) => patterns.some(pattern => pattern.test(file))

/** The test files below the given paths or names of folders, or all, in the order of their names. */
async function testFiles(paths: readonly string[]): Promise<string[]> {
  const wanted = paths.map(path => path.replace(/\/$/, ''))
  const found: string[] = []
  for await (const file of glob('{src,test}/**/*.test.ts', { cwd: root })) found.push(file)
  return found.filter(file => wanted.length === 0 || wanted.some(path => `/${file}/`.includes(`/${path}/`))).sort()
}

/** The files of each process, in the order in which the processes begin. The same for the same files. */
function processesOf(files: readonly string[]): string[][] {
  const rankOf = (file: string) => LONG.findIndex(pattern => pattern.test(file))
  const long = files.filter(isOneOf(LONG)).sort((a, b) => rankOf(a) - rankOf(b))
  const short = files.filter(file => !long.includes(file)).filter(isOneOf(SHORT))
  const shared = files.filter(file => !long.includes(file) && !short.includes(file))
  const count = Math.ceil(shared.length / TOGETHER)
  const groups = Array.from({ length: count }, (_, at) =>
    shared.slice(Math.round((at * shared.length) / count), Math.round(((at + 1) * shared.length) / count)),
  )
  return [...long.map(file => [file]), ...groups, ...short.map(file => [file])]
}

/** What a process runs: a file itself, or a program that runs several. */
async function entryOf(files: readonly string[], folder: string): Promise<string> {
  const [first = '', ...others] = files
  if (others.length === 0) return join(root, first)
  const entry = join(folder, `${first.replaceAll('/', '-').replace(/\.test\.ts$/, '')}-and-${others.length}-more.test.mjs`)
  const url = JSON.stringify(import.meta.resolve('./together.ts'))
  await writeFile(entry, `import { runTogether } from ${url}\nawait runTogether(${JSON.stringify(files)})\n`)
  return entry
}

const files = await testFiles(process.argv.slice(2))
if (files.length === 0) throw new Error('There are no tests there')
const folder = await mkdtemp(join(tmpdir(), 'ingot-tests-'))
try {
  const entries: string[] = []
  for (const together of processesOf(files)) entries.push(await entryOf(together, folder))
  // The library's types do not know of the global setup yet.
  const options: RunOptions & { globalSetupPath: string } = {
    files: entries,
    concurrency: PROCESSES,
    globalSetupPath: join(root, 'test', 'setup.ts'),
    execArgv: ['--import', import.meta.resolve('./following.ts')],
    cwd: root,
  }
  const results = run(options).on('test:fail', ({ todo }) => {
    if (todo === undefined || todo === false) process.exitCode = 1
  })
  for await (const text of results.compose(new spec())) process.stdout.write(text)
} finally {
  await rm(folder, { recursive: true, force: true })
}
