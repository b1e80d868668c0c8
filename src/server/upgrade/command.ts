/** `ingot upgrade`: brings the database of an instance to this version, or tries before whether it can be. */
import { statfs } from 'node:fs/promises'
import { SingleBar } from 'cli-progress'
import { sql } from 'kysely'
import { type Config, ConfigError, places } from '../../platform/config.ts'
import { type MigrationState, migrationState } from '../../platform/db/migrating/migrate.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { openLog } from '../../platform/log.ts'
import { bytesInWords } from '../backup/commands.ts'
import { lastBackupOf } from '../backup/status.ts'
import { CommandFailure } from '../cli/failures.ts'
import { configFrom, type SettingOptions } from '../cli/settings.ts'
import { type Finding, type Found, lineOf, looked, ok, warning, wrong } from '../doctor/finding.ts'
import { openInstance } from '../setup/instance.ts'
import { rehearse } from './rehearsal.ts'

/** How old a backup may be that an upgrade relies on, in milliseconds. */
const FRESH = 24 * 60 * 60 * 1000

/** Runs the migrations that are missing, and says which. The server must not run. */
export async function upgrade(options: SettingOptions): Promise<void> {
  const config = configFrom(options)
  const log = openLog('error')
  const before = await openInstance({ config, log, existing: true, asItIs: true })
  const { pending, unknown } = await migrationState({ url: before.deps.database.url, log }).finally(before.close)
  assertOurs(unknown)
  const after = await openInstance({ config, log, existing: true })
  await after.close()
  const ran = pending.length === 0 ? 'had the form of this version already' : `was brought to this version: ${pending.join(', ')}`
  process.stdout.write(`The database ${ran}\n`)
}

/** Tries all that an upgrade needs, also while an older server runs. @throws CommandFailure where it would fail */
export async function checkUpgrade(options: SettingOptions & { readonly json?: true }): Promise<void> {
  const config = configFrom(options)
  const instance = await openInstance({ config, log: openLog('silent'), shared: true, existing: true, asItIs: true })
  try {
    const findings = await findingsOf(instance.deps)
    const width = Math.max(...findings.map(({ check }) => check.length))
    process.stdout.write(options.json ? `${JSON.stringify({ findings })}\n` : findings.map(finding => lineOf(finding, width)).join(''))
    const failed = findings.filter(({ outcome }) => outcome === 'wrong').length
    if (failed > 0) throw new CommandFailure('the upgrade would fail: keep the older version running')
    if (!options.json) process.stdout.write('The upgrade can be made; what you must do by hand stands in CHANGELOG.md\n')
  } finally {
    await instance.close()
  }
}

/**
 * What an upgrade would find.
 * @param migrations the folder of those of the version to be upgraded to; default: this one
 */
export async function findingsOf(
  { config, database, log, now }: Pick<Deps, 'config' | 'database' | 'log' | 'now'>,
  migrations?: string,
): Promise<Finding[]> {
  const state = await migrationState({ url: database.url, log, ...(migrations !== undefined && { folder: migrations }) })
  const findings: Finding[] = [{ check: 'Database', ...stateOf(state) }]
  if (state.unknown.length > 0 || state.pending.length === 0) return findings
  findings.push(await looked('Backup', 'Look into the data folder', () => backupOf(config, now())))
  const room = await looked('Room', 'Make room on the disk of the data folder', () => roomOf(config, database))
  findings.push(room)
  if (room.outcome === 'wrong') return findings
  const bar = new SingleBar({ format: '{bar} {value} of {total} tables', clearOnComplete: true, stream: process.stderr })
  findings.push(
    await looked('Rehearsal', 'Report it with this line; the older version works with the database as it is', async () => {
      bar.start(1, 0)
      try {
        const { ran, took } = await rehearse({
          database,
          applied: state.applied,
          folder: config.dataDir,
          migrations,
          log,
          onProgress: (done, total) => {
            bar.setTotal(total)
            bar.update(done)
          },
        })
        return ok(
          `on a copy of all rows ${ran.length} migrations took ${(took / 1000).toFixed(1)} s; the server does not answer for as long`,
        )
      } finally {
        bar.stop()
      }
    }),
  )
  return findings
}

function stateOf({ applied, pending, unknown }: MigrationState): Found {
  if (unknown.length > 0)
    return wrong(`a newer Ingot has changed it (${unknown.join(', ')})`, 'Use that version, or restore an older backup')
  return ok(pending.length === 0 ? `has the form of this version (${applied.length} migrations)` : `to be run: ${pending.join(', ')}`)
}

async function backupOf(config: Config, now: Date): Promise<Found> {
  const last = await lastBackupOf(places(config).lastBackup)
  const remedy = 'Run `ingot backup` with the older version: there is no other way back'
  if (!last) return warning('none was made from this data folder', remedy)
  const says = `${last.created_at}: ${last.file}`
  if (!last.complete) return warning(`${says}, with gaps`, remedy)
  return now.getTime() - Date.parse(last.created_at) > FRESH ? warning(`${says}, more than a day ago`, remedy) : ok(says)
}

/** Migrations may write a table a second time, beside the old one, and the rehearsal copies all of them. */
async function roomOf(config: Config, { db }: Deps['database']): Promise<Found> {
  const { rows } = await sql<{ size: number }>`select pg_database_size(current_database()) as size`.execute(db)
  const size = rows[0]?.size ?? 0
  const { bavail, bsize } = await statfs(config.dataDir)
  const says = `${bytesInWords(bavail * bsize)} free, and the database has ${bytesInWords(size)}`
  return bavail * bsize > 2 * size ? ok(says) : wrong(says, 'Make room for twice the database on the disk of the data folder')
}

function assertOurs(unknown: readonly string[]): void {
  if (unknown.length > 0)
    throw new ConfigError(
      `the database was migrated by a newer Ingot (${unknown.join(', ')}): start that version, or restore an older backup`,
    )
}
