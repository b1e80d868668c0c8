/** Finds one file of a zip by its directory. Directories that were read are cached as bytes, within a bound. */
import type { ObjectStore } from '../../../platform/object_store/store.ts'
import { type DirectoryPlace, findDirectory, inPieces, recordAt, walk, type ZipRecord } from './directory.ts'
import { NameIndex } from './name_index.ts'
import { isNamed } from './names.ts'
import { type ByteSource, bytesAt, objectSource } from './source.ts'

/** Maximum bytes of cached directories, of all archives together. */
const KEPT = 32 * 1024 * 1024
/** A larger directory is not cached but read again for every file: it would evict all others. */
export const MAX_KEPT = KEPT / 2

interface KeptDirectory {
  readonly place: DirectoryPlace
  readonly bytes: Buffer
  readonly names: NameIndex
}

/** Directories by object key, least recently used first. Objects never change, so no entry becomes stale. */
class Directories {
  readonly #kept = new Map<string, KeptDirectory>()
  #size = 0

  get(key: string): KeptDirectory | undefined {
    const directory = this.#kept.get(key)
    if (directory) {
      this.#kept.delete(key)
      this.#kept.set(key, directory)
    }
    return directory
  }

  add(key: string, directory: KeptDirectory): void {
    if (this.#kept.has(key)) return
    this.#kept.set(key, directory)
    this.#size += sizeOf(directory)
    for (const [oldest, kept] of this.#kept) {
      if (this.#size <= KEPT) return
      this.#kept.delete(oldest)
      this.#size -= sizeOf(kept)
    }
  }
}

const sizeOf = ({ bytes, names }: KeptDirectory): number => bytes.length + names.size

const directoriesOf = new WeakMap<ObjectStore, Directories>()

/** A file of an archive, and where it lies. */
export interface FoundEntry {
  readonly source: ByteSource
  /** Files lie before it. */
  readonly directoryAt: number
  readonly record: ZipRecord
}

/**
 * The first file of this name in an archive; undefined for none.
 * @param exactly only names in UTF-8, in a directory that is kept
 * @throws UnfitZip
 */
export async function findEntry(
  objects: ObjectStore,
  object: { readonly key: string; readonly size: number },
  name: string,
  { exactly = false } = {},
): Promise<FoundEntry | undefined> {
  const source = objectSource(objects, object)
  let directories = directoriesOf.get(objects)
  if (!directories) {
    directories = new Directories()
    directoriesOf.set(objects, directories)
  }
  let kept = directories.get(object.key)
  if (!kept) {
    const place = await findDirectory(source)
    if (place.size > MAX_KEPT) return findAfresh(source, place, name)
    const bytes = await bytesAt(source, place.start, place.size)
    kept = { place, bytes, names: new NameIndex(bytes, place.count) }
    directories.add(object.key, kept)
  }
  const { place, bytes, names } = kept
  const found = names.find(name, { exactly })
  return found === undefined ? undefined : { source, directoryAt: place.start, record: recordAt(bytes, found) }
}

async function findAfresh(source: ByteSource, place: DirectoryPlace, name: string): Promise<FoundEntry | undefined> {
  const matches = isNamed(name)
  let entry: FoundEntry | undefined
  await inPieces(source, place, bytes => {
    const { next, found } = walk(bytes, at => matches(bytes, at))
    if (found === undefined) return next
    entry = { source, directoryAt: place.start, record: recordAt(Buffer.from(bytes), found) }
    return 'stop'
  })
  return entry
}
