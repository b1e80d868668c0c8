/** Concurrent ends of jobs: in one batch, and each by itself (runner protocol c.4). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openScene } from '../../../test/scene.ts'
import { jobIn, pipelineIn, registered, runOf } from './scene.ts'

const scene = await openScene()

/** So many jobs of a pipeline, each of which runs. */
async function running(count: number) {
  const { project } = await scene.project()
  const runner = await registered(scene, { project })
  const pipelineId = await pipelineIn(scene, project)
  for (let n = 0; n < count; n++) await jobIn(scene, project, { name: `job ${n}`, pipelineId })
  const taken = await Promise.all(Array.from({ length: count }, () => runner.ask()))
  return taken.map(({ body }) => runOf(scene.anonymous, body))
}

const rowOf = (id: number) =>
  scene.deps.database.db
    .selectFrom('jobs')
    .select(['status', 'exit_code', 'token_digest', sql<boolean>`finished_at is not null`.as('is_over')])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

const statusOf = async (id: number) => (await rowOf(id)).status

test('of concurrent ends each is answered as if it were alone (c.4)', async () => {
  const [good, coded, strange, other, failed] = await running(5)
  await good!.trace('Done.\n', 0)

  const answers = await Promise.all([
    good!.finish('success', 'Done.\n'),
    coded!.update({ state: 'success', exit_code: 3 }),
    strange!.update({ token: 'another', state: 'success' }),
    other!.finish('success', 'Another log.\n'),
    failed!.update({ state: 'failed', failure_reason: 'script_failure' }),
  ])

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 403, 412, 200],
  )
  assert.deepEqual(await rowOf(good!.id), { status: 'success', exit_code: 0, token_digest: null, is_over: true })
  assert.equal((await rowOf(coded!.id)).exit_code, 3)
  assert.deepEqual(await Promise.all([strange!, other!, failed!].map(({ id }) => statusOf(id))), ['running', 'running', 'failed'])
})

test('a job whose end is reported twice concurrently has ended once: 200, and 403 with its status (c.4)', async () => {
  const [run] = await running(1)

  const answers = await Promise.all([run!.update({ state: 'success' }), run!.update({ state: 'success' })])

  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 403])
  assert.equal(answers.find(({ status }) => status === 403)!.headers['job-status'], 'success')
})

test('a request that waits for a locked job does not delay the end of others', async () => {
  const runs = await running(6)
  const [held, ...others] = runs
  const { db } = scene.deps.database
  const holding = await db.startTransaction().execute()
  await holding.selectFrom('jobs').select('id').where('id', '=', held!.id).forUpdate().execute()

  const late = held!.update({ state: 'success' })
  const answers = await Promise.all(others.map(run => run.update({ state: 'success' })))

  assert.deepEqual(
    answers.map(({ status }) => status),
    others.map(() => 200),
  )
  assert.equal(await statusOf(held!.id), 'running')
  await holding.commit().execute()
  assert.equal((await late).status, 200)
  assert.equal(await statusOf(held!.id), 'success')
})
