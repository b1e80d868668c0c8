import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import pino from 'pino'
import { openScene } from '../../../test/scene.ts'
import { openDatabase } from '../../platform/db/connection.ts'
import { recordStatements } from '../../platform/db/statements/statements.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { processPipeline } from './process.ts'
import { end, pipelineOf, take } from './scene.ts'

const scene = await openScene()

// All that touches jobs here does so on this one connection, which can be made to count immediately: what others have read is
// counted when they come to it, and would be taken for what processing reads.
const database = await openDatabase({ url: scene.deps.database.url, poolSize: 1, log: pino({ level: 'silent' }) })
const { db } = database
const alone: Deps = { ...scene.deps, database }

/**
 * Makes the tables as large as they are where plans matter: other pipelines with jobs of the same names. Their statistics are those of this
 * moment: gathered again in the middle of one life and not of the other, they would make the two different things.
 */
async function fillTables(): Promise<void> {
  for (const table of ['jobs', 'job_needs', 'unprocessed_jobs', 'pipelines'])
    await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(db)
  const { project } = await scene.project()
  await sql`
    with made as (
      insert into pipelines (iid, project_id, ref, sha, source, status)
      select n, ${project.id}, 'main', lpad(to_hex(n), 40, '0'), 'push', 'success' from generate_series(1, 100) n returning id),
    filled as (
      insert into jobs (project_id, pipeline_id, name, stage, stage_position, status, scheduling)
      select ${project.id}, made.id, 'j' || n, 's0', 0, 'success', 'dag' from made, generate_series(0, 199) n returning id, pipeline_id, name)
    insert into job_needs (job_id, pipeline_id, name) select id, pipeline_id, 'j' || n from filled, generate_series(1, 2) n`.execute(db)
  for (const table of ['jobs', 'job_needs', 'pipelines']) await sql`analyze ${sql.table(table)}`.execute(db)
}

/** Rows of jobs and what belongs to them that have been read so far. */
async function rowsRead(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ read: number }>`
    select coalesce(sum(coalesce(idx_tup_fetch, 0) + seq_tup_read), 0)::float8 as read from pg_stat_all_tables
     where relname in ('jobs', 'job_needs', 'unprocessed_jobs')`.execute(db)
  return rows[0]!.read
}

/** Rows that are read by processing a DAG of so many jobs from its beginning to its end, one job at a time, and statements. */
async function lifeOf(jobs: number): Promise<{ read: number; statements: number; steps: readonly number[] }> {
  const needs = (n: number) => [n - 8, n - 9, n >> 1].filter((other, at, all) => other >= 0 && other < n && all.indexOf(other) === at)
  const planned = Array.from({ length: jobs }, (_, n) => ({ name: `j${n}`, stage: 0, needs: needs(n).map(other => `j${other}`) }))
  const id = await pipelineOf(scene, planned, alone)
  const steps: number[] = []
  let statements = 0
  for (;;) {
    const query = db.selectFrom('jobs').select('id').where('pipeline_id', '=', id).where('stage_position', '=', 0)
    const job = await query.where('retried', '=', false).where('status', '=', 'pending').limit(1).executeTakeFirst()
    if (!job) break
    await take(alone, job.id)
    await end(alone, job.id, 'success')
    const before = await rowsRead()
    const recorded = await recordStatements(() => processPipeline(alone, { pipeline_id: id }))
    steps.push((await rowsRead()) - before)
    statements += recorded.statements.length
  }
  const { status } = await db.selectFrom('pipelines').select('status').where('id', '=', id).executeTakeFirstOrThrow()
  assert.equal(status, 'success')
  return { read: steps.reduce((sum, step) => sum + step, 0), statements, steps }
}

test('twice as many jobs cost about twice as much over the life of a pipeline', async () => {
  try {
    await fillTables()
    const small = await lifeOf(100)
    const large = await lifeOf(200)

    assert.ok(large.statements < small.statements * 2.3, `${small.statements} and ${large.statements} statements`)
    assert.ok(large.read < small.read * 2.6, `${small.read} and ${large.read} rows read, by step ${large.steps.join(' ')}`)
  } finally {
    await database.close()
  }
})
