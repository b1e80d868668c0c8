/**
 * Runs tests: `npm test` all of them, `npm test -- src/issues` those below a folder or in a file. Small files share a process, since most
 * of what a process costs is loading the program; whatever measures or disturbs its process, and whatever takes long, has one of its own.
 * What takes longest begins first, so that nothing is waited for alone at the end.
 */
import { glob, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type RunOptions, run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'

const root = resolve(import.meta.dirname, '..')

/** Processes at the same time: one more than the processors of a small machine, since each waits for the database now and then. */
const PROCESSES = 3

/** Files in one process: each keeps databases and connections open until the process ends. */
const TOGETHER = 6

/** Files that share a process because they share a world, which takes long to build. Trying wrong requests takes longest, beside them. */
const inOneWorld = /^test\/derived\/(access|queries)\.test\.ts$/

/** Files with a process of their own, those that take longest first. */
const alone: readonly RegExp[] = [
  /^test\/derived\/(fuzz|plans)/,
  /^test\/clients\//,
  /^test\//,
  /^src\/(cli|db|runner|ssh|lfs|bench)\//,
  /memory|large|race|crash|kill/,
]

const rankOf = (file: string): number => alone.findIndex(pattern => pattern.test(file))

/** The test files below the given paths, or all. */
async function testFiles(paths: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for await (const file of glob('{src,test}/**/*.test.ts', { cwd: root })) found.push(file)
  return found
    .filter(file => paths.length === 0 || paths.some(path => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`)))
    .sort()
}

/** What each process runs, in the order in which they begin. */
function processes(files: readonly string[]): string[][] {
  const world = files.filter(file => inOneWorld.test(file))
  const others = files.filter(file => !inOneWorld.test(file))
  const single = others.filter(file => rankOf(file) >= 0).sort((a, b) => rankOf(a) - rankOf(b))
  const small = others.filter(file => rankOf(file) < 0)
  const shared: string[][] = []
  for (let at = 0; at < small.length; at += TOGETHER) shared.push(small.slice(at, at + TOGETHER))
  return [...(world.length > 0 ? [world] : []), ...single.map(file => [file]), ...shared]
}

/** What a process runs: the file itself, or one that runs several. */
async function entryOf(files: readonly string[], folder: string): Promise<string> {
  const [first = '', ...others] = files
  if (others.length === 0) return join(root, first)
  const entry = join(folder, first.replaceAll('/', '-'))
  await writeFile(entry, files.map(file => `await import(${JSON.stringify(pathToFileURL(join(root, file)).href)})\n`).join(''))
  return entry
}

const files = await testFiles(process.argv.slice(2))
if (files.length === 0) throw new Error('there are no tests there')
const folder = await mkdtemp(join(tmpdir(), 'ingot-tests-'))
try {
  const entries: string[] = []
  for (const group of processes(files)) entries.push(await entryOf(group, folder))
  // The library's types do not know of the global setup yet.
  const options: RunOptions & { globalSetupPath: string } = {
    files: entries,
    concurrency: PROCESSES,
    globalSetupPath: join(root, 'test', 'setup.ts'),
    cwd: root,
  }
  const stream = run(options)
  stream.on('test:fail', ({ todo }) => {
    if (todo === undefined || todo === false) process.exitCode = 1
  })
  for await (const text of stream.compose(new spec())) process.stdout.write(text)
} finally {
  await rm(folder, { recursive: true, force: true })
}
