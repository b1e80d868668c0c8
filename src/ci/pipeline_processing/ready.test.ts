import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { openScene } from '../../../test/scene.ts'
import { recordStatements } from '../../platform/db/statements/statements.ts'
import { systemContext } from '../../platform/kernel/context.ts'
import { moveJobs } from '../jobs/transitions/move.ts'
import { processPipeline } from './process.ts'
import { end, type Planned, pipelineOf, take } from './scene.ts'
import { scheduleOf, type WaitingJob } from './scheduling.ts'

const scene = await openScene()
const { deps } = scene
const { db } = deps.database

const jobsOf = (id: number) =>
  db.selectFrom('jobs').selectAll().where('pipeline_id', '=', id).where('retried', '=', false).orderBy('id').execute()

const statusOf = async (id: number) =>
  (await db.selectFrom('pipelines').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status

/** What the whole pipeline says is still to be done, and its status. */
async function asAWhole(id: number) {
  const jobs = await jobsOf(id)
  const needs = await db.selectFrom('job_needs').select(['job_id', 'name']).where('pipeline_id', '=', id).execute()
  const needsOf = new Map([...Map.groupBy(needs, need => need.job_id)].map(([job, all]) => [job, all.map(({ name }) => name)]))
  return scheduleOf(jobs as unknown as WaitingJob[], needsOf)
}

/** The same sequence for the same seed. */
function dice(seed: number) {
  let state = seed
  return (sides: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * sides)
  }
}

test('processing what has moved leaves nothing to do that processing of the whole would do', async () => {
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
    const id = await pipelineOf(scene, planned)
    for (;;) {
      const ready = (await jobsOf(id)).filter(({ status }) => status === 'pending')
      if (ready.length === 0) break
      const ends = ready.slice(0, 1 + roll(3))
      for (const job of ends) {
        await take(deps, job.id)
        await end(deps, job.id, roll(4) === 0 ? 'failed' : 'success')
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
  const id = await pipelineOf(scene, chain)
  const [first] = await jobsOf(id)
  await take(deps, first!.id)
  await end(deps, first!.id, 'failed')

  const { statements } = await recordStatements(() => processPipeline(deps, { pipeline_id: id }))

  assert.deepEqual(
    (await jobsOf(id)).map(({ status }) => status),
    ['failed', ...Array(59).fill('skipped')],
  )
  assert.equal(await statusOf(id), 'failed')
  assert.ok(statements.length < 40, `${statements.length} statements`)
})

test('a pipeline goes on running where a job is taken at the moment in which it would be pending again', async () => {
  const id = await pipelineOf(scene, [
    { name: 'a', stage: 0, allowed: true },
    { name: 'b', stage: 0 },
  ])
  const [a, b] = await jobsOf(id)
  await take(deps, a!.id)
  await processPipeline(deps, { pipeline_id: id })
  await end(deps, a!.id, 'failed')
  const processed = await db.transaction().execute(async tx => {
    await moveJobs(systemContext(deps, tx), [b!.id], 'run')
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
