import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import pino from 'pino'
import { emptyDatabaseUrl, testDatabaseUrl } from '../../../../test/database.ts'
import { assertGenerated, assertGolden } from '../../../../test/golden.ts'
import { openDatabase } from '../connection.ts'
import { dumpSchema } from './dump.ts'
import { generateTypes } from './generate.ts'
import { migrate } from './migrate.ts'

const log = pino({ level: 'silent' })

/** A folder with these files as the migrations. */
async function folderOf(t: TestContext, files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ingot-test-migrations-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  return folder
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

test('migrations run once, in order, with any number of statements each', async t => {
  const url = await emptyDatabaseUrl()
  const folder = await folderOf(t, {
    '0001_one.sql': 'create table one (id int); insert into one values (1);',
    '0002_two.sql': 'create table two as select * from one',
  })
  assert.deepEqual(await migrate({ url, log, folder }), ['0001_one', '0002_two'])
  assert.deepEqual(await migrate({ url, log, folder }), [])
  assert.deepEqual(await query(url, 'select * from two'), [{ id: 1 }])
})

test('when a migration fails none of those that were missing is applied', async t => {
  const url = await emptyDatabaseUrl()
  const folder = await folderOf(t, {
    '0001_one.sql': 'create table one (id int)',
    '0002_two.sql': 'create table two (id int); select 1 / 0',
  })
  await assert.rejects(migrate({ url, log, folder }), { message: 'Migration 0002_two failed' })
  assert.deepEqual(await query(url, "select to_regclass('one') as one"), [{ one: null }])
})

test('a database migrated by a newer Ingot is refused', async t => {
  const url = await emptyDatabaseUrl()
  const files = { '0001_one.sql': 'create table one (id int)' }
  await migrate({ url, log, folder: await folderOf(t, { ...files, '0002_later.sql': 'create table later (id int)' }) })
  await assert.rejects(migrate({ url, log, folder: await folderOf(t, files) }), {
    name: 'DatabaseUnfit',
    message: /newer Ingot \(0002_later\)/,
  })
})

test('a number that is taken is refused', async t => {
  const folder = await folderOf(t, { '0001_one.sql': 'select 1', '0001_other.sql': 'select 1' })
  await assert.rejects(migrate({ url: await emptyDatabaseUrl(), log, folder }), /that of 0001_other\.sql is taken/)
})

test('a newly added migration runs although its number is lower than applied ones', async t => {
  const url = await emptyDatabaseUrl()
  const files = { '0003_three.sql': 'create table three (id int)' }
  await migrate({ url, log, folder: await folderOf(t, files) })
  const ran = await migrate({ url, log, folder: await folderOf(t, { ...files, '0002_two.sql': 'create table two (id int)' }) })
  assert.deepEqual(ran, ['0002_two'])
})

test('of three processes that start concurrently one migrates and all succeed', async t => {
  const url = await emptyDatabaseUrl()
  const folder = await folderOf(t, { '0001_one.sql': 'create table one (id int); select pg_sleep(0.2); insert into one values (1);' })
  const source = `
    import pino from ${JSON.stringify(import.meta.resolve('pino'))}
    import { migrate } from ${JSON.stringify(import.meta.resolve('./migrate.ts'))}
    console.log(JSON.stringify(await migrate({ url: ${JSON.stringify(url)}, folder: ${JSON.stringify(folder)}, log: pino({ level: 'silent' }) })))`
  const outcomes = await Promise.all(
    [1, 2, 3].map(async () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
      const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
      return { code, ran: JSON.parse(printed) }
    }),
  )
  assert.deepEqual(
    outcomes.sort((a, b) => b.ran.length - a.ran.length),
    [
      { code: 0, ran: ['0001_one'] },
      { code: 0, ran: [] },
      { code: 0, ran: [] },
    ],
  )
  assert.deepEqual(await query(url, 'select * from one'), [{ id: 1 }])
})

test('schema.ts and schema.sql are what the migrations give: run `npm run generate` when they are not', async () => {
  const database = await openDatabase({ url: await testDatabaseUrl(), poolSize: 1, log })
  const db = database.db.withoutPlugins() as never
  const [types, schema] = [await generateTypes(db), await dumpSchema(db)]
  await database.close()
  await assertGenerated('src/platform/db/schema.ts', () => types)
  await assertGolden('schema.sql', schema)
})

test('every foreign key begins an index, so that removing what it points at reads no whole table', async () => {
  const unindexed = await query(
    await testDatabaseUrl(),
    `select c.conrelid::regclass::text || ': ' || pg_get_constraintdef(c.oid) as key
       from pg_constraint c
      where c.contype = 'f' and c.connamespace = 'public'::regnamespace
        and not exists (select from pg_index i
                         where i.indrelid = c.conrelid and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) ~ 'IS NOT NULL')
                           and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey)
      order by 1`,
  )
  assert.deepEqual(unindexed, [], 'add `create index` to the migration that made the key')
})
