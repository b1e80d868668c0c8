/** What tests of backups have in common: empty places to restore into, and what is in a place that was restored. */
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { emptyDatabaseUrl } from '../../../test/database.ts'
import { testFolder } from '../../../test/folder.ts'
import { type Config, parseConfig } from '../../platform/config.ts'
import { type Db, openDatabase } from '../../platform/db/connection.ts'
import { copiedTables } from '../../platform/db/migrating/copy_rows.ts'
import { git } from '../../platform/git/scene.ts'
import { openLog } from '../../platform/log.ts'
import type { WrittenContents } from './archive/writer.ts'

/** What an archive shows that shows nothing. */
export const nothing: WrittenContents = {
  self: { id: 'none', created_at: '2026-01-01T00:00:00Z' },
  keys: [],
  links: [],
  tables: new Map(),
  repositories: new Map(),
  objects: new Map(),
}

let folder: Promise<string> | undefined
let targets = 0

/** Settings of an instance that does not exist yet, with an empty database. */
export async function target(more: Record<string, string> = {}): Promise<Config> {
  folder ??= testFolder()
  return parseConfig(
    {},
    {},
    {
      dataDir: join(await folder, `restored-${++targets}`),
      databaseUrl: await emptyDatabaseUrl(),
      port: '0',
      sshPort: 'off',
      workers: '0',
      ...more,
    },
  )
}

/** A digest of all rows of each table, without the locks of the queue: a worker that ended in the midst of a job leaves them; a restore frees them. */
export async function rowsOf(db: Db): Promise<Record<string, string>> {
  const digests: Record<string, string> = {}
  for (const { schema, name } of await copiedTables(db)) {
    const row = schema === 'graphile_worker' ? sql`(to_jsonb(t) - 'locked_at' - 'locked_by' - 'is_available')::text` : sql`t::text`
    const { rows } = await sql<{ digest: string }>`
      select count(*) || ' ' || coalesce(md5(string_agg(${row}, chr(10) order by ${row})), '') as digest
        from ${sql.table(`${schema}.${name}`)} t`.execute(db)
    digests[`${schema}.${name}`] = rows[0]!.digest
  }
  return digests
}

/** All references of all repositories below a data directory, by their paths. */
export async function refsBelow(root: string): Promise<Record<string, readonly string[]>> {
  const found: Record<string, string[]> = {}
  for (const path of (await readdir(root, { recursive: true })).filter(name => name.endsWith('.git')).sort())
    found[path] = git(join(root, path), ['for-each-ref', '--format=%(objectname) %(refname)']).split('\n')
  return found
}

/** Asserts that nothing is left of a restore that was refused. */
export async function assertUntouched(config: Config): Promise<void> {
  assert.deepEqual(await readdir(config.dataDir).catch(() => []), [])
  const database = await openDatabase({ url: config.databaseUrl!.reveal(), poolSize: 1, log: openLog('silent') })
  try {
    const { rows } = await sql<{ exists: boolean }>`select to_regclass('users') is not null as exists`.execute(database.db)
    if (rows[0]!.exists) assert.deepEqual(await database.db.selectFrom('users').select('id').execute(), [])
  } finally {
    await database.close()
  }
}
