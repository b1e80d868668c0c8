/** Reads trees through the storage's readers: no process is started. */
import { setImmediate } from 'node:timers/promises'
import { GitError } from '../errors.ts'
import { readCommit, readObjects } from '../objects/objects.ts'
import { type ObjectId, objectId } from '../objects/oid.ts'
import { type EntryType, parseTree, type TreeEntry, typeOfMode } from '../objects/tree-object.ts'
import type { Repository } from '../storage/repository.ts'

/** The mode of a symbolic link. */
export const LINK_MODE = '120000'

/** One row of a tree as the API shows it. `mode` is six octal digits. */
export interface TreeRow {
  readonly id: ObjectId
  readonly name: string
  readonly type: EntryType
  readonly path: string
  readonly mode: string
}

export interface TreeOptions {
  readonly commit: ObjectId
  /** A directory inside the repository; empty or absent for the root. */
  readonly path?: string | undefined
  readonly recursive?: boolean | undefined
  readonly offset?: number
  /** Limit of returned rows; all by default. */
  readonly limit?: number
}

/** A page of rows, and the total number. */
export interface TreePage {
  readonly rows: TreeRow[]
  readonly total: number
}

/** Limit of trees that are read for one recursive list. */
const treeLimit = 1000

/**
 * Limits of a recursive list: its entries, and directories within each other. Equal directories are stored once, so that a repository of a few
 * kilobytes can have more files than fit into any memory.
 */
const MOST_ENTRIES = 200_000
const DEEPEST = 2_000

/** Entries after which others have their turn. */
const ENTRIES_PER_TURN = 10_000

/**
 * The entries of a directory: directories first, then files, then submodules, each in git's order; recursive lists too. Undefined if the
 * commit has no such directory.
 * @throws GitError `too_large` for a recursive list of more than 200,000 entries
 */
export async function listTree(repository: Repository, options: TreeOptions): Promise<TreePage | undefined> {
  const { commit, path = '', recursive = false, offset = 0, limit = Number.POSITIVE_INFINITY } = options
  const directory = path.replace(/^\/+|\/+$/g, '')
  const top = await readDirectory(repository, commit, directory)
  if (top === undefined) return undefined
  const all = recursive ? await readDeep(repository, top) : top
  const prefix = directory === '' ? '' : `${directory}/`
  const sorted = (['tree', 'blob', 'commit'] as const).flatMap(type => all.filter(entry => typeOfMode(entry.mode) === type))
  const rows = sorted.slice(offset, offset + limit).map(entry => ({
    id: entry.id,
    name: entry.name.slice(entry.name.lastIndexOf('/') + 1),
    type: typeOfMode(entry.mode),
    path: prefix + entry.name,
    mode: entry.mode,
  }))
  return { rows, total: sorted.length }
}

/** The object at a path of a commit; undefined if there is none. `mode` is six octal digits. */
export async function entryAt(
  repository: Repository,
  commit: ObjectId,
  path: string,
): Promise<{ readonly id: ObjectId; readonly type: EntryType; readonly mode: string } | undefined> {
  const slash = path.lastIndexOf('/')
  const name = path.slice(slash + 1)
  const directory = await readDirectory(repository, commit, path.slice(0, Math.max(0, slash)))
  const entry = slash === 0 ? undefined : directory?.find(candidate => candidate.name === name)
  return entry && { id: entry.id, type: typeOfMode(entry.mode), mode: entry.mode }
}

/** Like `entryAt`, for several paths of at most one directory each, in two exchanges. By ids alone: what is stored loosely is read without a process. */
export async function entriesAt(
  repository: Repository,
  commit: ObjectId,
  paths: readonly string[],
): Promise<({ readonly id: ObjectId; readonly type: EntryType; readonly mode: string } | undefined)[]> {
  const tip = await readCommit(repository, commit)
  if (!tip) return paths.map(() => undefined)
  const [root = []] = await readTrees(repository, [tip.tree_id])
  const directories = [...new Set(paths.flatMap(path => (path.includes('/') ? path.slice(0, path.indexOf('/')) : [])))]
  const found = directories.flatMap(name => root.filter(entry => entry.name === name && typeOfMode(entry.mode) === 'tree'))
  const trees = await readTrees(
    repository,
    found.map(({ id }) => id),
  )
  return paths.map(path => {
    const slash = path.indexOf('/')
    const entries = slash < 0 ? root : trees[found.findIndex(({ name }) => name === path.slice(0, slash))]
    const entry = entries?.find(({ name }) => name === path.slice(slash + 1))
    return entry && { id: entry.id, type: typeOfMode(entry.mode), mode: entry.mode }
  })
}

/** The entries of one directory of a commit (empty path: the root), or undefined. One exchange, however deep the directory is. */
async function readDirectory(repository: Repository, commit: ObjectId, path: string): Promise<TreeEntry[] | undefined> {
  if (path !== '' && path.split('/').some(part => part === '' || part === '.' || part === '..' || part.includes('\0'))) return undefined
  // With a trailing slash git finds only directories: a large file of this name is not read in vain.
  const name = path === '' ? `${objectId(commit)}^{tree}` : `${objectId(commit)}:${path}/`
  const [tree] = await repository.readers.ask(repository, [{ want: 'contents', name }])
  return tree && parseTree(tree.data)
}

async function readTrees(repository: Repository, ids: readonly ObjectId[]): Promise<TreeEntry[][]> {
  const objects = await readObjects(repository, ids)
  return objects.map((object, index) => {
    if (object?.type !== 'tree') throw new GitError('corrupt', `Tree ${ids[index]} is missing`)
    return parseTree(object.data)
  })
}

/** All entries of a directory and below with their paths as names, each directory before its entries. */
async function readDeep(repository: Repository, top: readonly TreeEntry[]): Promise<TreeEntry[]> {
  // Level by level, so that one exchange reads all trees of a level; equal trees are read once.
  const trees = new Map<ObjectId, TreeEntry[]>()
  let wanted = subtreesOf(top)
  for (let depth = 0; wanted.length > 0; depth++) {
    if (depth > DEEPEST || trees.size > MOST_ENTRIES) throw tooManyEntries()
    const next: ObjectId[] = []
    for (let at = 0; at < wanted.length; at += treeLimit) {
      const ids = wanted.slice(at, at + treeLimit)
      for (const [index, entries] of (await readTrees(repository, ids)).entries()) {
        trees.set(ids[index]!, entries)
        next.push(...subtreesOf(entries))
      }
    }
    wanted = [...new Set(next)].filter(id => !trees.has(id))
  }
  const rows: TreeEntry[] = []
  const walk = async (entries: readonly TreeEntry[], prefix: string): Promise<void> => {
    for (const entry of entries) {
      const name = prefix + entry.name
      if (rows.length === MOST_ENTRIES) throw tooManyEntries()
      if (rows.length % ENTRIES_PER_TURN === ENTRIES_PER_TURN - 1) await setImmediate()
      rows.push({ ...entry, name })
      if (typeOfMode(entry.mode) === 'tree') await walk(trees.get(entry.id)!, `${name}/`)
    }
  }
  await walk(top, '')
  return rows
}

const tooManyEntries = () => new GitError('too_large', `There are more than ${MOST_ENTRIES} files and directories`)

function subtreesOf(entries: readonly TreeEntry[]): ObjectId[] {
  return [...new Set(entries.filter(({ mode }) => typeOfMode(mode) === 'tree').map(({ id }) => id))]
}
