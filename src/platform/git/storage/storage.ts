/**
 * The location of repositories on disk: `<root>/@hashed/ab/cd/<sha256 of the project id>.git`. Wikis of groups are in `@groups`, snippets in
 * `@snippets`, by the hashes of their own ids.
 *
 * A repository appears and disappears by one rename each, so that no crash leaves an incomplete one under its name. The next start deletes
 * what a crash leaves in `@tmp` and `@trash` (`sweep`).
 */
import { createHash, randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { GitError } from '../errors.ts'
import { CatFilePool, type CatFilePoolOptions } from '../objects/cat-file-pool.ts'
import { runGit } from '../process/run.ts'
import { hiddenNamespaces, isValidShortName, readOnlyNamespaces } from '../refs/names.ts'
import type { Repository } from './repository.ts'

/** The folders of a storage, each with ids of its own: projects, groups, snippets. */
export type RepositoryFolder = '@hashed' | '@groups' | '@snippets'

/** Names one repository of a storage. */
export interface RepositoryKey {
  /** `@hashed`, that of projects, unless it is another. */
  readonly folder?: RepositoryFolder
  /** Of the project, group or snippet. */
  readonly id: number
  /** A second repository of the same owner. */
  readonly suffix?: 'wiki'
}

/** A storage for repositories, named as in the API's `repository_storage`. */
export interface RepositoryStorage {
  readonly name: string
  /** Where the repository of a project is in this storage: `@hashed/ab/cd/…`, without `.git`. */
  diskPath(projectId: number): string
  /** The repository of a project, or the one that is named, whether or not it exists yet. */
  repository(of: number | RepositoryKey): Repository
  /**
   * Creates an empty bare repository whose HEAD names `defaultBranch`. `fill` may add content before it becomes visible. `conflict` if
   * there is one already.
   */
  create(of: number | RepositoryKey, options: CreateOptions): Promise<Repository>
  exists(repository: Repository): Promise<boolean>
  /** Makes the repository disappear immediately and deletes it. Does nothing if there is none. */
  remove(repository: Repository): Promise<void>
  /** Deletes what a crash left behind. Only for the one process that owns the storage, at its start. */
  sweep(): Promise<void>
  /**
   * Deletes the repositories of a folder without an owner that have not been modified since `before`, and returns their number. `known`
   * receives hashes (hex SHA-256 of an owner's id) in batches, and returns those of existing owners.
   */
  removeUnknown(folder: RepositoryFolder, before: Date, known: KnownOwners): Promise<number>
  /** The paths of those that `removeUnknown` would delete. */
  findUnknown(folder: RepositoryFolder, before: Date, known: KnownOwners): AsyncIterable<string>
  /** How many repositories there are in a folder. */
  count(folder: RepositoryFolder): Promise<number>
  /** Ends the readers. */
  close(): Promise<void>
}

/** Returns those of these hashes of ids whose owners exist. */
export type KnownOwners = (hashes: readonly string[]) => Promise<ReadonlySet<string>>

export interface CreateOptions {
  readonly defaultBranch: string
  readonly fill?: (repository: Repository) => Promise<void>
}

export interface StorageOptions {
  readonly name: string
  /** Absolute path of the storage's directory: `<dataDir>/repositories/<name>`. */
  readonly root: string
  /** Where to look for `git`; by default the usual program directories. */
  readonly searchPath?: string
  readonly readers?: CatFilePoolOptions
  /** Asked before a repository is removed; where it says no, the repository stays, and a later sweep removes it. Default: always yes. */
  readonly mayRemove?: () => Promise<boolean>
}

const usualPlaces = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin'

/** What histories of old tools have, and what is taken all the same; git's own names. */
export const toleratedFaults = [
  'badDate',
  'badDateOverflow',
  'badEmail',
  'badFilemode',
  'badName',
  'badTimezone',
  'duplicateEntries',
  'missingEmail',
  'missingNameBeforeEmail',
  'missingSpaceBeforeDate',
  'missingSpaceBeforeEmail',
  'missingTaggerEntry',
  'missingTypeEntry',
  'multipleAuthors',
  'nullSha1',
  'zeroPaddedDate',
  'zeroPaddedFilemode',
] as const

/** In the repository's configuration and not in each process's, because git starts further processes that read only this. */
const repositoryConfig = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = true
	logAllRefUpdates = false
	hooksPath = /dev/null
	fsync = committed,reference
	filesRefLockTimeout = 10000
	packedRefsTimeout = 10000
[gc]
	auto = 0
[maintenance]
	auto = false
[pack]
	threads = 2
	writeBitmapHashCache = true
[repack]
	writeBitmaps = true
[uploadpack]
	allowFilter = true
	allowReachableSHA1InWant = true
	allowTipSHA1InWant = true
[receive]
	fsckObjects = true
	advertisePushOptions = true
	autogc = false
${readOnlyNamespaces.map(namespace => `\thideRefs = ${namespace}\n`).join('')}[receive "fsck"]
${toleratedFaults.map(fault => `\t${fault} = warn\n`).join('')}[transfer]
${hiddenNamespaces.map(namespace => `\thideRefs = ${namespace}\n`).join('')}`

/** Opens a storage; its directory is created with the first repository. */
export function openStorage({
  name,
  root,
  searchPath = usualPlaces,
  readers: readerOptions,
  mayRemove = async () => true,
}: StorageOptions): RepositoryStorage {
  const readers = new CatFilePool(readerOptions)
  const at = (path: string): Repository => ({ path, searchPath, readers })

  const repository = (of: number | RepositoryKey): Repository => {
    const { folder = '@hashed', id, suffix }: RepositoryKey = typeof of === 'number' ? { id: of } : of
    const hash = createHash('sha256').update(String(id)).digest('hex')
    const file = suffix === undefined ? `${hash}.git` : `${hash}.${suffix}.git`
    return at(join(root, folder, hash.slice(0, 2), hash.slice(2, 4), file))
  }

  const remove = async ({ path }: Pick<Repository, 'path'>): Promise<boolean> => {
    if (!(await mayRemove())) return false
    readers.release(path)
    const trash = join(root, '@trash', randomUUID())
    await mkdir(dirname(trash), { recursive: true })
    try {
      await rename(path, trash)
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return true
      throw error
    }
    await syncDirectory(dirname(path))
    await rm(trash, { recursive: true, force: true })
    return true
  }

  async function* unknown(folder: RepositoryFolder, before: Date, known: KnownOwners): AsyncGenerator<string, void, void> {
    for (const first of await entriesOf(join(root, folder))) {
      const paths = await untouchedSince(before, join(root, folder, first))
      const hashes = [...new Set(paths.map(hashOf))]
      const existing = hashes.length > 0 ? await known(hashes) : new Set()
      yield* paths.filter(path => !existing.has(hashOf(path)))
    }
  }

  return {
    name,
    diskPath: projectId => relative(root, repository(projectId).path).replace(/\.git$/, ''),
    repository,
    async create(of, { defaultBranch, fill }) {
      const target = repository(of)
      const made = at(join(root, '@tmp', `${randomUUID()}.git`))
      try {
        await initialise(made, defaultBranch)
        await fill?.(made)
        readers.release(made.path)
        await mkdir(dirname(target.path), { recursive: true })
        await rename(made.path, target.path)
        await syncDirectory(dirname(target.path))
      } catch (error) {
        await rm(made.path, { recursive: true, force: true })
        if (isTaken(error)) throw new GitError('conflict', 'The repository exists already')
        throw error
      }
      return target
    },
    exists: async ({ path }) => isFile(join(path, 'HEAD')),
    remove: async repository => void (await remove(repository)),
    async sweep() {
      await rm(join(root, '@tmp'), { recursive: true, force: true })
      await rm(join(root, '@trash'), { recursive: true, force: true })
    },
    async removeUnknown(folder, before, known) {
      let removed = 0
      for await (const path of unknown(folder, before, known)) if (await remove({ path })) removed += 1
      return removed
    },
    findUnknown: unknown,
    async count(folder) {
      let found = 0
      for (const first of await entriesOf(join(root, folder)))
        for (const second of await entriesOf(join(root, folder, first)))
          found += (await entriesOf(join(root, folder, first, second))).length
      return found
    },
    close: () => readers.close(),
  }
}

/** Makes a folder and the one that it is in. On a disk that is read only, Node says ENOENT where both are missing: the code of the first is what is true. */
async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true }).catch(async error => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await mkdir(dirname(path)).catch(first => {
      if ((first as NodeJS.ErrnoException).code !== 'EEXIST') throw first
    })
    await mkdir(path)
  })
}

async function initialise(repository: Repository, defaultBranch: string): Promise<void> {
  await makeFolder(repository.path)
  // An empty template: no sample hooks, no description.
  await runGit(repository, { subcommand: 'init', flags: ['--bare', '--quiet', '--template='] })
  await writeFile(join(repository.path, 'config'), repositoryConfig)
  await setDefaultBranch(repository, defaultBranch)
}

/** Makes HEAD name a branch, which need not exist yet. `invalid` for an invalid branch name. */
export async function setDefaultBranch(repository: Repository, branch: string): Promise<void> {
  if (!isValidShortName(branch)) throw new GitError('invalid', `Not a valid branch name: ${branch}`)
  await runGit(repository, { subcommand: 'symbolic-ref', values: ['HEAD', `refs/heads/${branch}`] })
}

/** The branch that HEAD names, without `refs/heads/`; undefined if HEAD names none. */
export async function defaultBranchOf(repository: Repository): Promise<string | undefined> {
  const { stdout, exitCode } = await runGit(repository, { subcommand: 'symbolic-ref', flags: ['--quiet'], values: ['HEAD'], answers: [1] })
  const ref = stdout.toString('utf8').trimEnd()
  return exitCode === 0 && ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined
}

/**
 * The size of the repository's files in bytes. The quarantined objects of a running push are not counted, nor are files and folders that
 * disappear during the count.
 */
export async function repositorySize({ path }: Pick<Repository, 'path'>): Promise<number> {
  let bytes = 0
  // Node's recursive reading fails if a folder disappears.
  for (const folders = [path]; folders.length > 0; ) {
    const folder = folders.pop() as string
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(unlessGone(folder === path ? undefined : [])))
      if (entry.isDirectory()) {
        if (!entry.name.startsWith('tmp_objdir-')) folders.push(join(folder, entry.name))
      } else if (entry.isFile()) bytes += await stat(join(folder, entry.name)).then(({ size }) => size, unlessGone(0))
  }
  return bytes
}

/** Returns `instead` for ENOENT; other errors are thrown. */
const unlessGone =
  <T>(instead: T | undefined) =>
  (error: unknown): T => {
    if (instead !== undefined && hasCode(error, 'ENOENT')) return instead
    throw error
  }

/** The names in a directory; none if the directory does not exist. */
async function entriesOf(path: string): Promise<string[]> {
  try {
    return await readdir(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

/** The repositories two levels below a directory that have not been modified since `before`. */
async function untouchedSince(before: Date, directory: string): Promise<string[]> {
  const found: string[] = []
  for (const second of await entriesOf(directory)) {
    for (const name of await entriesOf(join(directory, second))) {
      const path = join(directory, second, name)
      // Removed concurrently.
      const times = await stat(path).catch(error => {
        if (hasCode(error, 'ENOENT')) return undefined
        throw error
      })
      if (times && times.mtime < before) found.push(path)
    }
  }
  return found
}

/** `<hash>.git` and `<hash>.wiki.git` as the hash. */
const hashOf = (path: string): string => basename(path).split('.', 1)[0] as string

/** Synchronous: every request asks, and the directory cache answers; the thread pool would take twenty times as long. */
const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false

/** A rename is durable only when its directory is synced. */
async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const isTaken = (error: unknown) => hasCode(error, 'ENOTEMPTY') || hasCode(error, 'EEXIST')

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
