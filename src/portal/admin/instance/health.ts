/** What the machine and the database say of the instance. */
import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Config } from '../../../platform/config.ts'
import type { Db } from '../../../platform/db/connection.ts'

/** Counting ends here: it must not grow with the table. */
export const MOST_COUNTED = 10_000

export interface Health {
  /** Bytes of the database. */
  readonly database: number
  /** Version of PostgreSQL. */
  readonly postgres: string
  /** Bytes that are free and that there are, where the data lies. */
  readonly disk: { readonly free: number; readonly total: number }
  /** Bytes of memory of this process. */
  readonly memory: number
  /** Seconds since this process began. */
  readonly uptime: number
  /** Accounts of people, groups and projects, each counted to `MOST_COUNTED`. */
  readonly counts: { readonly users: number; readonly groups: number; readonly projects: number }
}

/** Two statements, and one look at the disk. */
export async function healthOf(db: Db, { dataDir }: Pick<Config, 'dataDir'>): Promise<Health> {
  const [about, counts, disk] = await Promise.all([
    sql<{ size: number; version: string }>`
      select pg_database_size(current_database())::float8 as size, current_setting('server_version') as version`.execute(db),
    sql<Health['counts']>`
      select (select count(*) from (select 1 from users where kind = 'human' limit ${MOST_COUNTED}) as counted)::int as users,
             (select count(*) from (select 1 from namespaces where kind = 'group' limit ${MOST_COUNTED}) as counted)::int as groups,
             (select count(*) from (select 1 from projects limit ${MOST_COUNTED}) as counted)::int as projects`.execute(db),
    statfs(dataDir),
  ])
  const { size = 0, version = '' } = about.rows[0] ?? {}
  return {
    database: size,
    postgres: version,
    disk: { free: disk.bavail * disk.bsize, total: disk.blocks * disk.bsize },
    memory: process.memoryUsage.rss(),
    uptime: process.uptime(),
    counts: counts.rows[0] ?? { users: 0, groups: 0, projects: 0 },
  }
}
