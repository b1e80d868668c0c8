/** Writes what a chain of archives shows: one archive after the other, the oldest first, and of each what the last one still shows. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../../platform/config.ts'
import type { CopiedSequence, RowWriter } from '../../platform/db/migrating/copy_rows.ts'
import { addPack, type RepositoryStorage, setRefs } from '../../platform/git/index.ts'
import { isKey, type ObjectStore } from '../../platform/object_store/store.ts'
import { type Chain, drain, walk } from './archive/chain.ts'
import type { Contents, RepositoryContents } from './archive/contents.ts'
import { ArchiveDamaged } from './archive/faults.ts'
import { partName, repositoryOf, tableName } from './archive/format.ts'
import type { ArchiveEntry, ArchiveReader } from './archive/reader.ts'
import type { Progress } from './backup.ts'
import { restoreKeptFile } from './kept_files.ts'

/** Where all of it goes. */
export interface Target {
  readonly config: Config
  readonly chain: Chain
  readonly rows: RowWriter
  readonly objects: ObjectStore
  readonly storageOf: (name: string) => RepositoryStorage
  readonly onProgress: (progress: Progress) => void
  /** How many are there. */
  readonly done: { repositories: number; objects: number }
}

/** What is known only when all entries have been read. */
export interface Restored {
  readonly sequences: readonly CopiedSequence[]
  readonly missing_objects: readonly string[]
  readonly damaged_repositories: readonly string[]
}

/** What the last archive of a chain shows of one of them. */
interface Wanted {
  /** How often the rows of an entry are there. */
  readonly rows: ReadonlyMap<string, number>
  readonly objects: ReadonlySet<string>
  readonly repositories: ReadonlySet<string>
}

function wantedOf({ tables, objects, repositories }: Contents, number: number): Wanted {
  const rows = new Map<string, number>()
  for (const [table, { parts }] of tables)
    for (const [, link, part] of parts) {
      if (link !== number) continue
      const name = partName(`rows/${table}`, part)
      rows.set(name, (rows.get(name) ?? 0) + 1)
    }
  const of = <T>(all: ReadonlyMap<string, T>, isIn: (value: T) => boolean) =>
    new Set([...all].filter(([, value]) => isIn(value)).map(([name]) => name))
  return {
    rows,
    objects: of(objects, link => link === number),
    repositories: of(repositories, ({ packs }) => packs.includes(number)),
  }
}

/** Writes everything. @throws ArchiveDamaged */
export async function restoreContents(target: Target): Promise<Restored> {
  const { chain } = target
  let restored: Restored | undefined
  for (const number of chain.archives.keys()) restored = await takeArchive(target, number)
  await makeEmptyRepositories(target)
  return restored!
}

async function takeArchive(target: Target, number: number): Promise<Restored> {
  const { chain, config } = target
  const wanted = wantedOf(chain.contents, number)
  const isLast = number === chain.archives.length - 1
  const left = { rows: new Set(wanted.rows.keys()), objects: new Set(wanted.objects), repositories: new Set(wanted.repositories) }
  let sequences: readonly CopiedSequence[] = []
  let end: Pick<Restored, 'missing_objects' | 'damaged_repositories'> | undefined
  await walk(chain, number, async (archive, { name }) => {
    const [kind] = name.split('/')
    const repository = name.slice(0, name.lastIndexOf('/pack/'))
    if (kind === 'keys' && isLast) await restoreKeptFile(config, name.slice('keys/'.length), (await contentOf(archive)).toString('utf8'))
    else if (name === 'sequences.json' && isLast) sequences = JSON.parse((await contentOf(archive)).toString('utf8')) as CopiedSequence[]
    else if (wanted.rows.has(name)) await takeRows(target, archive, wanted.rows, left.rows)
    else if (wanted.repositories.has(repository)) {
      await takePack(target, archive, repository, number)
      left.repositories.delete(repository)
    } else if (kind === 'objects' && wanted.objects.has(name.slice('objects/'.length))) {
      await takeObject(target, (await archive.take()) as ArchiveEntry)
      left.objects.delete(name.slice('objects/'.length))
    } else await drain(archive)
    if ((await archive.peek()) !== undefined) return
    end = archive.end
    const [missing] = [...left.rows, ...left.objects, ...left.repositories]
    if (missing !== undefined) throw new ArchiveDamaged(`it lacks ${missing}`)
  })
  if (!end) throw new ArchiveDamaged('it is empty')
  return { sequences, missing_objects: end.missing_objects, damaged_repositories: end.damaged_repositories }
}

const contentOf = async (archive: ArchiveReader): Promise<Buffer> => buffer(((await archive.take()) as ArchiveEntry).bytes())

/** Takes the rows of the next entry, and of those of the same table that follow it. */
async function takeRows(
  { chain, rows, onProgress }: Target,
  archive: ArchiveReader,
  wanted: ReadonlyMap<string, number>,
  left: Set<string>,
): Promise<void> {
  const tables = chain.manifest.tables
  const { name } = (await archive.peek()) as ArchiveEntry
  const group = name.slice(0, name.lastIndexOf('/'))
  const table = tables.find(each => `rows/${tableName(each)}` === group)
  if (!table) throw new ArchiveDamaged(`${group} is no table`)
  onProgress({ doing: 'rows', done: tables.indexOf(table), total: tables.length })
  async function* texts() {
    for (let next = await archive.peek(); next?.name.startsWith(`${group}/`); next = await archive.peek()) {
      const times = wanted.get(next.name)
      if (times === undefined) await drain(archive)
      else {
        const text = await contentOf(archive)
        left.delete(next.name)
        for (let time = 0; time < times; time++) yield text
      }
    }
  }
  await pipeline(Readable.from(texts()), rows.write(table))
}

/** Takes a pack of a repository, which gets its references with the last one. */
async function takePack(target: Target, archive: ArchiveReader, name: string, number: number): Promise<void> {
  const { contents } = target.chain
  const { head, refs, packs } = contents.repositories.get(name) as RepositoryContents
  const { storage, key } = placeOf(target, name)
  const add = async (made: ReturnType<RepositoryStorage['repository']>) => {
    await addPack(made, archive.parts(`${name}/pack`))
    if (number === packs.at(-1)) await setRefs(made, refs, packs.length)
  }
  if (number === packs[0]) await storage.create(key, { defaultBranch: head, fill: add })
  else await add(storage.repository(key))
  if (number === packs.at(-1))
    target.onProgress({ doing: 'repositories', done: ++target.done.repositories, total: contents.repositories.size })
}

/** Those that have no object, and so no pack. */
async function makeEmptyRepositories(target: Target): Promise<void> {
  for (const [name, { head, packs }] of target.chain.contents.repositories) {
    if (packs.length > 0) continue
    const { storage, key } = placeOf(target, name)
    await storage.create(key, { defaultBranch: head })
    target.done.repositories += 1
  }
}

function placeOf({ storageOf }: Target, name: string) {
  const place = repositoryOf(name)
  if (!place) throw new ArchiveDamaged(`${name} is no repository`)
  return { storage: storageOf(place.storage), key: place.key }
}

async function takeObject({ objects, chain: { contents }, onProgress, done }: Target, entry: ArchiveEntry): Promise<void> {
  const key = entry.name.slice('objects/'.length)
  if (!isKey(key)) throw new ArchiveDamaged(`${key} is no key of an object`)
  await objects.put(Readable.from(entry.bytes()), { size: entry.size, sha256: entry.sha256 }, key)
  onProgress({ doing: 'objects', done: ++done.objects, total: contents.objects.size })
}
