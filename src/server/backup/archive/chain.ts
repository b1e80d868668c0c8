/**
 * An archive with those that it builds on. Each is named by the digest of its end, in the contents of all that follow it, so that none can be
 * exchanged for another one. All of them are read before anything is made of them.
 */
import type { Secret } from '../../../platform/secret.ts'
import { type Contents, contentsOf, type Layout, type Link, layoutOf } from './contents.ts'
import { ArchiveDamaged, ChainBroken, EntryChanged } from './faults.ts'
import type { Manifest } from './format.ts'
import { type ArchivePlace, baseName } from './places.ts'
import { type ArchiveEntry, ArchiveReader } from './reader.ts'

/** An archive of a chain; its entries can be read as often as they are needed. */
export interface ChainedArchive {
  readonly link: Link
  readonly place: ArchivePlace
  /** Bytes of the file or object. */
  readonly size: number
  read(): Promise<ArchiveReader>
}

export interface Chain {
  /** What the last one shows. */
  readonly contents: Contents
  /** Of the last one. */
  readonly manifest: Manifest
  /** The oldest first; the places are those of the numbers in the contents. */
  readonly archives: readonly ChainedArchive[]
  close(): void
}

/** One archive, without those that it builds on. */
export interface OpenArchive {
  readonly contents: Contents
  readonly encrypted: boolean
  readonly manifest: Manifest
  readonly layout: Layout
}

/** @throws ArchiveDamaged, ArchiveLocked */
export async function openArchive(place: ArchivePlace, passphrase: Secret | undefined): Promise<OpenArchive> {
  const layout = await layoutOf(place)
  if (!layout) {
    // An archive of another form, or no archive, says so itself.
    await manifestOf(new ArchiveReader(await place.read(), passphrase))
    throw new ArchiveDamaged('it was cut off')
  }
  const { contents, encrypted } = await contentsOf(place, layout, passphrase)
  const manifest = await manifestOf(await readerOf(place, layout, passphrase))
  const last = contents.links.at(-1)
  const fits = manifest.id === contents.self.id && manifest.previous?.id === last?.id && manifest.previous?.sha256 === last?.sha256
  if (!fits) throw new ArchiveDamaged('its contents are those of another archive')
  return { contents, encrypted, manifest, layout }
}

const readerOf = async (place: ArchivePlace, { entries }: Layout, passphrase: Secret | undefined): Promise<ArchiveReader> =>
  new ArchiveReader(await place.read({ start: 0, end: entries - 1 }), passphrase)

async function manifestOf(reader: ArchiveReader): Promise<Manifest> {
  try {
    return await reader.manifest()
  } finally {
    reader.close()
  }
}

/**
 * Opens an archive and finds those that it builds on: among the others that are given, or beside it under the names that they had.
 * @param onOpened learns how many of how many are open: a passphrase costs a second for each
 * @throws ChainBroken one of them is not there, or another archive is in its place; ArchiveDamaged, ArchiveLocked
 */
export async function openChain(
  place: ArchivePlace,
  passphrase: Secret | undefined,
  others: readonly ArchivePlace[] = [],
  onOpened: (done: number, total: number) => void = () => {},
): Promise<Chain> {
  const { contents, manifest, layout } = await openArchive(place, passphrase)
  const archiveOf = (link: Link, at: ArchivePlace, its: Layout): ChainedArchive => ({
    link,
    place: at,
    size: its.entries,
    read: () => readerOf(at, its, passphrase),
  })
  const given = new Map<string, ArchivePlace>()
  for (const other of others) {
    const { self } = (await naming(other, () => openArchive(other, passphrase))).contents
    if (!contents.links.some(({ id }) => id === self.id)) throw new ChainBroken(`${place.name} does not build on ${other.name}`)
    given.set(self.id, other)
  }
  const opened: ArchivePlace[] = []
  const close = () => {
    for (const each of opened) each.close()
  }
  const linked = async (link: Link): Promise<ChainedArchive> => {
    const at = given.get(link.id) ?? (await place.beside(link.name))
    if (!given.has(link.id)) opened.push(at)
    const needed = `the backup of ${link.created_at}, on which ${place.name} builds`
    const remedy = `give its place after that of ${baseName(place)}`
    if ((await at.size()) === undefined) throw new ChainBroken(`there is no ${at.name}, ${needed}: put it there, or ${remedy}`)
    const its = await naming(at, () => openArchive(at, passphrase))
    if (its.contents.self.id !== link.id || its.contents.self.sha256 !== link.sha256)
      throw new ChainBroken(`${at.name} is not ${needed}, but that of ${its.contents.self.created_at}: ${remedy}`)
    return archiveOf(link, at, its.layout)
  }
  try {
    const archives: ChainedArchive[] = []
    for (const link of contents.links) {
      onOpened(archives.length, contents.links.length + 1)
      archives.push(await linked(link))
    }
    archives.push(archiveOf({ ...contents.self, name: baseName(place) }, place, layout))
    return { contents, manifest, archives, close }
  } catch (error) {
    close()
    throw error
  }
}

/** Runs work on one archive of several: a fault says which one. */
async function naming<T>(place: ArchivePlace | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!place || !(error instanceof ArchiveDamaged)) throw error
    throw new ArchiveDamaged(error.what, { cause: error, archive: place.name })
  }
}

/** Takes an entry; those that are not wanted are read to their end. */
export type TakeEntry = (archive: ArchiveReader, next: ArchiveEntry) => Promise<void>

/**
 * Reads one archive to its end, and looks whether it is as the chain says.
 * @param take is called with the next entry while there is one, and takes it, and perhaps more that follow
 * @throws ArchiveDamaged
 */
export function walk({ contents, archives }: Chain, number: number, take: TakeEntry): Promise<void> {
  const { link, place, read } = archives[number]!
  return naming(contents.links.length > 0 ? place : undefined, async () => {
    const archive = await read()
    try {
      await archive.manifest()
      for (let next = await archive.peek(); next; next = await archive.peek()) await take(archive, next)
      if (archive.end.sha256 !== link.sha256) throw new ArchiveDamaged('its entries are those of another archive')
    } finally {
      archive.close()
    }
  })
}

/**
 * Reads all of a chain, and changes nothing.
 * @param onRead learns how many bytes of how many have been read
 * @throws ArchiveDamaged
 */
export async function verifyChain(chain: Chain, onRead: (done: number, total: number) => void): Promise<void> {
  const total = chain.archives.reduce((sum, { size }) => sum + size, 0)
  let done = 0
  for (const [number, { size }] of chain.archives.entries()) {
    onRead(done, total)
    // Objects that were damaged in the store are in the archive with another digest; its end names them.
    const doubtful: string[] = []
    await walk(chain, number, async (archive, { name }) => {
      if (!(await drain(archive))) doubtful.push(name)
      if ((await archive.peek()) !== undefined) return
      const missing = new Set(archive.end.missing_objects.map(key => `objects/${key}`))
      const changed = doubtful.find(each => !missing.has(each))
      if (changed !== undefined) throw new EntryChanged(changed)
    })
    done += size
  }
}

/** Reads the next entry to its end. @returns false for an object whose bytes are not those of its digest */
export async function drain(archive: ArchiveReader): Promise<boolean> {
  const entry = (await archive.take()) as ArchiveEntry
  try {
    for await (const _ of entry.bytes());
    return true
  } catch (error) {
    if (error instanceof EntryChanged && entry.name.startsWith('objects/')) return false
    throw error
  }
}
