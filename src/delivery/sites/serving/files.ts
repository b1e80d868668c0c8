/** The file of a site that an address names, read in place from the archive. */
import { contentsOf, findEntry, isReadable, UnfitZip } from '../../../ci/artifacts/zip/index.ts'
import { encodingFor } from '../../../platform/kernel/answer/encoding.ts'
import { etagOf } from '../../../platform/kernel/answer/object.ts'
import type { ByteRange, ObjectStore } from '../../../platform/object_store/store.ts'
import { ROOT } from '../publish.ts'
import type { ServedSite } from '../queries.ts'
import { mediaTypeOf } from './media_types.ts'

type Archive = Pick<ServedSite, 'key' | 'size' | 'sha256'>

/** A file as it is sent. */
export interface SiteFile {
  /** In bytes. */
  readonly size: number
  readonly etag: string
  readonly mediaType: string
  /** How it is packed, where the site has a packed copy beside it. */
  readonly encoding: 'br' | 'gzip' | undefined
  read(range?: ByteRange): ReturnType<typeof contentsOf>
}

/** What an address of a site leads to. */
export type Found =
  | { readonly file: SiteFile }
  /** A folder that was asked for without a slash at its end. */
  | { readonly folder: true }
  | undefined

/** Links, folders and encrypted files are no files of a site. */
async function entryAt(objects: ObjectStore, archive: Archive, name: string) {
  try {
    const entry = await findEntry(objects, archive, ROOT + name, { exactly: true })
    return entry && isReadable(entry) ? entry : undefined
  } catch (error) {
    if (error instanceof UnfitZip) return undefined
    throw error
  }
}

const packings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** The codings that a client takes, the better first. */
const taken = (accepted: string | undefined) =>
  packings.filter(
    ([coding]) => encodingFor(accepted) === coding || encodingFor(accepted?.replace(/(^|,)\s*br\s*(;[^,]*)?(?=,|$)/i, '')) === coding,
  )

/** A file by its name, as the client takes it; a page that stands for another (404.html) is always sent as it is. */
export async function fileAt(objects: ObjectStore, archive: Archive, name: string, accepted?: string): Promise<SiteFile | undefined> {
  const plain = await entryAt(objects, archive, name)
  if (!plain) return undefined
  for (const [encoding, ending] of taken(accepted)) {
    const packed = await entryAt(objects, archive, name + ending)
    if (packed) return shown(archive, packed, name, encoding)
  }
  return shown(archive, plain, name, undefined)
}

const shown = (
  { sha256 }: Archive,
  entry: NonNullable<Awaited<ReturnType<typeof entryAt>>>,
  name: string,
  encoding: SiteFile['encoding'],
): SiteFile => ({
  size: entry.record.size,
  etag: etagOf(`${sha256} ${entry.record.headerAt}`),
  mediaType: mediaTypeOf(name),
  encoding,
  read: range => contentsOf(entry, range),
})

/** What the address of a site leads to: a file, the `index.html` of a folder, or a page without its ending. */
export async function find(
  objects: ObjectStore,
  archive: Archive,
  segments: readonly string[],
  accepted: string | undefined,
): Promise<Found> {
  const path = segments.join('/')
  if (segments.at(-1) === '') {
    const file = await fileAt(objects, archive, `${path}index.html`, accepted)
    return file && { file }
  }
  const file = await fileAt(objects, archive, path, accepted)
  if (file) return { file }
  if (await entryAt(objects, archive, `${path}/index.html`)) return { folder: true }
  const page = await fileAt(objects, archive, `${path}.html`, accepted)
  return page && { file: page }
}
