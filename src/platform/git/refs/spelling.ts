/**
 * References whose names differ only in letter case. A file system may take `refs/heads/Main` and `refs/heads/main` for one file: who may
 * move the one would move the other, whatever protects it. Checkouts on such file systems fail as well. So no such pair is made; nor is a
 * name below another one in other letters (`Topic` and `topic/x`), which is a file and a folder of one name there.
 */
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Repository } from '../storage/repository.ts'
import { isValidRefName, pushableNamespaces } from './names.ts'

/** Bytes of `packed-refs` that are looked at between two turns of the event loop. */
const CHUNK = 64 * 1024

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is meant
const ascii = /^[\u0000-\u007f]*$/

/** What names that differ only in letter case have in common. Upper case first: some letters have several lower ones (`s` and `ſ`). */
export const foldName = (ref: string): string =>
  ascii.test(ref) ? ref.toLowerCase() : ref.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')

/** Names compared between two turns of the event loop. */
const BATCH = 50

/** The folded form, with a slash sorted before all else: what is below a name follows it directly. */
const keyOf = (ref: string): string => foldName(ref).replaceAll('/', '\0')

/**
 * Names, held against others one by one. A push may have many thousands: they are sorted, and those that clash are not looked at
 * again, so that the time grows with the number of names only, and the memory with their length.
 */
export class Spellings {
  readonly #names: readonly string[]
  /** Positions of the names that a reference may have, by key. */
  readonly #order: readonly number[]
  readonly #keys: readonly string[]
  /** For each place in the order: that place, or a later one before which all is decided. */
  readonly #open: Int32Array
  readonly #clashes = new Map<number, string>()
  readonly #existing = new Set<string>()

  constructor(names: readonly string[]) {
    this.#names = names
    const entries = names
      .flatMap((name, position) => (isValidRefName(name) ? [{ key: keyOf(name), position }] : []))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    this.#keys = entries.map(({ key }) => key)
    this.#order = entries.map(({ position }) => position)
    this.#open = Int32Array.from({ length: entries.length + 1 }, (_, place) => place)
  }

  /** Holds the names against one that exists. A name that exists itself clashes with none. */
  compare(existing: string): void {
    if (this.#compare(existing)) this.#existing.add(existing)
  }

  /** Holds the names against each other. */
  async compareAmongThemselves(): Promise<void> {
    for (const [index, position] of this.#order.entries()) {
      if (index % BATCH === BATCH - 1) await setImmediate()
      this.#compare(this.#names[position] as string)
    }
  }

  /** For each name, in order: one that clashes with it. */
  clashes(): (string | undefined)[] {
    return this.#names.map((name, position) => (this.#existing.has(name) ? undefined : this.#clashes.get(position)))
  }

  /** Notes what clashes with this name. Answers whether it is among the names itself, in whatever letter case. */
  #compare(other: string): boolean {
    const key = keyOf(other)
    let from = 0
    let common = sharedLength(this.#keys[0], key)
    // Names of which the other one is below. As a file and a folder of the very same name they are refused by git itself.
    for (let at = key.indexOf('\0'); at !== -1; at = key.indexOf('\0', at + 1)) {
      // As long as the first name in question begins with the folder, it is the first for that one too.
      if (at > common) {
        from = this.#firstFrom(key.slice(0, at), from)
        common = sharedLength(this.#keys[from], key)
        if (at > common) return false
      }
      for (let place = this.#nextOpen(from); this.#keys[place]?.length === at && isAtOrBelow(key, this.#keys[place]); ) {
        if (!other.startsWith(`${this.#nameAt(place)}/`)) this.#decide(place, other)
        place = this.#nextOpen(place + 1)
      }
    }
    // Other spellings of it, and names below it.
    const first = this.#firstFrom(key, from)
    for (let place = this.#nextOpen(first); isAtOrBelow(this.#keys[place], key); place = this.#nextOpen(place + 1)) {
      const name = this.#nameAt(place)
      if (name !== other && !name.startsWith(`${other}/`)) this.#decide(place, other)
    }
    return this.#keys[first] === key
  }

  #nameAt(place: number): string {
    return this.#names[this.#order[place] as number] as string
  }

  #decide(place: number, clash: string): void {
    this.#clashes.set(this.#order[place] as number, clash)
    this.#open[place] = place + 1
  }

  /** The first place from this one on that is not decided. */
  #nextOpen(place: number): number {
    let end = place
    while (this.#open[end] !== end) end = this.#open[end] as number
    for (let at = place; at !== end; ) {
      const next = this.#open[at] as number
      this.#open[at] = end
      at = next
    }
    return end
  }

  /** The first place, not before `low`, whose key is not less than this one. */
  #firstFrom(key: string, low: number): number {
    let [from, to] = [low, this.#keys.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if ((this.#keys[middle] as string) < key) from = middle + 1
      else to = middle
    }
    return from
  }
}

function sharedLength(a: string | undefined, b: string): number {
  let length = 0
  while (a !== undefined && length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length += 1
  return length
}

const isAtOrBelow = (key: string | undefined, folder: string | undefined): boolean =>
  key !== undefined && folder !== undefined && key.startsWith(folder) && (key.length === folder.length || key[folder.length] === '\0')

/**
 * For each of these full names, in order: an existing reference that differs from it only in letter case, or of which one is below the other but for
 * letter case; undefined where the name itself exists too. No process.
 */
export async function otherSpellings(repository: Repository, refs: readonly string[]): Promise<(string | undefined)[]> {
  const inNamespace = refs.filter(ref => pushableNamespaces.some(namespace => ref.startsWith(namespace)) && isValidRefName(ref))
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
  readonly #files = new Map<string, Promise<boolean>>()

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

  /** Asked once for each path: the names of a large push are mostly in one folder. */
  #isFile(path: string): Promise<boolean> {
    let isFile = this.#files.get(path)
    if (!isFile) {
      // What has gone meanwhile is a file, which nobody finds in it.
      isFile = stat(join(this.#root, path)).then(entry => !entry.isDirectory(), unlessMissing(true))
      this.#files.set(path, isFile)
    }
    return isFile
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
