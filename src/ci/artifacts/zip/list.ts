/** The files and folders in a folder of a zip, by its directory. Nothing is unpacked. */
import type { ObjectStore } from '../../../platform/object_store/store.ts'
import { findDirectory, inPieces, nameAt, nameLength, recordAt, walk } from './directory.ts'
import { objectSource } from './source.ts'

/** An entry of a folder. `size` in bytes, undefined for a folder. */
export interface ListedEntry {
  readonly name: string
  readonly size: number | undefined
}

export interface ListedFolder {
  /** Folders first, each kind by name. */
  readonly entries: readonly ListedEntry[]
  /** There are more entries than were asked for. */
  readonly isCut: boolean
}

/**
 * What a folder of an archive holds; no entries where there is no such folder.
 * @param folder '' for the top, else its path with a slash at the end
 * @param most entries at most
 * @throws UnfitZip
 */
export async function listFolder(
  objects: ObjectStore,
  object: { readonly key: string; readonly size: number },
  folder: string,
  most: number,
): Promise<ListedFolder> {
  const source = objectSource(objects, object)
  const prefix = Buffer.from(folder)
  const found = new Map<string, ListedEntry>()
  let isCut = false
  await inPieces(source, await findDirectory(source), bytes => {
    const { next } = walk(bytes, at => {
      const [start, end] = [nameAt(at), nameAt(at) + nameLength(bytes, at)]
      if (end - start <= prefix.length || bytes.compare(prefix, 0, prefix.length, start, start + prefix.length) !== 0) return false
      const rest = bytes.toString('utf8', start + prefix.length, end)
      const slash = rest.indexOf('/')
      const name = slash < 0 ? rest : rest.slice(0, slash + 1)
      if (found.has(name)) return false
      if (found.size === most) isCut = true
      else found.set(name, { name, size: slash < 0 ? recordAt(bytes, at).size : undefined })
      return isCut
    })
    return isCut ? 'stop' : next
  })
  const entries = [...found.values()].sort(
    (a, b) => Number(a.size !== undefined) - Number(b.size !== undefined) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  )
  return { entries, isCut }
}
