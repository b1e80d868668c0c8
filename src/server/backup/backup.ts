/**
 * A backup: one archive of the database, the repositories, the objects and the keys, made while the instance is used or stopped.
 *
 * The order makes it consistent. First the lock after which nothing is deleted from disk any more (backup_lock.ts), then the snapshot. All
 * that the snapshot names is on disk then, since files and git objects are written before their rows, and it stays there until the end. Rows
 * are read by the snapshot; references are taken back to it (instant_refs.ts); objects never change under their keys. What is written
 * meanwhile has other keys, or is reached by no reference of the archive.
 */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { lockForBackup } from '../../platform/db/migrating/backup_lock.ts'
import { copiedSequences, copiedTables, openRowReader, queueLevel } from '../../platform/db/migrating/copy_rows.ts'
import { type MigrationState, migrationState } from '../../platform/db/migrating/migrate.ts'
import { allRefs, defaultBranchOf, GitError, type ObjectId, type Repository, streamPack } from '../../platform/git/index.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { ObjectMissing } from '../../platform/object_store/store.ts'
import type { Secret } from '../../platform/secret.ts'
import { version } from '../../platform/system/version.ts'
import { initialBranch } from '../../spaces/projects/repository/store.ts'
import { countPlaces, type Place, placesIn } from '../repository_places.ts'
import { type End, FORMAT, type Manifest, repositoryName, type StoredRefs } from './archive/format.ts'
import type { ArchivePlace } from './archive/places.ts'
import { ArchiveWriter } from './archive/writer.ts'
import { atOneInstant } from './instant.ts'
import { refsAtInstant, type Times } from './instant_refs.ts'
import { type KeptFile, keptFiles } from './kept_files.ts'

/** The parts of an instance that a backup reads. */
export type BackupDeps = Pick<Deps, 'config' | 'database' | 'storages' | 'objects' | 'log'>

export interface BackupOptions {
  /** Where the archive will be. */
  readonly place: ArchivePlace
  /** Undefined: the archive is not encrypted. */
  readonly passphrase?: Secret | undefined
  /** Learns what is being done, and how much of it. */
  readonly onProgress?: (progress: Progress) => void
  /** Is called after the snapshot has been taken, and is waited for: for tests that write meanwhile. */
  readonly onSnapshot?: (then: Db) => Promise<void>
}

/** How far a backup or a restore is. */
export interface Progress {
  readonly doing: 'waiting' | 'rows' | 'repositories' | 'objects' | 'checking'
  readonly done: number
  readonly total: number
}

/** What a backup has. */
export interface BackupSummary extends Pick<End, 'missing_objects' | 'damaged_repositories'> {
  readonly created_at: string
  readonly tables: number
  readonly repositories: number
  readonly objects: number
  /** Before compression. */
  readonly bytes: number
}

/** Rows per statement of long lists. */
const PAGE = 500

/**
 * Writes an archive.
 * @throws Error it cannot be written, or the instance cannot be read; nothing of it is left then
 */
export async function backUp(deps: BackupDeps, options: BackupOptions): Promise<BackupSummary> {
  const { database, log } = deps
  const progress = options.onProgress ?? (() => {})
  const state = await migrationState({ url: database.url, log })
  if (state.unknown.length > 0)
    throw new Error(`the database was migrated by a newer Ingot (${state.unknown.join(', ')}): make the backup with that version`)
  const writer = await ArchiveWriter.open(options.place, options.passphrase)
  try {
    const lock = await lockForBackup(database.url, () => progress({ doing: 'waiting', done: 0, total: 1 }))
    try {
      const { content, end } = await atOneInstant(database.db, async (then, createdAt) => {
        await options.onSnapshot?.(then)
        return write({ deps, writer, progress, times: { then, now: database.db }, createdAt, state })
      })
      // The lock ends with its connection. Without it something that the archive should have may have been deleted.
      if (!(await lock.isHeld())) throw new Error('the connection to the database was lost during the backup')
      await writer.finish(end)
      return { ...content, ...end, bytes: writer.bytes }
    } finally {
      await lock.release()
    }
  } catch (error) {
    await writer.abort()
    throw error
  }
}

interface Work {
  readonly deps: BackupDeps
  readonly writer: ArchiveWriter
  readonly progress: (progress: Progress) => void
  readonly times: Times
  readonly createdAt: string
  readonly state: MigrationState
}

async function write(work: Work): Promise<{
  content: Pick<BackupSummary, 'created_at' | 'tables' | 'repositories' | 'objects'>
  end: Pick<End, 'missing_objects' | 'damaged_repositories'>
}> {
  const { deps, writer, times, createdAt, state } = work
  const { then } = times
  const tables = await copiedTables(then)
  const totals = await then
    .selectFrom('stored_objects')
    .select(({ fn }) => [fn.countAll<number>().as('count'), sql<number>`coalesce(sum(size), 0)::bigint`.as('bytes')])
    .executeTakeFirstOrThrow()
  const manifest: Manifest = {
    format: FORMAT,
    ingot: version,
    created_at: createdAt,
    migrations: state.applied,
    queue: await queueLevel(then),
    tables,
    objects: totals,
  }
  await writer.add('manifest.json', JSON.stringify(manifest))
  for (const { name, content } of await keptFiles(deps.config)) await writer.add(`keys/${name satisfies KeptFile['name']}`, content)
  await writeRows(work, tables)
  await writer.add('sequences.json', JSON.stringify(await copiedSequences(then)))
  const { repositories, damaged } = await writeRepositories(work)
  const missing = await writeObjects(work, totals.count)
  return {
    content: { created_at: createdAt, tables: tables.length, repositories, objects: totals.count },
    end: { missing_objects: missing, damaged_repositories: damaged },
  }
}

async function writeRows({ deps, writer, progress, times: { then } }: Work, tables: Manifest['tables']): Promise<void> {
  const reader = await openRowReader(deps.database.url, then)
  try {
    for (const [index, table] of tables.entries()) {
      progress({ doing: 'rows', done: index, total: tables.length })
      await writer.addParts(`rows/${table.schema}.${table.name}`, reader.read(table))
    }
  } finally {
    await reader.close()
  }
}

async function writeRepositories(work: Work): Promise<{ repositories: number; damaged: string[] }> {
  const { deps, writer, progress, times } = work
  const damaged: string[] = []
  let repositories = 0
  const total = await countPlaces(times.then)
  let done = 0
  for await (const places of placesIn(
    times.then,
    deps.storages.all().map(({ name }) => name),
  )) {
    for (const place of places) {
      const storage = deps.storages.get(place.storage)
      const repository = storage.repository(place.key)
      if (!(await storage.exists(repository))) continue
      const name = repositoryName(place.storage, place.key)
      repositories += 1
      if (await writeRepository(work, place, repository, name)) continue
      damaged.push(name)
      // Where a pack broke off, this says that the rest does not come.
      await writer.add(`${name}/damaged`, '')
    }
    done += places.length
    progress({ doing: 'repositories', done: Math.min(done, total), total })
  }
  return { repositories, damaged }
}

/** @returns false where git cannot read it */
async function writeRepository({ deps, writer, times }: Work, place: Place, repository: Repository, name: string): Promise<boolean> {
  try {
    const refs = place.project === undefined ? await allRefs(repository) : await refsAtInstant(times, place.project, repository)
    const head = place.branch ?? (await defaultBranchOf(repository)) ?? (await initialBranch(times.then))
    const stored: StoredRefs = { head, refs: [...refs] }
    await writer.add(`${name}/refs.json`, JSON.stringify(stored))
    if (refs.size > 0) await writer.addParts(`${name}/pack`, streamPack(repository, new Set<ObjectId>(refs.values())))
    return true
  } catch (error) {
    // A fault of one repository is named at the end; a fault of git or of the machine ends the backup.
    if (!(error instanceof GitError)) throw error
    deps.log.warn({ err: error, repository: name }, 'a repository could not be read')
    return false
  }
}

async function writeObjects({ deps, writer, progress, times }: Work, total: number): Promise<string[]> {
  const missing: string[] = []
  let done = 0
  for (let last = 0; ; ) {
    const page = await times.then
      .selectFrom('stored_objects')
      .select(['id', 'key', 'size', 'sha256'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    for (const { key, size, sha256 } of page) {
      progress({ doing: 'objects', done, total })
      done += 1
      const source = await deps.objects.read(key).catch(error => {
        if (error instanceof ObjectMissing) return undefined
        throw error
      })
      const isWhole = source !== undefined && (await writer.addKnown(`objects/${key}`, { size, sha256 }, source))
      if (!isWhole) missing.push(key)
    }
    if (page.length < PAGE) return missing
    last = page.at(-1)!.id
  }
}
