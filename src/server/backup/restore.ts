/**
 * A restore: the instance that an archive shows, with those that it builds on, in an empty data directory and an empty database.
 *
 * The rows are written in one transaction, which commits only after everything else is in place and the end of the archive has been checked.
 * A restore that fails before takes back what it wrote; one that fails afterwards takes back nothing, since rows must not lose what they name.
 * One that is killed leaves its mark (`restore-unfinished`), with which nothing starts.
 */
import { existsSync } from 'node:fs'
import { mkdir, readdir, realpath, rm, rmdir, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { type Config, ConfigError, places } from '../../platform/config.ts'
import { openDatabase } from '../../platform/db/connection.ts'
import { startEmbedded } from '../../platform/db/embedded/embedded.ts'
import { CommitUnanswered, openRowWriter, queueLevel, type RowWriter, unlikeTable } from '../../platform/db/migrating/copy_rows.ts'
import { knownMigrations, migrate, migrationState } from '../../platform/db/migrating/migrate.ts'
import { openStorage, type RepositoryStorage } from '../../platform/git/index.ts'
import { openObjectStore } from '../../platform/object_store/open.ts'
import type { ObjectStore } from '../../platform/object_store/store.ts'
import type { Secret } from '../../platform/secret.ts'
import { reasonOf } from '../doctor/finding.ts'
import { makeDataDirectory } from '../setup/before_start.ts'
import { type Chain, openChain, verifyChain } from './archive/chain.ts'
import { ArchiveDamaged, ArchiveLocked, DiskFull, NotMigrated, RowsUnknown } from './archive/faults.ts'
import type { Manifest } from './archive/format.ts'
import type { ArchivePlace } from './archive/places.ts'
import type { BackupSummary, Progress } from './backup.ts'
import { restoreContents } from './restore_contents.ts'

export interface RestoreOptions {
  readonly config: Config
  readonly log: FastifyBaseLogger
  /** Where the archive is. */
  readonly place: ArchivePlace
  readonly passphrase?: Secret | undefined
  /** Archives that it builds on and that are not beside it, or have other names. */
  readonly earlier?: readonly ArchivePlace[]
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
 * @throws ChainBroken, ArchiveDamaged, ArchiveLocked, DiskFull, Error nothing was restored, and the target is as empty as before
 */
export async function restore(options: RestoreOptions): Promise<Summary> {
  const { config, place, passphrase, earlier, onProgress } = options
  const chain = await openChain(place, passphrase, earlier, (done, total) => onProgress?.({ doing: 'opening', done, total }))
  try {
    await assertNotNewer(chain.manifest)
    await assertFolderEmpty(config)
    // What a single archive lacks is found while it is written, and taken back; a chain is read twice, since more can be wrong with it.
    if (chain.archives.length > 1) await verifyChain(chain, (done, total) => onProgress?.({ doing: 'verifying', done, total }))
    const written: Written = { rows: 'none' }
    await intoEmptyFolder(options, written, () => withDatabase(options, url => fill(options, url, chain, written)))
    if (!written.ended || written.ended instanceof Error) throw written.ended ?? new Error('the restore has no end')
    return written.ended
  } finally {
    chain.close()
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

async function fill({ config, log, onProgress = () => {} }: RestoreOptions, url: string, chain: Chain, written: Written): Promise<void> {
  const { manifest, contents } = chain
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
    const done = { repositories: 0, objects: 0 }
    const { sequences, ...missing } = await restoreContents({ config, chain, rows, objects, storageOf, onProgress, done })
    onProgress({ doing: 'checking', done: 0, total: 1 })
    written.rows = 'unknown'
    await rows.finish(sequences).catch(error => {
      if (!(error instanceof CommitUnanswered)) written.rows = 'none'
      throw error
    })
    written.rows = 'committed'
    const summary = {
      created_at: manifest.created_at,
      tables: manifest.tables.length,
      repositories: contents.repositories.size,
      objects: contents.objects.size,
      ...missing,
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
