import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { openScene } from '../../../test/scene.ts'
import { systemContext } from '../../platform/kernel/context.ts'
import { moveJob, moveJobs } from '../jobs/transitions/move.ts'
import { pipelineIn } from '../runner_protocol/scene.ts'
import { processJobs } from './process.ts'
import { type PipelineWorker, processNotedPipelines, startPipelineWorker } from './worker.ts'

const scene = await openScene()
const { deps } = scene
const { db, pool } = deps.database

/** A pipeline with a job in each of two stages, the first of which runs. */
async function running(): Promise<{ id: number; first: number }> {
  const { project } = await scene.project()
  const id = await pipelineIn(scene, project)
  const rows = ['first', 'second'].map((name, stage_position) => ({
    project_id: project.id,
    pipeline_id: id,
    name,
    stage: name,
    stage_position,
  }))
  const [first] = await db.insertInto('jobs').values(rows).returning('id').execute()
  await db.transaction().execute(tx => processJobs(systemContext(deps, tx), id))
  await db.transaction().execute(tx => moveJobs(systemContext(deps, tx), [first!.id], 'run'))
  return { id, first: first!.id }
}

const end = (job: number) => db.transaction().execute(tx => moveJob(systemContext(deps, tx), job, 'succeed'))

const statusOfSecond = async (pipeline: number) =>
  (await db.selectFrom('jobs').select('status').where('pipeline_id', '=', pipeline).where('name', '=', 'second').executeTakeFirstOrThrow())
    .status

const secondIsPending = (pipeline: number) =>
  eventually(async () => (await statusOfSecond(pipeline)) === 'pending', 'the second job to have its turn')

const notesOf = (pipeline: number) => db.selectFrom('unprocessed_jobs').select('job_id').where('pipeline_id', '=', pipeline).execute()

/** Attends while the work is done. */
async function attending<T>(work: () => Promise<T>): Promise<T> {
  const attendance: PipelineWorker = startPipelineWorker(deps, 2)
  try {
    return await work()
  } finally {
    await attendance.stop()
  }
}

test('the end of a job starts the next jobs when it is announced, and leaves no note', async () => {
  const { id, first } = await running()

  await attending(async () => {
    await end(first)
    await secondIsPending(id)
  })

  assert.deepEqual(await notesOf(id), [])
})

test('a job that ended while no worker ran is found when a worker starts', async () => {
  const { id, first } = await running()
  await end(first)
  assert.equal(await statusOfSecond(id), 'created')

  await attending(() => secondIsPending(id))
})

test('attending goes on after its connection broke', async () => {
  const { id, first } = await running()

  await attending(async () => {
    const { rows } = await eventually(async () => {
      const found = await pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen ingot_noted_pipelines' and datname = current_database()`,
      )
      return found.rows.length > 0 && found
    }, 'a worker to subscribe')
    assert.equal(rows.length, 1)
    await end(first)
    await secondIsPending(id)
  })
})

test('the clock processes pipelines whose announcements were missed', async () => {
  const { id, first } = await running()
  await end(first)

  await processNotedPipelines(deps)

  const { rows } = await pool.query('select from graphile_worker.jobs where key = $1', [`process_pipeline:${id}`])
  assert.equal(rows.length, 1)
})
