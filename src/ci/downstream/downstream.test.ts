import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../test/eventually.ts'
import { openScene, type SceneProject } from '../../../test/scene.ts'
import { systemContext } from '../../platform/kernel/context.ts'
import { digestOf, newToken } from '../../platform/kernel/secrets.ts'
import { findProject } from '../../spaces/projects/scope.ts'
import { uploadTo } from '../artifacts/scene.ts'
import { zipOf } from '../artifacts/zip/scene.ts'
import { finishJob } from '../jobs/transitions/finish.ts'
import { moveJob } from '../jobs/transitions/move.ts'
import { cancelPipeline } from '../pipeline_actions/cancel.ts'
import { type PipelineRow, pipelinesStartedBy } from '../pipelines/queries.ts'
import { playground } from '../pipelines/scene.ts'
import { givenVariables } from '../run_variables/given.ts'
import { followDownstream } from './follow.ts'

const scene = await openScene()
const ci = await playground(scene)

/** The pipeline that a bridge has started, as soon as there is one. */
const startedBy = (pipeline: PipelineRow, name: string): Promise<PipelineRow> =>
  eventually(async () => (await pipelinesStartedBy(ci.db, [(await ci.find(pipeline, name)).id]))[0], `a pipeline of ${name}`)

const commit = (project: SceneProject, files: Record<string, string>) => scene.commit(project, files, { message: 'Add files' })

test('a bridge starts a child pipeline from a local file, and follows it where it depends on it (trigger: include, strategy: depend)', async () => {
  const { project } = await scene.project()
  await scene.commit(project, { 'child.yml': 'inner: {script: "true"}\n' }, { message: 'Add the child [skip ci]' })
  const parentFile = JSON.stringify({
    variables: { GREETING: 'hello $CI_COMMIT_REF_NAME' },
    child: { stage: 'build', trigger: { include: 'child.yml', strategy: 'depend' } },
    after: { script: 'true' },
  })
  const pipeline = await ci.pipelineOf(project, await commit(project, { '.gitlab-ci.yml': parentFile }))

  const child = await startedBy(pipeline, 'child')

  assert.deepEqual([child.source, child.parent_id, child.sha, child.ref], ['parent_pipeline', pipeline.id, pipeline.sha, 'main'])
  assert.deepEqual(
    (await givenVariables(ci.db, scene.deps, { pipelineId: child.id })).map(({ key, value }) => [key, value.reveal()]),
    [['GREETING', 'hello main']],
  )
  await ci.jobsAre(pipeline, { child: 'running', after: 'created' })
  await ci.run(child, 'inner')
  await ci.jobsAre(pipeline, { child: 'success', after: 'pending' })
})

test('a bridge that depends on a child fails with it, and canceling the parent cancels the child', async () => {
  const { project } = await scene.project()
  await scene.commit(project, { 'child.yml': 'inner: {script: "true"}\n' }, { message: 'Add the child [skip ci]' })
  const bridge = (name: string) => ({ [name]: { trigger: { include: 'child.yml', strategy: 'depend' } } })
  const pipeline = await ci.pipelineOf(
    project,
    await commit(project, { '.gitlab-ci.yml': JSON.stringify({ ...bridge('one'), ...bridge('two') }) }),
  )
  const [one, two] = [await startedBy(pipeline, 'one'), await startedBy(pipeline, 'two')]

  await ci.run(one, 'inner', { state: 'failed', failure_reason: 'script_failure' })
  await ci.jobsAre(pipeline, { one: 'failed', two: 'running' })
  await scene.run(scene.root, async ctx => cancelPipeline(ctx, await findProject(ctx.db, ctx.actor, String(project.id)), pipeline))

  await ci.pipelineIs(two, 'canceled')
  await ci.jobsAre(pipeline, { two: 'canceled' })
})

test('what was skipped after a bridge has its turn again once a job of its child is retried (strategy: depend; document 2: POST retry)', async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, { 'child.yml': 'inner: {script: "true"}\n' }, { message: 'Add the child [skip ci]' })
  const ciFile = JSON.stringify({
    child: { stage: 'build', trigger: { include: 'child.yml', strategy: 'depend' } },
    after: { script: 'true' },
  })
  const pipeline = await ci.pipelineOf(project, await commit(project, { '.gitlab-ci.yml': ciFile }))
  const child = await startedBy(pipeline, 'child')
  await ci.run(child, 'inner', { state: 'failed', failure_reason: 'script_failure' })
  await ci.jobsAre(pipeline, { child: 'failed', after: 'skipped' })

  const { status } = await owner.post(`${project.url}/jobs/${(await ci.find(child, 'inner')).id}/retry`)

  assert.equal(status, 201)
  await ci.jobsAre(pipeline, { child: 'running', after: 'created' })
  await ci.run(child, 'inner')
  await ci.jobsAre(pipeline, { child: 'success', after: 'pending' })
})

test('a bridge follows the status that its pipeline has now, whatever an event that waited has seen (strategy: depend)', async () => {
  const { project } = await scene.project()
  await scene.commit(project, { 'child.yml': 'inner: {script: "true"}\n' }, { message: 'Add the child [skip ci]' })
  const ciFile = JSON.stringify({ child: { trigger: { include: 'child.yml', strategy: 'depend' } } })
  const pipeline = await ci.pipelineOf(project, await commit(project, { '.gitlab-ci.yml': ciFile }))
  const child = await startedBy(pipeline, 'child')
  await ci.jobsAre(child, { inner: 'pending' })
  await ci.jobsAre(pipeline, { child: 'running' })
  const { id } = await ci.find(pipeline, 'child')
  let overtaken = Promise.resolve()

  await ci.db.transaction().execute(async tx => {
    await moveJob(systemContext(scene.deps, tx), id, 'drop', { failure_reason: 'unknown_failure' })
    overtaken = followDownstream(scene.deps, { pipeline_id: child.id, status: 'pending' })
    await eventually(
      async () =>
        (await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(tx)).rows[0],
      'the event to wait for the bridge',
    )
    // By hand, so that no other event mends what this one does.
    await ci.db.updateTable('pipelines').set({ status: 'failed' }).where('id', '=', child.id).execute()
  })
  await overtaken

  assert.equal((await ci.find(pipeline, 'child')).status, 'failed')
})

test('a bridge starts a pipeline of another project, as far as its user may run one there (trigger: project)', async () => {
  const owner = await scene.user()
  const down = await ci.project('inner: {script: "true"}\n', { owner })
  const hidden = await ci.project('inner: {script: "true"}\n')
  const closed = await ci.project('inner: {script: "true"}\n', { visibility: 'public' })
  const bridge = (path: string, more: object = {}) => ({ variables: { KEY: 'value' }, trigger: { project: path, ...more } })
  const ciFile = JSON.stringify({
    good: bridge(down.project.full_path),
    absent: bridge(hidden.project.full_path),
    forbidden: bridge(closed.project.full_path),
    branchless: bridge(down.project.full_path, { branch: 'nowhere' }),
  })
  const { pipeline } = await ci.project(ciFile, { owner })

  const started = await startedBy(pipeline, 'good')

  assert.deepEqual([started.project_id, started.source, started.parent_id, started.user_id], [down.project.id, 'pipeline', null, owner.id])
  await ci.jobsAre(pipeline, { good: 'success', absent: 'failed', forbidden: 'failed', branchless: 'failed' })
  const reasons = Object.fromEntries((await ci.jobsIn(pipeline)).map(({ name, failure_reason }) => [name, failure_reason]))
  assert.deepEqual(reasons, {
    good: null,
    absent: 'downstream_bridge_project_not_found',
    forbidden: 'insufficient_bridge_permissions',
    branchless: 'downstream_pipeline_creation_failed',
  })
})

test('children of children of children are refused, and so is a CI file of a child that is wrong', async () => {
  const { project } = await scene.project()
  const again = 'again: {trigger: {include: child.yml}}\n'
  await scene.commit(project, { 'child.yml': again, 'wrong.yml': 'x: 1\n' }, { message: 'Add the child [skip ci]' })
  const ciFile = `${again}wrong: {trigger: {include: wrong.yml}}\n`
  const pipeline = await ci.pipelineOf(project, await commit(project, { '.gitlab-ci.yml': ciFile }))

  const grandchild = await startedBy(await startedBy(pipeline, 'again'), 'again')
  await ci.jobsAre(grandchild, { again: 'failed' })
  await ci.jobsAre(pipeline, { wrong: 'failed' })

  assert.equal((await ci.find(grandchild, 'again')).failure_reason, 'reached_max_descendant_pipelines_depth')
  assert.equal((await ci.find(pipeline, 'wrong')).failure_reason, 'downstream_pipeline_creation_failed')
})

test('a bridge takes over the status of the latest pipeline of another project (needs: pipeline)', async () => {
  const owner = await scene.user()
  const observed = await ci.project('inner: {script: "true"}\n', { owner })
  const bridge = (path: string) => ({ needs: { pipeline: path } })
  const ciFile = JSON.stringify({ look: bridge(observed.project.full_path), lost: bridge('nobody/nothing') })
  const { pipeline } = await ci.project(ciFile, { owner })
  await ci.jobsAre(pipeline, { look: 'running', lost: 'failed' })

  await ci.run(observed.pipeline, 'inner')

  await ci.jobsAre(pipeline, { look: 'success' })
})

test('a bridge starts a child pipeline from a CI file that a job has made (trigger: include: artifact)', async () => {
  const ciFile = JSON.stringify({
    generate: { stage: 'build', script: 'true', artifacts: { paths: ['made.yml'] } },
    child: { trigger: { include: [{ artifact: 'made.yml', job: 'generate' }] } },
    absent: { trigger: { include: [{ artifact: 'other.yml', job: 'generate' }] } },
  })
  const { pipeline } = await ci.project(ciFile)
  const { id } = await ci.find(pipeline, 'generate')
  const token = newToken()
  await scene.run(undefined, ctx => moveJob(ctx, id, 'run', { token_digest: digestOf(token) }))
  const uploaded = await uploadTo(scene, { id, token: token.reveal() }, await zipOf({ 'made.yml': 'inner: {script: "true"}\n' }), {})
  assert.equal(uploaded.status, 201)

  await scene.run(undefined, ctx => finishJob(ctx, id, { state: 'success' }))

  const child = await startedBy(pipeline, 'child')
  await ci.jobsAre(child, { inner: 'pending' })
  await ci.jobsAre(pipeline, { child: 'success', absent: 'failed' })
})

test('a manual bridge waits to be played, and starts its pipeline for the user who plays it (document 2: POST play; when: manual)', async () => {
  const owner = await scene.user()
  const down = await ci.project('inner: {script: "true"}\n', { owner })
  const { project, pipeline } = await ci.project(
    JSON.stringify({ start: { when: 'manual', trigger: { project: down.project.full_path, strategy: 'depend' } } }),
    { owner },
  )
  await ci.jobsAre(pipeline, { start: 'manual' })
  const { id } = await ci.find(pipeline, 'start')

  const played = await owner.post(`${project.url}/jobs/${id}/play`)

  assert.deepEqual(
    [played.status, played.body.id, played.body.status, played.body.downstream_pipeline, 'artifacts' in played.body],
    [201, id, 'pending', null, false],
  )
  const started = await startedBy(pipeline, 'start')
  assert.deepEqual([started.project_id, started.user_id], [down.project.id, owner.id])
  await ci.run(started, 'inner')
  await ci.jobsAre(pipeline, { start: 'success' })
  assert.deepEqual(await owner.post(`${project.url}/jobs/${id}/play`), {
    status: 403,
    body: { message: '403 Forbidden - Unplayable Job: it is success' },
  })
  assert.equal((await owner.get(`${project.url}/jobs/${id}`)).status, 404, 'a bridge is no job to the other endpoints')
})
