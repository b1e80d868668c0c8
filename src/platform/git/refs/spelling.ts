/**
 * References whose names differ only in letter case. A file system may take `refs/heads/Main` and `refs/heads/main` for one file: who may
 * move the one would move the other, whatever protects it. Checkouts on such file systems fail as well. So no such pair is made.
 */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Repository } from '../repository.ts'
import { runGit } from '../run.ts'
import { pushableNamespaces } from './names.ts'

/** Bytes of `packed-refs` that are read here; larger ones are searched by git. */
const MOST_PACKED = 256 * 1024

/** Names that git searches for one by one; for more of them it lists everything. */
const MOST_PATTERNS = 20

/** What names that differ only in letter case have in common. */
export const foldName = (ref: string): string => ref.normalize('NFC').toLowerCase()

/**
 * For each of these full names, in order: an existing reference that differs from it only in letter case, unless the name itself
 * exists too. No process where little is packed.
 */
export async function otherSpellings(repository: Repository, refs: readonly string[]): Promise<(string | undefined)[]> {
  const inNamespace = refs.filter(ref => pushableNamespaces.some(namespace => ref.startsWith(namespace)))
  if (inNamespace.length === 0) return refs.map(() => undefined)
  const known = new Map<string, Set<string>>()
  const add = (name: string) => {
    const fold = foldName(name)
    const names = known.get(fold)
    if (names) names.add(name)
    else known.set(fold, new Set([name]))
  }
  const folders = new Folders(repository.path)
  for (const ref of inNamespace) for (const name of await folders.filesLike(ref)) add(name)
  for (const name of await packedLike(repository, inNamespace)) add(name)
  return refs.map(ref => {
    const names = known.get(foldName(ref))
    return names === undefined || names.has(ref) ? undefined : [...names][0]
  })
}

/** The folders of references, each read once. */
class Folders {
  readonly #root: string
  readonly #read = new Map<string, Promise<Map<string, string[]>>>()

  constructor(root: string) {
    this.#root = root
  }

  /** The files whose path differs from this one in letter case at most. */
  async filesLike(ref: string): Promise<string[]> {
    const [first = '', second = '', ...rest] = ref.split('/')
    let found = [`${first}/${second}`]
    for (const part of rest) {
      const next: string[] = []
      for (const folder of found)
        for (const name of (await this.#entriesOf(folder)).get(foldName(part)) ?? []) next.push(`${folder}/${name}`)
      found = next
    }
    const isFile = await Promise.all(found.map(name => stat(join(this.#root, name)).then(entry => entry.isFile(), unlessMissing(false))))
    return found.filter((_, index) => isFile[index])
  }

  #entriesOf(folder: string): Promise<Map<string, string[]>> {
    let entries = this.#read.get(folder)
    if (!entries) {
      entries = readdir(join(this.#root, folder)).then(names => Map.groupBy(names, foldName), unlessMissing(new Map()))
      this.#read.set(folder, entries)
    }
    return entries
  }
}

/** The packed references among which those that differ from these in letter case are. */
async function packedLike(repository: Repository, refs: readonly string[]): Promise<string[]> {
  const file = join(repository.path, 'packed-refs')
  const size = await stat(file).then(entry => entry.size, unlessMissing(0))
  if (size === 0) return []
  if (size > MOST_PACKED) return refsLike(repository, refs)
  const text = await readFile(file, 'utf8').catch(unlessMissing(''))
  return text.split('\n').flatMap(line => (/^[0-9a-f]{40} /.test(line) ? [line.slice(41)] : []))
}

/** The same from git, which folds the letters of ASCII only: others are left open in the pattern. */
async function refsLike(repository: Repository, refs: readonly string[]): Promise<string[]> {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything outside of ASCII is meant
  const patterns = refs.length > MOST_PATTERNS ? pushableNamespaces : refs.map(ref => ref.replace(/[^\u0000-\u007f]+/g, '*'))
  const { stdout } = await runGit(repository, {
    subcommand: 'for-each-ref',
    flags: ['--ignore-case', '--format=%(refname)'],
    values: patterns,
  })
  return stdout.toString('utf8').split('\n').slice(0, -1)
}

/** Answers `instead` for something that is not there; whatever else fails goes on failing. */
const unlessMissing =
  <T>(instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return instead
    throw error
  }
