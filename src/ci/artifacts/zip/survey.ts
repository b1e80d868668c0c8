/** How much a folder of a zip holds, by its directory. Nothing is unpacked. */
import type { ObjectStore } from '../../../platform/object_store/store.ts'
import { findDirectory, inPieces, nameAt, nameLength, recordAt, walk } from './directory.ts'
import { objectSource } from './source.ts'

/** What lies below a folder of an archive. */
export interface FolderSurvey {
  /** Is the folder there, even if it is empty? */
  readonly isThere: boolean
  readonly files: number
  /** Bytes of all files once they are unpacked. */
  readonly unpacked: number
  /** Bytes of the directory of the whole archive. */
  readonly directorySize: number
}

/**
 * Counts what lies below a folder.
 * @param folder its path with a slash at the end
 * @throws UnfitZip
 */
export async function surveyFolder(
  objects: ObjectStore,
  object: { readonly key: string; readonly size: number },
  folder: string,
): Promise<FolderSurvey> {
  const source = objectSource(objects, object)
  const place = await findDirectory(source)
  const prefix = Buffer.from(folder)
  let [isThere, files, unpacked] = [false, 0, 0]
  await inPieces(source, place, bytes => {
    const { next } = walk(bytes, at => {
      const [start, end] = [nameAt(at), nameAt(at) + nameLength(bytes, at)]
      if (end - start < prefix.length || bytes.compare(prefix, 0, prefix.length, start, start + prefix.length) !== 0) return false
      isThere = true
      if (bytes[end - 1] === 0x2f) return false
      files += 1
      unpacked += recordAt(bytes, at).size
      return false
    })
    return next
  })
  return { isThere, files, unpacked, directorySize: place.size }
}
