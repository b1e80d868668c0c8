/**
 * References whose names differ only in letter case. A file system may take `refs/heads/Main` and `refs/heads/main` for one file: who may
 * move the one would move the other, whatever protects it. Checkouts on such file systems fail as well. So no such pair is made; nor is a
 * name below another one in other letters (`Topic` and `topic/x`), which is a file and a folder of one name there.
 */
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Repository } from '../repository.ts'
import { pushableNamespaces } from './names.ts'

/** Bytes of `packed-refs` that are looked at between two turns of the event loop. */
const CHUNK = 64 * 1024

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is meant
const ascii = /^[\u0000-\u007f]*$/

/** What names that differ only in letter case have in common. Upper case first: some letters have several lower ones (`s` and `ſ`). */
export const foldName = (ref: string): string =>
  ascii.test(ref) ? ref.toLowerCase() : ref.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')

/** Names, held against others one by one. */
export class Spellings {
  readonly #names: readonly string[]
  /** Positions of the names, by their folded form. */
  readonly #byName = new Map<string, number[]>()
  /** Positions of the names below a folded folder. */
  readonly #byFolder = new Map<string, number[]>()
  readonly #present = new Set<number>()
  readonly #clashes = new Map<number, string>()

  constructor(names: readonly string[]) {
    this.#names = names
    for (const [position, name] of names.entries()) {
      const folded = foldName(name)
      append(this.#byName, folded, position)
      for (const folder of foldersOf(folded)) append(this.#byFolder, folder, position)
    }
  }

  /** Holds the names against one that exists. */
  compare(existing: string): void {
    const folded = foldName(existing)
    for (const position of this.#byName.get(folded) ?? []) {
      if (this.#names[position] === existing) this.#present.add(position)
      else this.#note(position, existing)
    }
    // As a file and a folder of the very same name they are refused by git itself.
    for (const position of this.#byFolder.get(folded) ?? [])
      if (!this.#names[position]?.startsWith(`${existing}/`)) this.#note(position, existing)
    for (const folder of foldersOf(folded))
      for (const position of this.#byName.get(folder) ?? [])
        if (!existing.startsWith(`${this.#names[position]}/`)) this.#note(position, existing)
  }

  /** For each name, in order: one that clashes with it, unless the name itself exists too. */
  clashes(): (string | undefined)[] {
    return this.#names.map((_, position) => (this.#present.has(position) ? undefined : this.#clashes.get(position)))
  }

  #note(position: number, existing: string): void {
    if (!this.#clashes.has(position)) this.#clashes.set(position, existing)
  }
}

function append(positions: Map<string, number[]>, key: string, position: number): void {
  const known = positions.get(key)
  if (known) known.push(position)
  else positions.set(key, [position])
}

/** `refs`, `refs/heads` and `refs/heads/a` of `refs/heads/a/b`. */
function* foldersOf(name: string): Iterable<string> {
  for (let at = name.indexOf('/'); at !== -1; at = name.indexOf('/', at + 1)) yield name.slice(0, at)
}

/**
 * For each of these full names, in order: an existing reference that differs from it only in letter case, or of which one is below the other but for
 * letter case; undefined where the name itself exists too. No process.
 */
export async function otherSpellings(repository: Repository, refs: readonly string[]): Promise<(string | undefined)[]> {
  const inNamespace = refs.filter(ref => pushableNamespaces.some(namespace => ref.startsWith(namespace)))
  if (inNamespace.length === 0) return refs.map(() => undefined)
  const spellings = new Spellings(refs)
  const folders = new Folders(repository.path)
  for (const ref of inNamespace) for (const name of await folders.refsLike(ref)) spellings.compare(name)
  for await (const names of packedRefs(repository)) for (const name of names) spellings.compare(name)
  return spellings.clashes()
}

/** The folders of references, each read once. */
class Folders {
  readonly #root: string
  readonly #read = new Map<string, Promise<Map<string, string[]>>>()

  constructor(root: string) {
    this.#root = root
  }

  /** The files on the way to this name, at it and one below it, in any letter case. */
  async refsLike(ref: string): Promise<string[]> {
    const [first = '', second = '', ...rest] = ref.split('/')
    let folders = [`${first}/${second}`]
    const files: string[] = []
    for (const part of rest) {
      const next: string[] = []
      for (const folder of folders)
        for (const name of (await this.#entriesOf(folder)).get(foldName(part)) ?? []) {
          const path = `${folder}/${name}`
          if (await this.#isFile(path)) files.push(path)
          else next.push(path)
        }
      folders = next
    }
    const below = await Promise.all(folders.map(folder => this.#firstFileIn(folder)))
    return [...files, ...below.filter(file => file !== undefined)]
  }

  async #firstFileIn(folder: string): Promise<string | undefined> {
    for (const name of [...(await this.#entriesOf(folder)).values()].flat()) {
      const path = `${folder}/${name}`
      const file = (await this.#isFile(path)) ? path : await this.#firstFileIn(path)
      if (file !== undefined) return file
    }
    return undefined
  }

  #isFile(path: string): Promise<boolean> {
    // What has gone meanwhile is a file, which nobody finds in it.
    return stat(join(this.#root, path)).then(entry => !entry.isDirectory(), unlessMissing(true))
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

/** The names in `packed-refs`, in pieces that hold the event loop for a moment each. */
async function* packedRefs(repository: Repository): AsyncIterable<readonly string[]> {
  let rest = ''
  try {
    for await (const chunk of createReadStream(join(repository.path, 'packed-refs'), { encoding: 'utf8', highWaterMark: CHUNK })) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() as string
      yield lines.filter(line => /^[0-9a-f]{40} /.test(line)).map(line => line.slice(41))
    }
  } catch (error) {
    unlessMissing(undefined)(error as NodeJS.ErrnoException)
  }
}

/** Answers `instead` for something that is not there; whatever else fails goes on failing. */
const unlessMissing =
  <T>(instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return instead
    throw error
  }
