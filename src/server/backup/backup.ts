/**
 * A backup: one archive of the database, the repositories, the objects and the keys, made while the instance is used or stopped.
 *
 * The order makes it consistent. First the lock after which nothing is deleted from disk any more (backup_lock.ts), then the snapshot. All
 * that the snapshot names is on disk then, since files and git objects are written before their rows, and it stays there until the end. Rows
 * are read by the snapshot; references are taken back to it (instant_refs.ts); objects never change under their keys. What is written
 * meanwhile has other keys, or is reached by no reference of the archive.
 *
 * A backup that builds on a previous one reads all rows and references, too, and writes what no archive before it has: parts of tables by their
 * digests (row_parts.ts), objects by their keys, and of repositories what the references that were there then do not reach. What was deleted
 * since is not among the contents, and a restore leaves it out.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { ConfigError } from '../../platform/config.ts'
import type { Db } from '../../platform/db/connection.ts'
import { lockForBackup } from '../../platform/db/migrating/backup_lock.ts'
import { copiedSequences, copiedTables, queueLevel } from '../../platform/db/migrating/copy_rows.ts'
import { type MigrationState, migrationState } from '../../platform/db/migrating/migrate.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import type { Secret } from '../../platform/secret.ts'
import { version } from '../../platform/system/version.ts'
import { openArchive } from './archive/chain.ts'
import { type End, FORMAT, type Manifest, sha256Of } from './archive/format.ts'
import { type ArchivePlace, baseName } from './archive/places.ts'
import { ArchiveWriter, type WrittenContents } from './archive/writer.ts'
import { type Previous, type Work, writeObjects, writeRepositories, writeRows } from './backup_contents.ts'
import { atOneInstant } from './instant.ts'
import { type KeptFile, keptFiles } from './kept_files.ts'

/** The parts of an instance that a backup reads. */
export type BackupDeps = Pick<Deps, 'config' | 'database' | 'storages' | 'objects' | 'log'>

export interface BackupOptions {
  /** Where the archive will be. */
  readonly place: ArchivePlace
  /** Undefined: the archive is not encrypted. */
  readonly passphrase?: Secret | undefined
  /** An archive of the same instance: what it and those that it builds on have is left out. It has the same passphrase, or none. */
  readonly since?: ArchivePlace | undefined
  /** Learns what is being done, and how much of it. */
  readonly onProgress?: (progress: Progress) => void
  /** Is called after the snapshot has been taken, and is waited for: for tests that write meanwhile. */
  readonly onSnapshot?: (then: Db) => Promise<void>
}

/** How far a backup or a restore is. */
export interface Progress {
  readonly doing: 'waiting' | 'opening' | 'merging' | 'verifying' | 'rows' | 'repositories' | 'objects' | 'checking'
  readonly done: number
  readonly total: number
}

/** What could not be read. */
type Missing = Pick<End, 'missing_objects' | 'damaged_repositories'>

/** What a backup shows. */
export interface BackupSummary extends Missing {
  readonly created_at: string
  readonly tables: number
  readonly repositories: number
  readonly objects: number
  /** What was written of it, before compression. */
  readonly bytes: number
}

/**
 * Writes an archive.
 * @throws Error it cannot be written, or the instance cannot be read, or what it should build on; nothing of it is left then
 */
export async function backUp(deps: BackupDeps, options: BackupOptions): Promise<BackupSummary> {
  const { database, log } = deps
  const progress = options.onProgress ?? (() => {})
  const state = await migrationState({ url: database.url, log })
  if (state.unknown.length > 0)
    throw new Error(`the database was migrated by a newer Ingot (${state.unknown.join(', ')}): make the backup with that version`)
  const keys = await keptFiles(deps.config)
  const previous = options.since && (await previousOf(options.since, options.passphrase, digestsOf(keys)))
  const writer = await ArchiveWriter.open(options.place, options.passphrase)
  try {
    const lock = await lockForBackup(database.url, () => progress({ doing: 'waiting', done: 0, total: 1 }))
    try {
      const { contents, tables, ...end } = await atOneInstant(database.db, async (then, createdAt) => {
        await options.onSnapshot?.(then)
        return write({ deps, writer, progress, times: { then, now: database.db }, previous }, { createdAt, state, keys })
      })
      // The lock ends with its connection. Without it something that the archive should have may have been deleted.
      if (!(await lock.isHeld())) throw new Error('the connection to the database was lost during the backup')
      await writer.finish(end, contents)
      return { created_at: contents.self.created_at, tables, ...countsOf(contents, end), ...end, bytes: writer.bytes }
    } finally {
      await lock.release()
    }
  } catch (error) {
    await writer.abort()
    throw error
  }
}

/** What a backup names, with what could not be read. */
const countsOf = ({ repositories, objects }: WrittenContents, { missing_objects, damaged_repositories }: Missing) => ({
  repositories: repositories.size + damaged_repositories.length,
  objects: objects.size + missing_objects.length,
})

/** Digests of the keys of an instance, by which an archive says of which instance it is. */
const digestsOf = (files: readonly KeptFile[]): string[] =>
  files.flatMap(({ name, content }) => (name === 'secret.key' ? content.trim().split('\n') : [])).map(key => sha256Of(Buffer.from(key)))

/** What the archive shows that a backup builds on. @throws ConfigError it is of another instance, or not encrypted as the new one will be */
async function previousOf(place: ArchivePlace, passphrase: Secret | undefined, keys: readonly string[]): Promise<Previous> {
  const { contents, encrypted } = await openArchive(place, passphrase)
  // Who can replace a file without knowing the passphrase must not say what is left out.
  if (passphrase && !encrypted)
    throw new ConfigError(`${place.name} is not encrypted: a backup with a passphrase builds on one with the same passphrase`)
  if (!contents.keys.some(key => keys.includes(key)))
    throw new ConfigError(`${place.name} is a backup of another instance: make one of this instance without --since first`)
  return { contents, name: baseName(place) }
}

interface Instant {
  readonly createdAt: string
  readonly state: MigrationState
  readonly keys: readonly KeptFile[]
}

async function write(
  work: Work,
  { createdAt, state, keys }: Instant,
): Promise<Missing & { readonly contents: WrittenContents; readonly tables: number }> {
  const { writer, times, previous } = work
  const { then } = times
  const tables = await copiedTables(then)
  const totals = await then
    .selectFrom('stored_objects')
    .select(({ fn }) => [fn.countAll<number>().as('count'), sql<number>`coalesce(sum(size), 0)::bigint`.as('bytes')])
    .executeTakeFirstOrThrow()
  const before = previous?.contents.self
  const manifest: Manifest = {
    format: FORMAT,
    id: randomUUID(),
    previous: before ? { id: before.id, sha256: before.sha256 } : null,
    ingot: version,
    created_at: createdAt,
    migrations: state.applied,
    queue: await queueLevel(then),
    tables,
    objects: totals,
  }
  await writer.add('manifest.json', JSON.stringify(manifest))
  for (const { name, content } of keys) await writer.add(`keys/${name}`, content)
  const rows = await writeRows(work, tables)
  await writer.add('sequences.json', JSON.stringify(await copiedSequences(then)))
  const { repositories, damaged } = await writeRepositories(work)
  const { objects, missing } = await writeObjects(work, totals.count)
  return {
    contents: {
      self: { id: manifest.id, created_at: createdAt },
      keys: digestsOf(keys),
      links: previous ? [...previous.contents.links, { ...previous.contents.self, name: previous.name }] : [],
      tables: rows,
      repositories,
      objects,
    },
    tables: tables.length,
    missing_objects: missing,
    damaged_repositories: damaged,
  }
}
