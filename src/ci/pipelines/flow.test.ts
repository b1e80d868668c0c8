import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { findProject } from '../../projects/scope.ts'
import { playground } from '../playground.ts'
import { createPipeline } from './create.ts'

const scene = await openScene()
const ci = await playground(scene)

const job = (name: string, more: object = {}) => ({ [name]: { script: ['true'], ...more } })
const file = (...parts: object[]) => JSON.stringify(Object.assign({}, ...parts))

test('a push with a CI file makes a pipeline whose jobs have their turn by stages, up to success (issue "Pipelines, jobs and runners")', async () => {
  const { pipeline, owner } = await ci.project(
    file(job('compile', { stage: 'build' }), job('unit'), job('lint'), job('ship', { stage: 'deploy' })),
  )
  assert.deepEqual(
    {
      source: pipeline.source,
      ref: pipeline.ref,
      iid: pipeline.iid,
      stages: pipeline.stages,
      user: pipeline.user_id,
      isProtected: pipeline.protected,
    },
    { source: 'push', ref: 'main', iid: 1, stages: ['build', 'test', 'deploy'], user: owner.id, isProtected: true },
  )
  await ci.jobsAre(pipeline, { compile: 'pending', unit: 'created', lint: 'created', ship: 'created' })

  await ci.run(pipeline, 'compile')
  await ci.run(pipeline, 'unit')
  await ci.jobsAre(pipeline, { lint: 'pending', ship: 'created' })
  await ci.run(pipeline, 'lint')
  await ci.run(pipeline, 'ship')

  const done = await ci.pipelineIs(pipeline, 'success')
  assert.ok(done.started_at && done.finished_at && done.duration !== null && done.queued_duration !== null)
  assert.equal(done.locked, true)
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
