/** Whatever decides which jobs a runner may have is announced when it changes: what the queue asks for is held against the triggers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openScene } from '../../../test/scene.ts'
import { recordStatements } from '../../platform/db/statements/statements.ts'
import { announcedJobs, nextJobs } from './assignment/queue.ts'

const scene = await openScene()
const { db } = scene.deps.database

/** Tables that the queue looks at, under their own names. */
const tables = ['jobs', 'projects', 'namespaces', 'runners', 'users'] as const
type Table = (typeof tables)[number]

/**
 * What is written when a row is made and never again, or only together with what is announced (`user_id` of a job that is played), and what
 * only says how a job is handed out.
 */
const unchanging: Readonly<Record<Table, readonly string[]>> = {
  jobs: ['id', 'pipeline_id', 'project_id', 'kind', 'tags', 'protected', 'environment', 'options', 'user_id'],
  projects: ['id'],
  namespaces: ['id'],
  runners: ['id'],
  users: ['id'],
}

/** The columns of a table that the queue asks for. */
async function askedFor(table: Table): Promise<string[]> {
  const { statements } = await recordStatements(async () => {
    await nextJobs(db, 0)
    await announcedJobs(db, [{ digest: '', jobId: 0 }])
  })
  const named = new Set(statements.flatMap(text => [...text.matchAll(new RegExp(`\\b${table}\\.(\\w+)`, 'g'))].map(([, column]) => column)))
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns where table_schema = 'public' and table_name = ${table}`.execute(db)
  return rows.flatMap(({ name }) => (named.has(name) ? [name] : [])).sort()
}

/** What a change of which is announced to runners, by table. */
async function announced() {
  const { rows } = await sql<{ name: string; columns: string[]; inserts: boolean; deletes: boolean }>`
    select tables.relname as name, t.tgtype & 4 > 0 as inserts, t.tgtype & 8 > 0 as deletes,
           array(select attname::text from pg_attribute where attrelid = tables.oid and attnum = any(t.tgattr::int2[])) as columns
      from pg_trigger t join pg_class tables on tables.oid = t.tgrelid join pg_proc triggers on triggers.oid = t.tgfoid
     where triggers.prosrc like '%ingot_runner_queue%'`.execute(db)
  return new Map(rows.map(row => [row.name, row]))
}

for (const table of tables)
  test(`what the queue asks for of ${table} is announced when it changes, or never does`, async () => {
    const columns = await askedFor(table)
    const triggers = (await announced()).get(table)?.columns ?? []

    // Whatever is missing wants a trigger like those of migration `queue_announcements`, or runners sleep through it.
    assert.deepEqual(
      columns.filter(column => !triggers.includes(column) && !unchanging[table].includes(column)),
      [],
    )
    // Nothing is excused that is not asked for, or that is announced.
    assert.deepEqual(
      unchanging[table].filter(column => !columns.includes(column) || triggers.includes(column)),
      [],
    )
  })

test('jobs that come, and projects and groups that a runner is given or loses, are announced', async () => {
  const triggers = await announced()

  assert.equal(triggers.get('jobs')?.inserts, true)
  for (const place of ['runner_projects', 'runner_groups'])
    assert.deepEqual([triggers.get(place)?.inserts, triggers.get(place)?.deletes], [true, true], place)
})
