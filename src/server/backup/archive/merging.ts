/**
 * A chain of archives made into one that stands alone, without an instance: it shows what the last one shows. Each part is read once, compared with
 * its digest, and written as it is; of a repository with several packs git makes one, for which it is unpacked beside the new archive.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import {
  addPack,
  type ObjectId,
  openStorage,
  type Repository,
  type RepositoryStorage,
  setRefs,
  streamPack,
} from '../../../platform/git/index.ts'
import type { Secret } from '../../../platform/secret.ts'
import { type Chain, drain, walk } from './chain.ts'
import type { RepositoryContents, RowPart, TableContents } from './contents.ts'
import { ArchiveDamaged } from './faults.ts'
import { type End, type Manifest, partName, repositoryOf } from './format.ts'
import type { ArchivePlace } from './places.ts'
import type { ArchiveEntry, ArchiveReader } from './reader.ts'
import { ArchiveWriter } from './writer.ts'

export interface MergeOptions {
  readonly chain: Chain
  /** Where the new archive will be. */
  readonly place: ArchivePlace
  readonly passphrase: Secret | undefined
  /** Learns how many bytes of how many of the chain have been read. */
  readonly onRead?: (done: number, total: number) => void
}

/**
 * Writes the archive.
 * @throws ArchiveDamaged a part of the chain is not as it was written; Error it cannot be written; nothing is left of it then
 */
export async function mergeChain({ chain, place, passphrase, onRead = () => {} }: MergeOptions): Promise<void> {
  const writer = await ArchiveWriter.open(place, passphrase)
  let scratch: string | undefined
  const storages = new Map<string, RepositoryStorage>()
  try {
    scratch = await mkdtemp(join(place.folder ?? tmpdir(), 'ingot-merge-'))
    const id = randomUUID()
    await writer.add('manifest.json', JSON.stringify({ ...chain.manifest, id, previous: null } satisfies Manifest))
    const merging = new Merging(chain, writer, scratch, storages)
    const total = chain.archives.reduce((sum, { size }) => sum + size, 0)
    let done = 0
    for (const [number, { size }] of chain.archives.entries()) {
      onRead(done, total)
      await merging.take(number)
      done += size
    }
    const { contents } = chain
    await writer.finish(merging.end, {
      self: { id, created_at: contents.self.created_at },
      keys: contents.keys,
      links: [],
      tables: merging.tables(),
      repositories: new Map(
        [...contents.repositories].map(([name, { head, refs }]) => [name, { head, refs, packs: refs.length > 0 ? [0] : [] }]),
      ),
      objects: new Map([...contents.objects.keys()].map(key => [key, 0])),
    })
  } catch (error) {
    await writer.abort()
    throw error
  } finally {
    for (const storage of storages.values()) await storage.close()
    if (scratch) await rm(scratch, { recursive: true, force: true })
  }
}

class Merging {
  /** What the last archive says could not be read. */
  end: Pick<End, 'missing_objects' | 'damaged_repositories'> = { missing_objects: [], damaged_repositories: [] }
  readonly #chain: Chain
  readonly #writer: ArchiveWriter
  readonly #scratch: string
  readonly #storages: Map<string, RepositoryStorage>
  /** The number of each part in the new archive, by the archive that it comes from and its name there. */
  readonly #parts = new Map<string, number>()
  /** How many parts of each table there are. */
  readonly #counts = new Map<string, number>()

  constructor(chain: Chain, writer: ArchiveWriter, scratch: string, storages: Map<string, RepositoryStorage>) {
    this.#chain = chain
    this.#writer = writer
    this.#scratch = scratch
    this.#storages = storages
  }

  /** Takes of an archive what the last one still shows. @throws ArchiveDamaged */
  async take(number: number): Promise<void> {
    const { contents, archives } = this.#chain
    const isLast = number === archives.length - 1
    const rows = new Set<string>()
    for (const [table, { parts }] of contents.tables)
      for (const [, link, part] of parts) if (link === number) rows.add(partName(`rows/${table}`, part))
    const objects = new Set([...contents.objects].flatMap(([key, link]) => (link === number ? [`objects/${key}`] : [])))
    const repositories = new Set([...contents.repositories].flatMap(([name, { packs }]) => (packs.includes(number) ? [name] : [])))
    await walk(this.#chain, number, async (archive, { name }) => {
      const repository = name.slice(0, Math.max(0, name.lastIndexOf('/pack/')))
      if (rows.delete(name)) await this.#takeRows(number, archive)
      else if (objects.delete(name)) await this.#takeObject(archive)
      else if (repositories.delete(repository)) await this.#takePack(number, archive, repository)
      else if (isLast && (name.startsWith('keys/') || name === 'sequences.json')) await this.#writer.add(name, await contentOf(archive))
      else await drain(archive)
      if (isLast && (await archive.peek()) === undefined) this.end = missingOf(archive.end)
    })
    const [missing] = [...rows, ...objects, ...repositories]
    if (missing !== undefined) throw new ArchiveDamaged(`it lacks ${missing}`, { archive: archives[number]!.place.name })
  }

  /** The tables with the numbers that their parts have now. */
  tables(): Map<string, TableContents> {
    const numberOf = (table: string, [sha256, link, part]: RowPart): RowPart => {
      const number = this.#parts.get(`${link} ${partName(`rows/${table}`, part)}`)
      if (number === undefined) throw new Error(`${table} lacks a part`)
      return [sha256, 0, number]
    }
    return new Map(
      [...this.#chain.contents.tables].map(([table, { columns, parts }]) => [
        table,
        { columns, parts: parts.map(part => numberOf(table, part)) },
      ]),
    )
  }

  async #takeRows(number: number, archive: ArchiveReader): Promise<void> {
    const { name } = (await archive.peek()) as ArchiveEntry
    const table = name.slice(0, name.lastIndexOf('/'))
    const count = (this.#counts.get(table) ?? 0) + 1
    this.#counts.set(table, count)
    this.#parts.set(`${number} ${name}`, count)
    await this.#writer.add(partName(table, count), await contentOf(archive))
  }

  async #takeObject(archive: ArchiveReader): Promise<void> {
    const entry = (await archive.take()) as ArchiveEntry
    await this.#writer.addKnown(entry.name, entry, entry.bytes())
  }

  async #takePack(number: number, archive: ArchiveReader, name: string): Promise<void> {
    const { head, refs, packs } = this.#chain.contents.repositories.get(name) as RepositoryContents
    const pack = archive.parts(`${name}/pack`)
    if (packs.length === 1) return this.#writer.addParts(`${name}/pack`, pack)
    const { storage, key } = await this.#placeOf(name)
    const add = async (repository: Repository) => {
      await addPack(repository, pack)
      if (number === packs.at(-1)) await setRefs(repository, refs, packs.length)
    }
    if (number === packs[0]) await storage.create(key, { defaultBranch: head, fill: add })
    else await add(storage.repository(key))
    if (number !== packs.at(-1)) return
    const repository = storage.repository(key)
    await this.#writer.addParts(`${name}/pack`, streamPack(repository, new Set(refs.map(([, id]) => id as ObjectId))))
    await rm(repository.path, { recursive: true, force: true })
  }

  async #placeOf(name: string) {
    const place = repositoryOf(name)
    if (!place) throw new ArchiveDamaged(`${name} is no repository`)
    const root = join(this.#scratch, place.storage)
    const known = this.#storages.get(place.storage)
    const storage = known ?? openStorage({ name: place.storage, root })
    if (!known) {
      await mkdir(root, { recursive: true, mode: 0o700 })
      this.#storages.set(place.storage, storage)
    }
    return { storage, key: place.key }
  }
}

const contentOf = async (archive: ArchiveReader): Promise<Buffer> => buffer(((await archive.take()) as ArchiveEntry).bytes())

const missingOf = ({ missing_objects, damaged_repositories }: End) => ({ missing_objects, damaged_repositories })
