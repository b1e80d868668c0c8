import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { openScene } from '../../../test/scene.ts'
import { findProject } from '../../spaces/projects/scope.ts'
import { cancelJob } from '../jobs/actions/cancel.ts'
import { playJob } from '../jobs/actions/play.ts'
import { retryJob } from '../jobs/actions/retry.ts'
import { jobById } from '../jobs/queries.ts'
import { moveJob } from '../jobs/transitions/move.ts'
import { failStuckJobs } from '../jobs/transitions/watch.ts'
import { cancelPipeline } from '../pipeline_actions/cancel.ts'
import { removePipeline } from '../pipeline_actions/remove.ts'
import { retryPipeline } from '../pipeline_actions/retry.ts'
import { createPipeline } from '../pipeline_creation/create.ts'
import { given, givenVariables } from '../run_variables/given.ts'
import { eraseJob } from '../traces/erase.ts'
import { type PipelineRow, pipelineById } from './queries.ts'
import { playground } from './scene.ts'

const scene = await openScene()
const ci = await playground(scene)

const job = (name: string, more: object = {}) => ({ [name]: { script: ['true'], ...more } })
const file = (...parts: object[]) => JSON.stringify(Object.assign({}, ...parts))

type Run = Awaited<ReturnType<typeof ci.project>>
/** A command on a job, as the owner of its project. */
async function act<T>(
  { project, owner, pipeline }: Run,
  name: string,
  command: (...given: Parameters<typeof retryJob>) => Promise<T>,
): Promise<T> {
  const found = await ci.find(pipeline, name)
  return scene.run(owner, async ctx => command(ctx, await findProject(ctx.db, ctx.actor, String(project.id)), found))
}

/** The same on the pipeline. */
const actOn = <T>({ project, owner, pipeline }: Run, command: (...given: Parameters<typeof retryPipeline>) => Promise<T>): Promise<T> =>
  scene.run(owner, async ctx => {
    const row = (await pipelineById(ctx.db, pipeline.id)) as PipelineRow
    return command(ctx, await findProject(ctx.db, ctx.actor, String(project.id)), row)
  })

test('a push with a CI file makes a pipeline whose jobs have their turn by stages, up to success', async () => {
  const { pipeline, owner } = await ci.project(
    file(job('compile', { stage: 'build' }), job('unit'), job('lint'), job('ship', { stage: 'deploy' })),
  )
  const { source, ref, iid, stages, user_id, protected: isProtected } = pipeline
  assert.deepEqual(
    { source, ref, iid, stages, user_id, isProtected },
    { source: 'push', ref: 'main', iid: 1, stages: ['build', 'test', 'deploy'], user_id: owner.id, isProtected: true },
  )
  await ci.jobsAre(pipeline, { compile: 'pending', unit: 'created', lint: 'created', ship: 'created' })

  await ci.run(pipeline, 'compile')
  await ci.run(pipeline, 'unit')
  await ci.jobsAre(pipeline, { lint: 'pending', ship: 'created' })
  await ci.run(pipeline, 'lint')
  await ci.run(pipeline, 'ship')

  const done = await ci.pipelineIs(pipeline, 'success')
  assert.ok(done.started_at && done.finished_at && done.duration !== null && done.queued_duration !== null)
  await eventually(async () => (await pipelineById(ci.db, pipeline.id))?.locked, 'its artifacts to be kept')
})

test('a wrong CI file makes a failed pipeline that says what is wrong; by the API it is a 400 with the reasons under "base"', async () => {
  const { project, owner, pipeline } = await ci.project('build: {script: "true", needs: [nothing]}\n')
  assert.equal(pipeline.status, 'failed')
  assert.match(pipeline.yaml_errors ?? '', /nothing/)

  const made = scene.run(owner, async ctx =>
    createPipeline(ctx, await findProject(ctx.db, ctx.actor, String(project.id)), {
      source: 'api',
      ref: 'refs/heads/main',
      sha: pipeline.sha,
    }),
  )

  await assert.rejects(made, { kind: 'bad_request', body: { message: { base: [pipeline.yaml_errors] } } })
})

test('[skip ci] leaves a skipped pipeline without jobs, and a branch that is deleted none', async () => {
  const { project, owner } = await ci.project(file(job('build')))
  const actions = [{ action: 'create', file_path: 'a.txt', content: 'a' }]
  const { body } = await owner.post(`${project.url}/repository/commits`, { branch: 'main', commit_message: 'Add a [skip ci]', actions })

  const pipeline = await ci.pipelineOf(project, body.id)

  assert.deepEqual([pipeline.status, await ci.jobsIn(pipeline)], ['skipped', []])
})

test('a user who may not push to a protected branch may not run its pipelines (400 under "base")', async () => {
  const { project, pipeline } = await ci.project(file(job('build')))
  const developer = await scene.user()
  await scene.root.post(`${project.url}/members`, { user_id: developer.id, access_level: 30 })

  const made = scene.run(developer, async ctx =>
    createPipeline(ctx, await findProject(ctx.db, ctx.actor, String(project.id)), {
      source: 'api',
      ref: 'refs/heads/main',
      sha: pipeline.sha,
    }),
  )

  await assert.rejects(made, (error: { body: { message: { base: string[] } } }) =>
    /do not have sufficient permission to run a pipeline on 'main'/.test(error.body.message.base[0] ?? ''),
  )
})

test('a user who may not push to a protected branch may not cancel its jobs or its pipelines either (403; pipeline security, public documentation)', async () => {
  const { project, pipeline, owner } = await ci.project(file(job('build')))
  const developer = await scene.user()
  await scene.root.post(`${project.url}/members`, { user_id: developer.id, access_level: 30 })
  const { id } = await ci.find(pipeline, 'build')
  const cancels = [`${project.url}/jobs/${id}/cancel`, `${project.url}/pipelines/${pipeline.id}/cancel`]

  for (const url of cancels) {
    const { status, body } = await developer.post(url)
    assert.equal(status, 403, url)
    assert.match(body.message, /do not have sufficient permission to run a pipeline on 'main'/)
  }

  await ci.jobsAre(pipeline, { build: 'pending' })
  assert.equal((await owner.post(cancels[1] as string)).status, 201)
})

test('jobs of the DAG start as soon as what they need is done, whatever their stage', async () => {
  const { pipeline } = await ci.project(
    file(
      job('a', { stage: 'build' }),
      job('b', { stage: 'build' }),
      job('c', { needs: ['a'] }),
      job('d', { stage: 'deploy', needs: [] }),
      job('e', { needs: [{ job: 'b' }, { job: 'c' }] }),
    ),
  )
  await ci.jobsAre(pipeline, { a: 'pending', b: 'pending', c: 'created', d: 'pending', e: 'created' })

  await ci.run(pipeline, 'a')
  await ci.run(pipeline, 'c')
  await ci.jobsAre(pipeline, { b: 'pending', e: 'created' })
  await ci.run(pipeline, 'b', { state: 'failed', failure_reason: 'script_failure' })

  await ci.jobsAre(pipeline, { e: 'skipped' })
  await ci.run(pipeline, 'd')
  await ci.pipelineIs(pipeline, 'failed')
})

test('a manual job waits to be played, with variables of its own, and holds back what comes after (document 2: manual, POST play, pending)', async () => {
  const run = await ci.project(
    file(job('gate', { stage: 'build', when: 'manual', allow_failure: false }), job('next'), job('other', { when: 'manual' })),
  )
  await ci.pipelineIs(run.pipeline, 'manual')

  const played = await act(run, 'gate', (ctx, project, row) =>
    playJob(ctx, project, row, { variables: [given({ key: 'WHERE', value: 'here' })] }),
  )

  assert.deepEqual([played.status, played.started_at, played.finished_at, played.user_id], ['pending', null, null, run.owner.id])
  const [where, ...others] = await givenVariables(ci.db, scene.deps, { jobId: played.id })
  assert.deepEqual(
    [{ ...where, value: where?.value.reveal() }, others],
    [{ key: 'WHERE', value: 'here', variable_type: 'env_var', raw: false }, []],
  )
  await ci.run(run.pipeline, 'gate')
  await ci.run(run.pipeline, 'next')
  await ci.jobsAre(run.pipeline, { other: 'manual' })
  await ci.pipelineIs(run.pipeline, 'success')
  await assert.rejects(act(run, 'next', playJob), { kind: 'forbidden' })
})

test('a delayed job waits for its time, unless it is played before (when: delayed)', async () => {
  const run = await ci.project(file(job('later', { when: 'delayed', start_in: '1 hour' })))
  await ci.pipelineIs(run.pipeline, 'scheduled')
  const { scheduled_at, created_at } = await ci.find(run.pipeline, 'later')
  assert.equal(Math.round((Date.parse(scheduled_at as string) - Date.parse(created_at)) / 60_000), 60)

  const played = await act(run, 'later', playJob)

  assert.equal(played.status, 'pending')
})

test('a retried job is a new one with a higher id in pending, and what was skipped after the old one has its turn again (decision 24)', async () => {
  const run = await ci.project(file(job('build', { stage: 'build' }), job('unit'), job('ship', { stage: 'deploy' })))
  await ci.run(run.pipeline, 'build', { state: 'failed', failure_reason: 'script_failure', exit_code: 1 })
  await ci.jobsAre(run.pipeline, { unit: 'skipped', ship: 'skipped' })
  await ci.pipelineIs(run.pipeline, 'failed')
  const old = await ci.find(run.pipeline, 'build')

  const made = await act(run, 'build', retryJob)

  assert.deepEqual([made.status, made.id > old.id, made.name, made.failure_reason], ['pending', true, 'build', null])
  assert.equal((await jobById(ci.db, old.id))?.retried, true)
  await ci.jobsAre(run.pipeline, { unit: 'created', ship: 'created' })
  for (const name of ['build', 'unit', 'ship']) await ci.run(run.pipeline, name)
  await ci.pipelineIs(run.pipeline, 'success')
  await assert.rejects(
    scene.run(run.owner, async ctx => retryJob(ctx, await findProject(ctx.db, ctx.actor, String(run.project.id)), old)),
    { kind: 'forbidden', body: { message: '403 Forbidden - The job has been retried already' } },
  )
})

test('of two concurrent retries of a job, one creates the new job', async () => {
  const run = await ci.project(file(job('build')))
  await ci.run(run.pipeline, 'build', { state: 'failed', failure_reason: 'script_failure' })
  const old = await ci.find(run.pipeline, 'build')
  const retry = () => scene.run(run.owner, async ctx => retryJob(ctx, await findProject(ctx.db, ctx.actor, String(run.project.id)), old))

  const results = await Promise.allSettled([retry(), retry(), retry()])

  assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected', 'rejected'])
  assert.equal((await ci.jobsIn(run.pipeline)).length, 1)
})

test('`retry` runs a job again by itself, as often and for the reasons that it says', async () => {
  const { pipeline } = await ci.project(
    file(job('flaky', { retry: { max: 2, when: ['script_failure'] } }), job('once', { retry: { max: 1, when: ['api_failure'] } })),
  )
  await ci.run(pipeline, 'once', { state: 'failed', failure_reason: 'script_failure' })
  for (const _ of [1, 2, 3]) await ci.run(pipeline, 'flaky', { state: 'failed', failure_reason: 'script_failure' })

  await ci.pipelineIs(pipeline, 'failed')

  const all = await ci.db
    .selectFrom('jobs')
    .select(['name', 'retries', 'retried'])
    .where('pipeline_id', '=', pipeline.id)
    .orderBy('id')
    .execute()
  assert.deepEqual(
    all.filter(({ name }) => name === 'flaky').map(({ retries, retried }) => [retries, retried]),
    [
      [0, true],
      [1, true],
      [2, false],
    ],
  )
  assert.equal(all.filter(({ name }) => name === 'once').length, 1)
})

test('a failure is allowed where `allow_failure` names its exit code', async () => {
  const ciFile = file(job('a', { allow_failure: { exit_codes: [42] } }), job('b', { stage: 'deploy' }))
  const [allowed, other] = [await ci.project(ciFile), await ci.project(ciFile)]

  await ci.run(allowed.pipeline, 'a', { state: 'failed', failure_reason: 'script_failure', exit_code: 42 })
  await ci.run(other.pipeline, 'a', { state: 'failed', failure_reason: 'script_failure', exit_code: 1 })

  await ci.jobsAre(allowed.pipeline, { b: 'pending' })
  await ci.jobsAre(other.pipeline, { b: 'skipped' })
})

test('a job is canceled in any state but an end, and a job that has ended is refused with 403 (document 2: POST cancel; decision 24)', async () => {
  const run = await ci.project(file(job('a'), job('b', { stage: 'deploy' })))

  assert.equal((await act(run, 'a', cancelJob)).status, 'canceled')

  await ci.jobsAre(run.pipeline, { b: 'skipped' })
  await ci.pipelineIs(run.pipeline, 'canceled')
  await assert.rejects(act(run, 'a', cancelJob), {
    kind: 'forbidden',
    body: { message: '403 Forbidden - A job that is canceled cannot be canceled' },
  })
})

test('a pipeline is canceled whole and retried whole: what failed or was canceled runs again', async () => {
  const run = await ci.project(file(job('a', { stage: 'build' }), job('b', { stage: 'build' }), job('c')))
  await ci.run(run.pipeline, 'a')

  const canceled = await actOn(run, cancelPipeline)
  assert.equal(canceled.status, 'canceled')
  await ci.jobsAre(run.pipeline, { a: 'success', b: 'canceled', c: 'canceled' })
  const retried = await actOn(run, retryPipeline)

  assert.deepEqual([retried.status, retried.finished_at], ['running', null])
  await ci.jobsAre(run.pipeline, { a: 'success', b: 'pending', c: 'created' })
  await ci.run(run.pipeline, 'b')
  await ci.run(run.pipeline, 'c')
  await ci.pipelineIs(run.pipeline, 'success')
})

test('a job that is over is erased once (403 otherwise), and a pipeline is deleted with all that is in it', async () => {
  const run = await ci.project(file(job('a')))
  await assert.rejects(act(run, 'a', eraseJob), { kind: 'forbidden' })
  await ci.run(run.pipeline, 'a')

  const erased = await act(run, 'a', eraseJob)
  assert.deepEqual([erased.status, erased.erased_by_id], ['success', run.owner.id])
  await assert.rejects(act(run, 'a', eraseJob), { kind: 'forbidden' })
  await actOn(run, removePipeline)

  assert.equal(await pipelineById(ci.db, run.pipeline.id), undefined)
})

test('of the jobs of a resource group one runs at a time, across pipelines', async () => {
  const ciFile = file(job('ship', { resource_group: '$CI_COMMIT_REF_NAME-machine', script: ['true'] }))
  const run = await ci.project(ciFile)
  await ci.jobsAre(run.pipeline, { ship: 'pending' })
  const second = await scene.run(run.owner, async ctx =>
    createPipeline(ctx, await findProject(ctx.db, ctx.actor, String(run.project.id)), {
      source: 'api',
      ref: 'refs/heads/main',
      sha: run.pipeline.sha,
    }),
  )
  await ci.pipelineIs(second, 'waiting_for_resource')
  const waiting = async () =>
    (await run.owner.get(`${run.project.url}/resource_groups/main-machine/upcoming_jobs`)).body.map(
      ({ name, pipeline }: { name: string; pipeline: { id: number } }) => [name, pipeline.id],
    )
  assert.deepEqual(await waiting(), [['ship', second.id]])

  await ci.run(run.pipeline, 'ship')

  await ci.jobsAre(second, { ship: 'pending' })
  assert.deepEqual(await waiting(), [])
  assert.deepEqual((await run.owner.get(`${run.project.url}/resource_groups/main-machine`)).body.process_mode, 'unordered')
})

test('a newer commit cancels what has not started of older pipelines, and what runs only where it may be interrupted', async () => {
  const ciFile = file(job('fast', { stage: 'build', interruptible: true }), job('slow', { interruptible: false }))
  const first = await ci.project(ciFile)
  await ci.run(first.pipeline, 'fast')
  const push = async (text: string) => {
    const actions = [{ action: 'create', file_path: `${text}.txt`, content: text }]
    const { body } = await first.owner.post(`${first.project.url}/repository/commits`, { branch: 'main', commit_message: text, actions })
    return ci.pipelineOf(first.project, body.id)
  }

  const second = await push('second')
  const canceled = await ci.pipelineIs(first.pipeline, 'canceled')
  assert.equal(canceled.auto_canceled_by_id, second.id)
  await ci.run(second, 'fast')
  await ci.run(second, 'slow', { state: 'success' })
  await ci.pipelineIs(second, 'success')
})

test('jobs whose runner is lost, that run too long or that no runner takes are failed', async () => {
  const { pipeline } = await ci.project(file(job('lost'), job('long', { timeout: '10 minutes' }), job('fine'), job('waiting')))
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  for (const [name, started_at, contacted_at] of [
    ['lost', ago(70), ago(61)],
    ['long', ago(30), ago(1)],
    ['fine', ago(20), ago(1)],
  ] as const) {
    const { id } = await ci.find(pipeline, name)
    await scene.run(undefined, ctx => moveJob(ctx, id, 'run'))
    await ci.db.updateTable('jobs').set({ started_at, contacted_at }).where('id', '=', id).execute()
  }
  const waiting = await ci.find(pipeline, 'waiting')
  await ci.db
    .updateTable('jobs')
    .set({ queued_at: ago(24 * 60 + 1) })
    .where('id', '=', waiting.id)
    .execute()

  await failStuckJobs(scene.deps)

  const reasons = Object.fromEntries((await ci.jobsIn(pipeline)).map(({ name, failure_reason }) => [name, failure_reason]))
  assert.deepEqual(reasons, {
    lost: 'stuck_or_timeout_failure',
    long: 'job_execution_timeout',
    fine: null,
    waiting: 'stuck_or_timeout_failure',
  })
})
