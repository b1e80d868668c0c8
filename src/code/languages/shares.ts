/** The languages of a commit's files, weighted by bytes. */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { GitError, listTree, type ObjectId, objectInfo, type Repository, readObjects } from '../../platform/git/index.ts'
import { KeptThread } from '../../platform/threads/kept_thread.ts'
import { WorkTooLarge } from '../../platform/threads/threaded_work.ts'
import { Attributes, type AttributesFile, mostLines } from './attributes.ts'

/** Above this number of files only every second, third … is classified. */
const MOST_FILES = 20_000
/** Number and bytes of files that are classified together. */
const BATCH = { files: 500, bytes: 16 * 1024 * 1024 }
/** Larger files are classified by name only. */
const MOST_BYTES_READ = 1024 * 1024
/** Bytes at the beginning of a file that are read. */
const HEAD = 16 * 1024

interface File {
  readonly path: string
  readonly id: ObjectId
  /** In bytes. */
  readonly size: number
}

/**
 * Cache of the language of classified files, null for one that does not count, by path, contents and all `.gitattributes`. Most commits
 * change few files, and classifying one takes a millisecond of processor time.
 */
const known = new Map<string, string | null>()
const MOST_KNOWN = 2 * MOST_FILES

/** The share of each language in percent with two decimals, largest first. @throws the reason of `signal` once it is aborted */
export async function languagesOfCommit(repository: Repository, commit: ObjectId, signal?: AbortSignal): Promise<Map<string, number>> {
  const files = await filesOf(repository, commit)
  const attributes = files.filter(({ path }) => isAttributes(path))
  const rules = createHash('sha1')
    .update(JSON.stringify(attributes.map(({ path, id }) => [path, id])))
    .digest('base64')
  const keyOf = ({ path, id }: File) => `${rules} ${id} ${path}`
  const languages = new Map(files.map(file => [file, known.get(keyOf(file))]))
  const unknown = files.filter(file => languages.get(file) === undefined)
  if (unknown.length > 0) {
    const written = new Attributes(await textsOf(repository, attributes))
    for (const batch of batchesOf(unknown)) {
      signal?.throwIfAborted()
      const about = written.about(
        batch.map(({ path }) => path),
        mostLines(files.length),
      )
      const found = await classify(repository, about, batch)
      for (const file of batch) languages.set(file, found[file.path] ?? null)
    }
  }
  const bytes = new Map<string, number>()
  for (const [file, language = null] of languages) {
    remember(keyOf(file), language)
    if (language !== null) bytes.set(language, (bytes.get(language) ?? 0) + file.size)
  }
  return sharesOf(bytes)
}

const isAttributes = (path: string): boolean => /(?:^|\/)\.gitattributes$/.test(path)

/** Bytes of all `.gitattributes` of a commit that are read; files beyond them do not count. */
const MOST_ATTRIBUTES = 4 * 1024 * 1024

/** The texts of `.gitattributes`. */
async function textsOf(repository: Repository, attributes: readonly File[]): Promise<AttributesFile[]> {
  let left = MOST_ATTRIBUTES
  const read = attributes.filter(({ size }) => {
    const fits = size <= Math.min(left, MOST_BYTES_READ)
    if (fits) left -= size
    return fits
  })
  const contents = await readObjects(
    repository,
    read.map(({ id }) => id),
  )
  return read.map(({ path }, index) => ({ path, text: contents[index]?.data.toString('utf8') ?? '' }))
}

/** Adds to the cache, in order of last use; evicts the first entry. */
function remember(key: string, language: string | null): void {
  known.delete(key)
  known.set(key, language)
  const [oldest] = known.keys()
  if (known.size > MOST_KNOWN) known.delete(oldest as string)
}

/** Milliseconds that a batch may take, with its files on the disk. */
const TIME = 60_000

/** Commits are classified one after the other. */
const classifier = new KeptThread<string, Record<string, string>>(new URL('./classifier.ts', import.meta.url), {
  memory: 256,
  patience: 300_000,
})

/** Classifies files; languages by path. */
async function classify(
  repository: Repository,
  attributes: readonly AttributesFile[],
  files: readonly File[],
): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'ingot-languages-'))
  try {
    await writeHeads(repository, folder, files)
    // In place of those that the files have, which may be among them.
    for (const { path } of files) if (isAttributes(path)) await rm(join(folder, path))
    for (const { path, text } of attributes) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    return await classified(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The regular files of a commit that can be written to a temporary folder, with their sizes. */
async function filesOf(repository: Repository, commit: ObjectId): Promise<File[]> {
  // A repository with too many files to list has no languages.
  const tree = await listTree(repository, { commit, recursive: true }).catch(error => {
    if (error instanceof GitError && error.kind === 'too_large') return undefined
    throw error
  })
  const plain = (tree?.rows ?? []).filter(({ mode, path }) => (mode === '100644' || mode === '100755') && isPlainPath(path))
  const step = Math.ceil(plain.length / MOST_FILES)
  const looked = plain.filter((_, index) => index % step === 0)
  const infos = await objectInfo(
    repository,
    looked.map(({ id }) => id),
  )
  return looked.flatMap(({ path, id }, index) => {
    const size = infos[index]?.size ?? 0
    return size > 0 ? [{ path, id, size }] : []
  })
}

/** Stays in the folder and fits a file system; excludes `.gitignore`, which would hide files, and `\`, which the library takes for `/`. */
const isPlainPath = (path: string): boolean =>
  path.length <= 1_000 &&
  !path.includes('\\') &&
  path.split('/').every(part => part !== '' && part !== '.' && part !== '..' && part !== '.gitignore' && Buffer.byteLength(part) <= 200)

/** Splits the files into batches. */
function batchesOf(files: readonly File[]): File[][] {
  const batches: File[][] = []
  let room = { files: 0, bytes: 0 }
  for (const file of files) {
    const cost = file.size <= MOST_BYTES_READ ? file.size : 0
    if (room.files === 0 || room.bytes < cost) {
      batches.push([])
      room = { ...BATCH }
    }
    batches.at(-1)?.push(file)
    room = { files: room.files - 1, bytes: room.bytes - cost }
  }
  return batches
}

/** Writes the beginnings of files into a folder. */
async function writeHeads(repository: Repository, folder: string, files: readonly File[]): Promise<void> {
  const readable = [...new Set(files.filter(({ size }) => size <= MOST_BYTES_READ).map(({ id }) => id))]
  const contents = await readObjects(repository, readable)
  const heads = new Map(readable.map((id, index) => [id, contents[index]?.data.subarray(0, HEAD)]))
  await Promise.all([...new Set(files.map(({ path }) => dirname(join(folder, path))))].map(path => mkdir(path, { recursive: true })))
  for (const { path, id } of files) await writeFile(join(folder, path), heads.get(id) ?? '')
}

/** Languages by file of a folder; none where they take too much. */
async function classified(folder: string): Promise<Record<string, string>> {
  try {
    return await classifier.run(folder, TIME)
  } catch (error) {
    if (error instanceof WorkTooLarge) return {}
    throw error
  }
}

function sharesOf(bytes: ReadonlyMap<string, number>): Map<string, number> {
  const total = [...bytes.values()].reduce((sum, size) => sum + size, 0)
  return new Map(
    [...bytes]
      .sort(([, a], [, b]) => b - a)
      .map(([name, size]) => [name, Math.round((10_000 * size) / total) / 100] as const)
      .filter(([, share]) => share > 0),
  )
}
