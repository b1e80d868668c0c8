/** An upgrade that is rehearsed beside a database in use, and the command. */
import assert from 'node:assert/strict'
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { atEnd } from '../../../test/at_end.ts'
import { testFolder } from '../../../test/folder.ts'
import { openScene } from '../../../test/scene.ts'
import { migrationState } from '../../platform/db/migrating/migrate.ts'
import { newDirectory, runIngot, startIngot } from '../cli/scene.ts'
import { findingsOf } from './command.ts'
import { rehearse } from './rehearsal.ts'

const scene = await openScene()
const { database, log } = scene.deps
const ours = join(import.meta.dirname, '../../platform/db/migrations')
const folder = await testFolder()

/** The migrations of a next version: ours, and another one. */
async function nextVersion(name: string, text: string): Promise<string> {
  const migrations = join(folder, name)
  await mkdir(migrations)
  for (const file of await readdir(ours)) await copyFile(join(ours, file), join(migrations, file))
  await writeFile(join(migrations, `9999_${name}.sql`), text)
  return migrations
}

test('the migrations of a next version run on a copy of the rows, and the database stays as it was', async () => {
  await scene.user()
  const { db } = database
  const users = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  // It fails unless it finds all rows.
  const migrations = await nextVersion(
    'more',
    `alter table users add column lamp text;
     do $$ begin if (select count(*) from users) <> ${users.count} then raise exception 'rows are missing'; end if; end $$;`,
  )
  const { applied, pending } = await migrationState({ url: database.url, log, folder: migrations })
  assert.deepEqual(pending, ['9999_more'])
  const copied: number[] = []

  const { ran, took } = await rehearse({ database, applied, folder, log, migrations, onProgress: done => copied.push(done) })

  assert.deepEqual(ran, ['9999_more'])
  assert.ok(took > 0 && copied.length > 100)
  const { rows } = await sql`select from information_schema.columns where table_name = 'users' and column_name = 'lamp'`.execute(db)
  assert.equal(rows.length, 0)
  assert.deepEqual(
    (await readdir(folder)).filter(name => name.startsWith('rehearsal-')),
    [],
  )
})

test('an upgrade that would fail is said to, with the reason and what to do, and one without a backup is warned of', async () => {
  await scene.user()
  const deps = { ...scene.deps, config: { ...scene.deps.config, dataDir: folder } }
  const failing = await nextVersion('failing', 'alter table users add constraint nobody check (id < 0)')
  const newer = await migrationState({ url: database.url, log })

  const findings = await findingsOf(deps, failing)

  assert.deepEqual(
    findings.map(({ check, outcome }) => [check, outcome]),
    [
      ['Database', 'ok'],
      ['Backup', 'warning'],
      ['Room', 'ok'],
      ['Rehearsal', 'wrong'],
    ],
  )
  assert.equal(findings[0]?.says, 'to be run: 9999_failing')
  assert.match(findings[3]?.says ?? '', /is violated by some row/)
  assert.deepEqual(await migrationState({ url: database.url, log }), newer)
  assert.deepEqual(
    (await readdir(folder)).filter(name => name.startsWith('rehearsal-')),
    [],
  )

  const older = join(folder, 'older')
  await mkdir(older)
  for (const file of (await readdir(ours)).slice(0, -1)) await copyFile(join(ours, file), join(older, file))
  assert.deepEqual(
    (await findingsOf(deps, older)).map(({ check, outcome }) => [check, outcome]),
    [['Database', 'wrong']],
  )
})

test('a database that was changed by hand is not rehearsed', async () => {
  await sql`alter table users add column by_hand text`.execute(database.db)
  const { applied } = await migrationState({ url: database.url, log })
  try {
    await assert.rejects(
      rehearse({ database, applied, folder, log }),
      /the table users has other columns than the migrations of the database make/,
    )
  } finally {
    await sql`alter table users drop column by_hand`.execute(database.db)
  }
})

test('the command says what there is to do, beside a server that runs, and upgrades one that does not', async () => {
  const cwd = await newDirectory()
  atEnd(() => rm(cwd, { recursive: true, force: true }))
  const run = (...args: string[]) => runIngot(['upgrade', ...args, '--data-dir', 'data'], { cwd })
  const none = await run('--check')
  assert.deepEqual([none.code, /there is no instance in/.test(none.stderr)], [2, true], none.stderr)
  const server = await startIngot(['--data-dir', 'data', '--ssh-port', 'off', '--log-level', 'fatal'], { cwd })
  atEnd(async () => void (await server.end('SIGTERM')))

  const checked = await run('--check')
  const inJson = await run('--check', '--json')
  const refused = await run()

  assert.deepEqual([checked.code, checked.stderr], [0, ''])
  assert.match(checked.stdout, /^ok +Database +has the form of this version \(\d+ migrations\)\nThe upgrade can be made; /)
  const { findings } = JSON.parse(inJson.stdout)
  assert.deepEqual([findings.length, findings[0].check, findings[0].outcome], [1, 'Database', 'ok'])
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /^ingot: .+\n$/)
  await server.end('SIGTERM')
  const upgraded = await run()
  assert.deepEqual([upgraded.code, upgraded.stdout], [0, 'The database had the form of this version already\n'], upgraded.stderr)
})
