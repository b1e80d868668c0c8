/**
 * Brings the schema up to date: the numbered SQL files, and the tables of the job queue. Several Ingot processes may do it concurrently:
 * one works, the others wait and find nothing left to do.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Logger, runMigrations } from 'graphile-worker'
import { Kysely, type Migration, Migrator, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import { DatabaseUnfit } from '../errors.ts'
import type { Log } from '../log.ts'
import { openPool } from '../pool.ts'

export type MigrateOptions = {
  url: string
  log: Log
  /** Folder of the files `0001_name.sql`; default: ours. */
  folder?: string
  /** Run these migrations and no others: a backup is loaded into the schema that it was made with. Default: all. */
  only?: readonly string[]
}

/** What has been done to a database, and what has not. */
export interface MigrationState {
  /** Names in the order of their numbers; none for an empty database. */
  readonly applied: string[]
  /** Those of this program that have not run. */
  readonly pending: string[]
  /** Those that this program does not know: a newer one ran them. */
  readonly unknown: string[]
}

const ours = join(import.meta.dirname, '../migrations')

/** Ingot's advisory lock, which processes hold while they change the schema; an arbitrary constant. */
const lockKey = 4_106_201_114

/**
 * Runs the migrations that are missing, all in one transaction: either all of them are applied or none.
 * @returns the names of those that ran
 * @throws DatabaseUnfit the database was migrated by a newer Ingot
 */
export async function migrate({ url, log, folder = ours, only }: MigrateOptions): Promise<string[]> {
  const all = await readMigrations(folder)
  const migrations = only ? Object.fromEntries(Object.entries(all).filter(([name]) => only.includes(name))) : all
  // A separate pool without the limits of those that serve requests: a migration, and waiting for one, may take long.
  const { pool, close } = openPool({ connectionString: url, max: 2, application_name: 'ingot migration', options: '-c TimeZone=UTC' }, log)
  try {
    return await locked(pool, () => run(pool, migrations, log))
  } finally {
    await close()
  }
}

/** Compares a database with the migrations of this program, and changes nothing. */
export async function migrationState({ url, log, folder }: Omit<MigrateOptions, 'only'>): Promise<MigrationState> {
  const ownNames = await knownMigrations(folder)
  const { pool, close } = openPool({ connectionString: url, max: 1, application_name: 'ingot migration' }, log)
  try {
    const applied = await appliedMigrations(pool)
    return {
      applied,
      pending: ownNames.filter(name => !applied.includes(name)),
      unknown: applied.filter(name => !ownNames.includes(name)),
    }
  } finally {
    await close()
  }
}

/** The names of the migrations of this program. */
export const knownMigrations = async (folder = ours): Promise<string[]> => Object.keys(await readMigrations(folder))

/** A digest of everything that `migrate` does to an empty database. Two programs with the same digest create the same schema. */
export async function schemaDigest(): Promise<string> {
  const hash = createHash('sha256')
  for (const file of await migrationFiles(ours)) hash.update(`${file}\n`).update(await readFile(join(ours, file)))
  const queue = createRequire(import.meta.url)('graphile-worker/package.json') as { version: string }
  return hash.update(queue.version).digest('hex')
}

async function migrationFiles(folder: string): Promise<string[]> {
  const files = await readdir(folder)
  return files.filter(name => name.endsWith('.sql')).sort()
}

/**
 * One migration per file, in the order of the numbers, which may have gaps: each area of the program has a range. The file is the
 * migration: plain SQL, any number of statements.
 */
async function readMigrations(folder: string): Promise<Record<string, Migration>> {
  const files = await migrationFiles(folder)
  const misnamed = files.find(name => !/^\d{4}_[a-z0-9_]+\.sql$/.test(name))
  if (misnamed) throw new Error(`Migrations are named 0001_name.sql: ${misnamed} is not`)
  const repeated = files.find((name, index) => name.slice(0, 4) === files[index - 1]?.slice(0, 4))
  if (repeated) throw new Error(`Each migration has a number of its own: that of ${repeated} is taken`)
  const entries = files.map(async file => {
    const text = await readFile(join(folder, file), 'utf8')
    const migration: Migration = { up: async db => void (await sql.raw(text).execute(db)) }
    return [file.replace(/\.sql$/, ''), migration] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** Holds the lock on one connection while `work` runs. The server releases it when the process dies. */
async function locked<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey])
    const result = await work()
    await client.query('select pg_advisory_unlock($1)', [lockKey])
    client.release()
    return result
  } catch (error) {
    // Closing the connection releases the lock.
    client.release(true)
    throw error
  }
}

async function run(pool: pg.Pool, migrations: Record<string, Migration>, log: Log): Promise<string[]> {
  await assertKnown(pool, migrations)
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const { error, results = [] } = await new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    // A migration of a lower range may be written after one of a higher.
    allowUnorderedMigrations: true,
  }).migrateToLatest()
  const failed = results.find(result => result.status === 'Error')
  if (error) throw failed ? new Error(`Migration ${failed.migrationName} failed`, { cause: error }) : error
  const names = results.map(result => result.migrationName)
  if (names.length > 0) log.info({ migrations: names }, 'the database schema is up to date')
  await runMigrations({ pgPool: pool, logger: new Logger(() => (_level, message) => log.debug({ component: 'queue' }, message)) })
  return names
}

async function appliedMigrations(pool: pg.Pool): Promise<string[]> {
  const { rows: tables } = await pool.query(`select to_regclass('kysely_migration') is not null as exists`)
  if (!tables[0].exists) return []
  const { rows } = await pool.query<{ name: string }>('select name from kysely_migration order by name')
  return rows.map(row => row.name)
}

async function assertKnown(pool: pg.Pool, migrations: Record<string, Migration>): Promise<void> {
  const unknown = (await appliedMigrations(pool)).filter(name => !(name in migrations))
  if (unknown.length > 0) {
    throw new DatabaseUnfit(
      `The database was migrated by a newer Ingot (${unknown.join(', ')}): start that version, or restore an older backup`,
    )
  }
}
