/**
 * An upgrade, rehearsed: the rows of the database, as they are at one instant, in a database of its own, to which the migrations of this program are
 * applied. What fails there would fail at the start, and the instance, which may be used meanwhile, notices nothing.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Database, openDatabase } from '../../platform/db/connection.ts'
import { startEmbedded } from '../../platform/db/embedded/embedded.ts'
import type { Log } from '../../platform/db/log.ts'
import { copiedSequences, copiedTables, openRowReader, openRowWriter, unlikeTable } from '../../platform/db/migrating/copy_rows.ts'
import { migrate } from '../../platform/db/migrating/migrate.ts'
import { atOneInstant } from '../backup/instant.ts'

export interface RehearsalOptions {
  readonly database: Pick<Database, 'db' | 'url'>
  /** The migrations of the database. */
  readonly applied: readonly string[]
  /** A folder on a disk with room for the copy, which is taken away again. */
  readonly folder: string
  readonly log: Log
  /** The folder of the migrations to be rehearsed. Default: those of this program. */
  readonly migrations?: string | undefined
  /** Learns how many of the tables are copied. */
  readonly onProgress?: (done: number, total: number) => void
}

export interface Rehearsal {
  /** The migrations that ran, in their order. */
  readonly ran: readonly string[]
  /** Milliseconds that they took on the copy, which never waits for the disk. */
  readonly took: number
}

/**
 * Copies the rows, and migrates the copy.
 * @throws Error a migration failed, or the database is not what its migrations make
 */
export async function rehearse(options: RehearsalOptions): Promise<Rehearsal> {
  const { log, applied, migrations: folder } = options
  await using opened = new AsyncDisposableStack()
  const dataDir = await mkdtemp(join(options.folder, 'rehearsal-'))
  opened.defer(() => rm(dataDir, { recursive: true, force: true }))
  // Under root the database runs as another user, which must come to its folder.
  await chmod(dataDir, 0o711)
  const copy = await startEmbedded({ dataDir, log, isEphemeral: true })
  opened.defer(copy.stop)
  await migrate({ url: copy.url, log, only: applied, ...(folder !== undefined && { folder }) })
  await copyRows(options, copy.url)
  const begin = performance.now()
  const ran = await migrate({ url: copy.url, log, ...(folder !== undefined && { folder }) })
  return { ran, took: performance.now() - begin }
}

async function copyRows({ database, log, onProgress = () => {} }: RehearsalOptions, url: string): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const copy = await openDatabase({ url, poolSize: 1, log })
  opened.defer(() => copy.close())
  await atOneInstant(database.db, async then => {
    const tables = await copiedTables(then)
    const other = await unlikeTable(tables, copy.db)
    if (other) throw new Error(`the table ${other.name} has other columns than the migrations of the database make`)
    const reader = await openRowReader(database.url, then)
    opened.defer(() => reader.close())
    const writer = await openRowWriter(url)
    opened.defer(() => writer.close())
    for (const [index, table] of tables.entries()) {
      onProgress(index, tables.length)
      await pipeline(reader.read(table), writer.write(table))
    }
    await writer.finish(await copiedSequences(then))
  })
}
