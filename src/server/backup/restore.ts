/**
 * A restore: the instance of an archive, in an empty data directory and an empty database.
 *
 * The rows are written in one transaction, which commits only after everything else is in place and the end of the archive has been checked.
 * A restore that fails before takes back what it wrote; one that fails afterwards takes back nothing, since rows must not lose what they name.
 * One that is killed leaves its mark (`restore-unfinished`), with which nothing starts.
 */
import { existsSync } from 'node:fs'
import { mkdir, readdir, realpath, rm, rmdir, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { type Config, ConfigError, places } from '../../platform/config.ts'
import { openDatabase } from '../../platform/db/connection.ts'
import { startEmbedded } from '../../platform/db/embedded/embedded.ts'
import {
  CommitUnanswered,
  type CopiedSequence,
  openRowWriter,
  queueLevel,
  type RowWriter,
  unlikeTable,
} from '../../platform/db/migrating/copy_rows.ts'
import { knownMigrations, migrate, migrationState } from '../../platform/db/migrating/migrate.ts'
import { fillFromPack, openStorage, type RepositoryStorage } from '../../platform/git/index.ts'
import { openObjectStore } from '../../platform/object_store/open.ts'
import { isKey, type ObjectStore } from '../../platform/object_store/store.ts'
import type { Secret } from '../../platform/secret.ts'
import { reasonOf } from '../doctor/finding.ts'
import { makeDataDirectory } from '../setup/before_start.ts'
import { ArchiveDamaged, ArchiveLocked, DiskFull, EntryChanged, NotMigrated, RowsUnknown } from './archive/faults.ts'
import { type Manifest, repositoryOf, type StoredRefs } from './archive/format.ts'
import type { ArchivePlace } from './archive/places.ts'
import { type ArchiveEntry, ArchiveReader } from './archive/reader.ts'
import type { BackupSummary, Progress } from './backup.ts'
import { restoreKeptFile } from './kept_files.ts'

export interface RestoreOptions {
  readonly config: Config
  readonly log: FastifyBaseLogger
  /** Where the archive is. */
  readonly place: ArchivePlace
  readonly passphrase?: Secret | undefined
  readonly onProgress?: (progress: Progress) => void
}

type Summary = Omit<BackupSummary, 'bytes'>

/** How far a restore has come. What fails takes something back only while no row can be there. */
interface Written {
  /** `unknown`: from before the commit until the database has answered it. */
  rows: 'none' | 'unknown' | 'committed'
  /** What was restored, once it is committed; or what is left to be done. */
  ended?: Summary | NotMigrated
}

/** May what was written go again? No row is there, or those that are go too: an embedded database is a part of the folder. */
const mayGo = ({ databaseUrl }: Config, { rows }: Written): boolean => rows === 'none' || (rows === 'unknown' && databaseUrl === undefined)

/** Names in a data directory that are no instance. */
const ignorable: ReadonlySet<string> = new Set(['lost+found', 'tmp'])

/**
 * Restores an archive.
 * @throws ConfigError the target is not empty, or its settings do not fit
 * @throws NotMigrated everything was restored, and the server has to migrate it
 * @throws RowsUnknown everything was restored, but perhaps not the rows
 * @throws ArchiveDamaged, ArchiveLocked, DiskFull, Error nothing was restored, and the target is as empty as before
 */
export async function restore(options: RestoreOptions): Promise<Summary> {
  const { config, place, passphrase } = options
  const archive = new ArchiveReader(await place.read(), passphrase)
  try {
    const manifest = await archive.manifest()
    await assertNotNewer(manifest)
    await assertFolderEmpty(config)
    const written: Written = { rows: 'none' }
    await intoEmptyFolder(options, written, () => withDatabase(options, url => fill(options, url, { archive, manifest, written })))
    if (!written.ended || written.ended instanceof Error) throw written.ended ?? new Error('the restore has no end')
    return written.ended
  } finally {
    archive.close()
  }
}

async function assertNotNewer({ migrations, ingot }: Manifest): Promise<void> {
  const known = new Set(await knownMigrations())
  const newer = migrations.filter(name => !known.has(name))
  if (newer.length > 0)
    throw new ConfigError(`the backup was made by a newer Ingot (${ingot}, with ${newer.join(', ')}): restore it with that version`)
}

async function assertFolderEmpty(config: Config): Promise<void> {
  const names = await readdir(config.dataDir).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (names.includes('restore-unfinished'))
    throw new ConfigError(`a restore into ${config.dataDir} did not finish: remove that folder, and restore again`)
  const found = names.filter(name => !ignorable.has(name))
  if (found.length > 0)
    throw new ConfigError(`${config.dataDir} is not empty (${found.slice(0, 3).join(', ')}): restore into a folder that does not exist yet`)
}

/** With less room left, in bytes, the embedded database stops: it makes files of this size. */
const LEAST_ROOM = 16 * 1024 * 1024

/**
 * Marks the folder as unfinished while `work` runs. If that fails while no row can be there, the folder is emptied again, and one that was not there
 * goes. What fails after the commit (a connection that ended, a database that does not stop) changes nothing.
 */
async function intoEmptyFolder(
  { config, log }: Pick<RestoreOptions, 'config' | 'log'>,
  written: Written,
  work: () => Promise<void>,
): Promise<void> {
  const isNew = !existsSync(config.dataDir)
  await makeDataDirectory(config.dataDir)
  const mark = places(config).unfinishedRestore
  await writeFile(mark, 'A restore into this folder has begun and not finished.\n', { mode: 0o600, flush: true })
  try {
    await work()
  } catch (error) {
    if (mayGo(config, written)) return await takeBack(config, mark, isNew, error)
    if (written.rows === 'unknown')
      throw new RowsUnknown(
        `the connection to the database ended during the commit (${reasonOf(error)}): if the database has rows, everything is restored: ` +
          `remove ${mark} and start the server. Otherwise remove ${config.dataDir} and restore again`,
        { cause: error },
      )
    log.warn({ err: error }, 'everything is restored, and something failed afterwards')
  }
  await rm(mark, { force: true }).catch(error => {
    throw new NotMigrated(`everything is restored, but ${mark} is still there (${reasonOf(error)}): remove it, and start the server`, {
      cause: error,
    })
  })
}

/** Empties the folder of a restore that failed before its commit. @throws the reason */
async function takeBack(config: Config, mark: string, isNew: boolean, error: unknown): Promise<never> {
  const { bavail, bsize } = await statfs(config.dataDir)
  // The database may be behind a link elsewhere (platform/db/embedded/home.ts).
  const database = await realpath(places(config).database).catch(() => undefined)
  if (database) await rm(database, { recursive: true, force: true })
  // The mark goes last: killed in the middle of this, the folder is still known for what it is.
  const names = (await readdir(config.dataDir)).filter(name => !ignorable.has(name) && name !== 'restore-unfinished')
  for (const name of names) await rm(join(config.dataDir, name), { recursive: true, force: true })
  await rm(mark, { force: true })
  if (isNew) await rmdir(config.dataDir)
  const isExplained = error instanceof ConfigError || error instanceof ArchiveDamaged || error instanceof ArchiveLocked
  // A database that has no room ends its connections, and that is all that its clients learn.
  if (!isExplained && bavail * bsize < LEAST_ROOM)
    throw new DiskFull(`the disk of ${config.dataDir} is full: nothing was restored`, { cause: error })
  throw error
}

async function withDatabase({ config, log }: RestoreOptions, work: (url: string) => Promise<void>): Promise<void> {
  if (config.databaseUrl) return work(config.databaseUrl.reveal())
  const embedded = await startEmbedded({ dataDir: config.dataDir, log })
  try {
    return await work(embedded.url)
  } finally {
    await embedded.stop()
  }
}

async function fill(
  { config, log, onProgress = () => {} }: RestoreOptions,
  url: string,
  { archive, manifest, written }: { readonly archive: ArchiveReader; readonly manifest: Manifest; readonly written: Written },
): Promise<void> {
  await prepareDatabase(url, log, manifest)
  await using opened = new AsyncDisposableStack()
  const objects = await openObjectStore(config)
  opened.defer(() => objects.close())
  await objects.check()
  await assertStoreEmpty(objects)
  const rows = await openRowWriter(url)
  opened.defer(() => rows.close())
  const storages = new Map<string, RepositoryStorage>()
  await mkdir(places(config).repositories, { recursive: true, mode: 0o700 })
  const storageOf = (name: string): RepositoryStorage => {
    const storage = storages.get(name) ?? openStorage({ name, root: join(places(config).repositories, name) })
    if (!storages.has(name)) opened.defer(() => storage.close())
    storages.set(name, storage)
    return storage
  }
  try {
    const done = await takeEntries({ config, archive, manifest, rows, objects, storageOf, onProgress })
    const { missing_objects, damaged_repositories } = archive.end
    const changed = done.doubtful.find(key => !missing_objects.includes(key))
    if (changed !== undefined) throw new ArchiveDamaged(`objects/${changed} was changed`)
    if (done.objects + missing_objects.length !== manifest.objects.count) throw new ArchiveDamaged('objects are missing')
    onProgress({ doing: 'checking', done: 0, total: 1 })
    written.rows = 'unknown'
    await rows.finish(done.sequences).catch(error => {
      if (!(error instanceof CommitUnanswered)) written.rows = 'none'
      throw error
    })
    written.rows = 'committed'
    const summary = {
      created_at: manifest.created_at,
      tables: manifest.tables.length,
      repositories: done.repositories,
      objects: done.objects,
      missing_objects,
      damaged_repositories,
    }
    written.ended = (await bringUpToDate(rows, url, log)) ?? summary
  } catch (error) {
    if (!mayGo(config, written)) throw error
    // The store was empty before; a folder of the data directory goes with it.
    if (config.objectStore) for await (const { key } of objects.list()) await objects.delete([key])
    throw error
  }
}

/** Brings the rows, now that they are in the schema they came from, up to the present. @returns why that is left to the server */
async function bringUpToDate(rows: RowWriter, url: string, log: FastifyBaseLogger): Promise<NotMigrated | undefined> {
  // PostgreSQL gathers statistics by itself, too.
  await rows.analyze().catch(err => log.warn({ err }, 'the statistics of the database were not gathered'))
  try {
    await migrate({ url, log })
    return undefined
  } catch (error) {
    return new NotMigrated(
      `everything is restored, but the database was not brought to this version (${reasonOf(error)}): start the server, which tries it again`,
      { cause: error },
    )
  }
}

/** Brings an empty database to the schema of the archive. */
async function prepareDatabase(url: string, log: FastifyBaseLogger, manifest: Manifest): Promise<void> {
  const { applied } = await migrationState({ url, log })
  const more = applied.filter(name => !manifest.migrations.includes(name))
  if (more.length > 0)
    throw new ConfigError('the database was migrated further than that of the backup: make a new, empty database and restore into that')
  await migrate({ url, log, only: manifest.migrations })
  const database = await openDatabase({ url, poolSize: 1, log })
  try {
    const { rows } = await sql<{ used: boolean }>`
      select exists (select from users) or exists (select from namespaces) or exists (select from stored_objects) as used`.execute(
      database.db,
    )
    if (rows[0]?.used) throw new ConfigError('the database is not empty: make a new one and restore into that')
    const level = await queueLevel(database.db)
    if (level !== manifest.queue)
      throw new ConfigError(
        `the queue of the backup (${manifest.ingot}) has the form ${manifest.queue}, and that of this Ingot ${level}: restore it with that version`,
      )
    const other = await unlikeTable(manifest.tables, database.db)
    if (other)
      throw new ConfigError(
        `the table ${other.name} of the backup has other columns than its migrations make: restore it with Ingot ${manifest.ingot}`,
      )
  } finally {
    await database.close()
  }
}

async function assertStoreEmpty(objects: ObjectStore): Promise<void> {
  for await (const _ of objects.list())
    throw new ConfigError('the object store is not empty: name another bucket or prefix in INGOT_OBJECT_STORE')
}

interface Target {
  readonly config: Config
  readonly archive: ArchiveReader
  readonly manifest: Manifest
  readonly rows: RowWriter
  readonly objects: ObjectStore
  readonly storageOf: (name: string) => RepositoryStorage
  readonly onProgress: (progress: Progress) => void
}

interface Taken {
  objects: number
  /** Keys of objects whose bytes are not those of their rows: so they were in the backup, or the archive was changed. */
  readonly doubtful: string[]
  repositories: number
  sequences: readonly CopiedSequence[]
}

/** Takes the entries of an archive one after the other, to its end. */
async function takeEntries(target: Target): Promise<Taken> {
  const { archive, manifest, rows, config, onProgress } = target
  const tables = new Map(manifest.tables.map(table => [`rows/${table.schema}.${table.name}`, table]))
  const taken: Taken = { objects: 0, doubtful: [], repositories: 0, sequences: [] }
  for (let next = await archive.peek(); next; next = await archive.peek()) {
    const { name } = next
    const [kind] = name.split('/')
    if (kind === 'keys') await restoreKeptFile(config, name.slice('keys/'.length), (await contentOf(archive)).toString('utf8'))
    else if (kind === 'rows') {
      const group = name.slice(0, name.lastIndexOf('/'))
      const table = tables.get(group)
      if (!table) throw new ArchiveDamaged(`${name} belongs to no table`)
      onProgress({ doing: 'rows', done: manifest.tables.indexOf(table), total: manifest.tables.length })
      await pipeline(Readable.from(archive.parts(group)), rows.write(table))
    } else if (name === 'sequences.json') taken.sequences = JSON.parse((await contentOf(archive)).toString('utf8')) as CopiedSequence[]
    else if (kind === 'repositories') {
      if (await takeRepository(target, name.slice(0, name.lastIndexOf('/')))) taken.repositories += 1
      onProgress({ doing: 'repositories', done: taken.repositories, total: taken.repositories })
    } else if (kind === 'objects') {
      const key = name.slice('objects/'.length)
      if (await takeObject(target, key, (await archive.take()) as ArchiveEntry)) taken.objects += 1
      else taken.doubtful.push(key)
      onProgress({ doing: 'objects', done: taken.objects, total: manifest.objects.count })
    } else throw new ArchiveDamaged(`${name} is unknown`)
  }
  return taken
}

const contentOf = async (archive: ArchiveReader): Promise<Buffer> => buffer(((await archive.take()) as ArchiveEntry).bytes())

/** The backup could not read a repository to its end. */
class BrokenOff extends Error {}

/** Makes a repository; it is there as a whole or not at all. @returns false for one that the backup could not read */
async function takeRepository({ archive, storageOf }: Target, name: string): Promise<boolean> {
  const place = repositoryOf(name)
  if (!place) throw new ArchiveDamaged(`${name} is no repository`)
  const takeMark = async (): Promise<boolean> => {
    if ((await archive.peek())?.name !== `${name}/damaged`) return false
    await contentOf(archive)
    return true
  }
  if (await takeMark()) return false
  const entry = (await archive.take()) as ArchiveEntry
  if (entry.name !== `${name}/refs.json`) throw new ArchiveDamaged(`${entry.name} is out of order`)
  const { head, refs } = JSON.parse((await buffer(entry.bytes())).toString('utf8')) as StoredRefs
  async function* pack() {
    yield* archive.parts(`${name}/pack`)
    if (await takeMark()) throw new BrokenOff()
  }
  try {
    await storageOf(place.storage).create(place.key, { defaultBranch: head, fill: made => fillFromPack(made, refs, pack()) })
    return true
  } catch (error) {
    if (error instanceof BrokenOff) return false
    throw error
  }
}

/** @returns false for one whose bytes are not those of its row; it is not there then */
async function takeObject({ objects }: Target, key: string, entry: ArchiveEntry): Promise<boolean> {
  if (!isKey(key)) throw new ArchiveDamaged(`${key} is no key of an object`)
  try {
    await objects.put(Readable.from(entry.bytes()), { size: entry.size, sha256: entry.sha256 }, key)
    return true
  } catch (error) {
    if (error instanceof EntryChanged) return false
    throw error
  }
}
