/** `ingot status`: what an administrator looks at first. Changes nothing. */
import { readFile, statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import { places } from '../../platform/config.ts'
import { runningServerUrl } from '../../platform/db/embedded/running.ts'
import { migrationState } from '../../platform/db/migrating/migrate.ts'
import { queueState } from '../../platform/events/queue_state.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { openLog } from '../../platform/log.ts'
import { version } from '../../platform/system/version.ts'
import { configFrom, type SettingOptions } from '../cli/settings.ts'
import { openInstance } from '../setup/instance.ts'
import { bytesInWords, type LastBackup } from './commands.ts'

/** Prints the state of an instance, as lines or as JSON. */
export async function printStatus(options: SettingOptions & { readonly json?: true }): Promise<void> {
  const config = configFrom(options)
  // Before it is opened, which starts the embedded database where nothing else runs it.
  const isRunning = config.databaseUrl ? undefined : (await runningServerUrl(config.dataDir)) !== undefined
  const instance = await openInstance({ config, log: openLog(config.logLevel), shared: true, existing: true, asItIs: true })
  try {
    const status = await statusOf(instance.deps, isRunning)
    process.stdout.write(options.json ? `${JSON.stringify(status)}\n` : linesOf(status))
  } finally {
    await instance.close()
  }
}

/** The state of an instance. Sizes in bytes. */
export interface Status {
  readonly version: string
  /** Of the embedded database; undefined for one elsewhere, whose processes are not known here. */
  readonly running: boolean | undefined
  readonly data_dir: string
  readonly migrations: { readonly applied: number; readonly pending: readonly string[]; readonly unknown: readonly string[] }
  readonly jobs: {
    readonly waiting: number
    readonly later: number
    readonly running: number
    readonly failing: number
    readonly given_up: number
  }
  readonly database_size: number
  readonly files: { readonly count: number; readonly size: number }
  readonly disk: { readonly free: number; readonly size: number }
  readonly last_backup: LastBackup | null
}

/** Reads the state of an open instance. */
export async function statusOf(
  { config, database, log }: Pick<Deps, 'config' | 'database' | 'log'>,
  running: boolean | undefined,
): Promise<Status> {
  const { applied, pending, unknown } = await migrationState({ url: database.url, log })
  const tasks = await queueState(database.db)
  const total = (kind: 'waiting' | 'later' | 'running' | 'failing' | 'given_up') => tasks.reduce((sum, task) => sum + task[kind], 0)
  const { rows } = await sql<{ database_size: number; count: number; size: number }>`
    select pg_database_size(current_database()) as database_size, count(*) as count, coalesce(sum(size), 0)::bigint as size
      from stored_objects`.execute(database.db)
  const { database_size, count, size } = rows[0]!
  const disk = await statfs(config.dataDir)
  return {
    version,
    running,
    data_dir: config.dataDir,
    migrations: { applied: applied.length, pending, unknown },
    jobs: {
      waiting: total('waiting'),
      later: total('later'),
      running: total('running'),
      failing: total('failing'),
      given_up: total('given_up'),
    },
    database_size,
    files: { count, size },
    disk: { free: disk.bavail * disk.bsize, size: disk.blocks * disk.bsize },
    last_backup: await lastBackupOf(places(config).lastBackup),
  }
}

/** What the data directory says of its last backup; null where none was made. */
export async function lastBackupOf(file: string): Promise<LastBackup | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as LastBackup
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

function linesOf(status: Status): string {
  const { migrations, jobs, files, disk, last_backup: last } = status
  const notes = [
    ...(migrations.pending.length > 0 ? [`${migrations.pending.length} run at the next start`] : []),
    ...(migrations.unknown.length > 0 ? [`${migrations.unknown.length} of a newer Ingot, which alone can start`] : []),
  ]
  const faults = last && !last.complete ? ', with gaps' : ''
  const since = last?.since ? `, which builds on ${last.since}` : ''
  const lines: [string, string][] = [
    ['Version', status.version],
    ['Server', status.running === undefined ? 'not known, the database is elsewhere' : status.running ? 'runs' : 'does not run'],
    ['Data', status.data_dir],
    ['Migrations', [`${migrations.applied} applied`, ...notes].join(', ')],
    ['Jobs', `${jobs.waiting} waiting, ${jobs.running} running, ${jobs.later} later, ${jobs.failing} failing, ${jobs.given_up} given up`],
    ['Database', bytesInWords(status.database_size)],
    ['Files', `${files.count}, ${bytesInWords(files.size)}`],
    ['Disk', `${bytesInWords(disk.free)} free of ${bytesInWords(disk.size)}`],
    [
      'Last backup',
      last ? `${last.created_at}, ${bytesInWords(last.size)}${last.encrypted ? ', encrypted' : ''}${faults}: ${last.file}${since}` : 'none',
    ],
  ]
  return lines.map(([name, value]) => `${name.padEnd(12)}${value}\n`).join('')
}
