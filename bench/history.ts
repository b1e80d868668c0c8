/**
 * A repository with a long history, the same for everyone: a stream for `git fast-import` made from a fixed seed. Files
 * of one to some twenty kilobytes of text in nested directories; each commit edits lines of a few of them or adds one.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { environment } from './environment.ts'
import { git } from './git.ts'

/** The file that raw reads ask for: one of the first, so that every size of history has it. */
export const someFile = 'src/part-3/module-3.txt'

/** Makes a bare repository at `path` whose `main` has `commits` commits. */
export async function makeHistory(path: string, commits: number): Promise<void> {
  await git(['init', '--bare', '--quiet', '--initial-branch=main', '--template=', path])
  const importer = spawn('git', ['-C', path, 'fast-import', '--quiet'], { env: environment, stdio: ['pipe', 'ignore', 'inherit'] })
  const ended = once(importer, 'exit')
  await pipeline(Readable.from(historyOf(commits)), importer.stdin)
  const [code] = await ended
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`)
  // As a client's repository is after some time of work.
  await git(['-C', path, 'repack', '-a', '-d', '-q'])
}

const FIRST_FILES = 120
const EPOCH = 1_609_459_200 // 2021-01-01

function* historyOf(commits: number): Generator<string> {
  const random = generator(2021)
  const files: string[][] = []
  for (let number = 0; number < commits; number++) {
    const changed = number === 0 ? addFiles(files, FIRST_FILES, random) : edit(files, random)
    const person = `Person ${1 + random(40)} <person-${1 + random(40)}@example.com> ${EPOCH + number * 1_800} +0000`
    const message = `${sentence(random, 6)}\n\n${sentence(random, 12)}\n${sentence(random, 12)}\n`
    yield `commit refs/heads/main\nauthor ${person}\ncommitter ${person}\ndata ${Buffer.byteLength(message)}\n${message}`
    for (const file of changed) {
      const text = `${(files[file] as string[]).join('\n')}\n`
      yield `M 100644 inline ${pathOf(file)}\ndata ${Buffer.byteLength(text)}\n${text}\n`
    }
    yield '\n'
  }
}

/** The path of the file with this number, from 0. */
export const pathOf = (file: number) => `src/part-${file % 12}/${file % 36 < 12 ? '' : `deeper-${file % 36}/`}module-${file}.txt`

function addFiles(files: string[][], count: number, random: Random): number[] {
  return Array.from({ length: count }, () => files.push(Array.from({ length: 20 + random(300) }, () => sentence(random, 8))) - 1)
}

/** One to four files get a few other lines; every tenth commit adds a file. Returns the numbers of the files. */
function edit(files: string[][], random: Random): number[] {
  if (random(10) === 0) return addFiles(files, 1, random)
  const changed = new Set(Array.from({ length: 1 + random(4) }, () => random(files.length)))
  for (const file of changed) {
    const lines = files[file] as string[]
    const at = random(lines.length)
    lines.splice(at, random(4), ...Array.from({ length: 1 + random(5) }, () => sentence(random, 8)))
  }
  return [...changed]
}

/** A whole number from 0 to below `limit`. */
type Random = (limit: number) => number

/** A small generator (xorshift): the same numbers on every machine. */
function generator(seed: number): Random {
  let state = seed
  return limit => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % limit
  }
}

const syllables = 'ba ce di fo gu ha ji ke lo mu na pe qui ro su ta ve wi xo yu'.split(' ')

const sentence = (random: Random, words: number): string =>
  Array.from({ length: 1 + random(words) }, () =>
    Array.from({ length: 1 + random(4) }, () => syllables[random(syllables.length)]).join(''),
  ).join(' ')
