import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import pino from 'pino'
import { openScene } from '../../../../test/scene.ts'
import { openDatabase } from '../../../db/connection.ts'
import { recordStatements } from '../../../db/statements.ts'
import { type Deps, outsideRequest } from '../../../kernel/context.ts'
import { finishJob } from '../../jobs/moving/finish.ts'
import { moveJobs } from '../../jobs/moving/move.ts'
import { pipelineIn } from '../../runner_protocol/scene.ts'
import { processJobs, processPipeline } from './process.ts'
import { turnsOf, type Waiting } from './turns.ts'

const scene = await openScene()
const { deps } = scene
const { db } = deps.database

/** A job of a pipeline that is made for a test: by need where it names some, or none. */
interface Planned {
  readonly name: string
  readonly stage: number
  readonly when?: Waiting['when']
  readonly allowed?: boolean
  readonly needs?: readonly string[]
}

/** A pipeline of these jobs that has been processed once. */
async function pipelineOf(jobs: readonly Planned[]): Promise<number> {
  const { project } = await scene.project()
  const id = await pipelineIn(scene, project)
  const rows = jobs.map(({ name, stage, when = 'on_success', allowed = false, needs }) => ({
    name,
    stage: `s${stage}`,
    stage_position: stage,
    when,
    allow_failure: allowed,
    scheduling: needs ? ('dag' as const) : ('stage' as const),
    project_id: project.id,
    pipeline_id: id,
  }))
  const made = await db.insertInto('jobs').values(rows).returning(['id', 'name']).execute()
  const needs = jobs.flatMap(({ name, needs = [] }) =>
    needs.map(need => ({ job_id: made.find(job => job.name === name)!.id, pipeline_id: id, name: need })),
  )
  if (needs.length > 0) await db.insertInto('job_needs').values(needs).execute()
  await db.transaction().execute(tx => processJobs(outsideRequest(deps, tx), id))
  return id
}

const jobsOf = (id: number) =>
  db.selectFrom('jobs').selectAll().where('pipeline_id', '=', id).where('retried', '=', false).orderBy('id').execute()

const statusOf = async (id: number) =>
  (await db.selectFrom('pipelines').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status

/** What the whole pipeline says is still to be done, and its status. */
async function asAWhole(id: number) {
  const jobs = await jobsOf(id)
  const needs = await db.selectFrom('job_needs').select(['job_id', 'name']).where('pipeline_id', '=', id).execute()
  const needsOf = new Map([...Map.groupBy(needs, need => need.job_id)].map(([job, all]) => [job, all.map(({ name }) => name)]))
  return turnsOf(jobs as unknown as Waiting[], needsOf)
}

const take = (id: number) => db.transaction().execute(tx => moveJobs(outsideRequest(deps, tx), [id], 'run'))
const end = (id: number, state: 'success' | 'failed') =>
  db.transaction().execute(tx => finishJob(outsideRequest(deps, tx), id, { state, failure_reason: 'script_failure' }))

/** The same sequence for the same seed. */
function dice(seed: number) {
  let state = seed
  return (sides: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * sides)
  }
}

test('processing what has moved leaves nothing to do that processing of the whole would do (issue 6: event-driven, idempotent)', async () => {
  for (let seed = 1; seed <= 8; seed++) {
    const roll = dice(seed)
    const planned = Array.from({ length: 24 }, (_, n): Planned => {
      const needs = [n - 1 - roll(4), n - 1 - roll(9)].filter((other, at, all) => other >= 0 && all.indexOf(other) === at)
      return {
        name: `j${n}`,
        stage: Math.floor(n / 6),
        when: (['on_success', 'on_success', 'on_success', 'always', 'on_failure', 'manual'] as const)[roll(6)]!,
        allowed: roll(3) === 0,
        ...(roll(2) === 0 && { needs: needs.map(other => `j${other}`) }),
      }
    })
    const id = await pipelineOf(planned)
    for (;;) {
      const ready = (await jobsOf(id)).filter(({ status }) => status === 'pending')
      if (ready.length === 0) break
      const ends = ready.slice(0, 1 + roll(3))
      for (const job of ends) {
        await take(job.id)
        await end(job.id, roll(4) === 0 ? 'failed' : 'success')
      }
      await processPipeline(deps, { pipeline_id: id })

      const whole = await asAWhole(id)
      assert.deepEqual([...whole.moves], [], `seed ${seed}`)
      assert.equal(await statusOf(id), whole.status, `seed ${seed}`)
    }
    const left = await db.selectFrom('unprocessed_jobs').selectAll().where('pipeline_id', '=', id).execute()
    assert.deepEqual(left, [])
  }
})

test('a long chain of jobs that are skipped is settled in a few rounds', async () => {
  const chain = Array.from({ length: 60 }, (_, n): Planned => ({ name: `j${n}`, stage: 0, needs: n === 0 ? [] : [`j${n - 1}`] }))
  const id = await pipelineOf(chain)
  const [first] = await jobsOf(id)
  await take(first!.id)
  await end(first!.id, 'failed')

  const { statements } = await recordStatements(() => processPipeline(deps, { pipeline_id: id }))

  assert.deepEqual(
    (await jobsOf(id)).map(({ status }) => status),
    ['failed', ...Array(59).fill('skipped')],
  )
  assert.equal(await statusOf(id), 'failed')
  assert.ok(statements.length < 40, `${statements.length} statements`)
})

test('a pipeline goes on running where a job is taken at the moment in which it would be pending again', async () => {
  const id = await pipelineOf([
    { name: 'a', stage: 0, allowed: true },
    { name: 'b', stage: 0 },
  ])
  const [a, b] = await jobsOf(id)
  await take(a!.id)
  await processPipeline(deps, { pipeline_id: id })
  await end(a!.id, 'failed')
  const processed = await db.transaction().execute(async tx => {
    await moveJobs(outsideRequest(deps, tx), [b!.id], 'run')
    const processing = processPipeline(deps, { pipeline_id: id })
    await isWaiting()
    return { processing }
  })
  await processed.processing

  assert.equal(await statusOf(id), 'running')
})

/** Resolves when some statement waits for a lock. */
async function isWaiting(): Promise<void> {
  for (;;) {
    const { rows } = await sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(db)
    if (rows.length > 0) return
    await delay(5)
  }
}

/** Makes the tables as large as they are where plans matter: other pipelines with jobs of the same names. */
async function fillTables(): Promise<void> {
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

/** Rows that are read by processing a DAG of so many jobs from its beginning to its end, one job at a time, and statements. */
async function lifeOf(jobs: number): Promise<{ read: number; statements: number }> {
  // On one connection of its own, which can be told to count at once.
  const database = await openDatabase({ url: deps.database.url, poolSize: 1, log: pino({ level: 'silent' }) })
  const alone: Deps = { ...deps, database }
  const needs = (n: number) => [n - 8, n - 9, n >> 1].filter((other, at, all) => other >= 0 && other < n && all.indexOf(other) === at)
  const id = await pipelineOf(
    Array.from({ length: jobs }, (_, n) => ({ name: `j${n}`, stage: 0, needs: needs(n).map(other => `j${other}`) })),
  )
  const counted = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(database.db)
    await sql`select 1`.execute(database.db)
    const { rows } = await sql<{ read: number }>`
      select coalesce(sum(coalesce(idx_tup_fetch, 0) + seq_tup_read), 0)::float8 as read from pg_stat_all_tables
       where relname in ('jobs', 'job_needs', 'unprocessed_jobs')`.execute(database.db)
    return rows[0]!.read
  }
  try {
    let read = 0
    let statements = 0
    for (;;) {
      const query = db
        .selectFrom('jobs')
        .select('id')
        .where('pipeline_id', '=', id)
        .where('stage_position', '=', 0)
        .where('retried', '=', false)
      const job = await query.where('status', '=', 'pending').limit(1).executeTakeFirst()
      if (!job) break
      await take(job.id)
      await end(job.id, 'success')
      const before = await counted()
      const recorded = await recordStatements(() => processPipeline(alone, { pipeline_id: id }))
      read += (await counted()) - before
      statements += recorded.statements.length
    }
    assert.equal(await statusOf(id), 'success')
    return { read, statements }
  } finally {
    await database.close()
  }
}

test('twice as many jobs cost about twice as much over the life of a pipeline (issue 6 "Speed and cost")', async () => {
  await fillTables()
  const small = await lifeOf(100)
  const large = await lifeOf(200)

  assert.ok(large.statements < small.statements * 2.3, `${small.statements} and ${large.statements} statements`)
  assert.ok(large.read < small.read * 2.6, `${small.read} and ${large.read} rows read`)
})
