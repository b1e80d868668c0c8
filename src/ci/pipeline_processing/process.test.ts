/** Concurrent processing of pipelines, and its cost. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { recordStatements } from '../../platform/db/statements/statements.ts'
import { findProject } from '../../spaces/projects/scope.ts'
import { finishJob } from '../jobs/transitions/finish.ts'
import { moveJob } from '../jobs/transitions/move.ts'
import { createPipeline } from '../pipeline_creation/create.ts'
import { playground } from '../pipelines/scene.ts'
import { processPipeline } from './process.ts'

const scene = await openScene()
const ci = await playground(scene)

const job = (name: string, more: object = {}) => ({ [name]: { script: ['true'], ...more } })
const file = (...parts: object[]) => JSON.stringify(Object.assign({}, ...parts))

test('concurrent ends of jobs and concurrent processing leave the pipeline consistent: every job is started exactly once', async () => {
  const names = Array.from({ length: 12 }, (_, at) => `j${at}`)
  const { pipeline } = await ci.project(file(...names.map(name => job(name, { stage: 'build' })), job('last')))
  const ids = (await ci.jobsIn(pipeline)).filter(({ name }) => name !== 'last').map(({ id }) => id)
  for (const id of ids) await scene.run(undefined, ctx => moveJob(ctx, id, 'run'))

  await Promise.all([
    ...ids.map(id => scene.run(undefined, ctx => finishJob(ctx, id, { state: 'success' }))),
    ...ids.map(id => scene.run(undefined, ctx => finishJob(ctx, id, { state: 'failed' }))),
    ...Array.from({ length: 4 }, () => processPipeline(scene.deps, { pipeline_id: pipeline.id })),
  ])

  const ended = (await ci.jobsIn(pipeline)).filter(({ name }) => name !== 'last')
  const failed = ended.some(({ status }) => status === 'failed')
  await ci.jobsAre(pipeline, { last: failed ? 'skipped' : 'pending' })
  assert.ok(ended.every(({ status }) => status === 'success' || status === 'failed'))
  const events = await ci.db
    .selectFrom('events')
    .select('payload')
    .where('kind', '=', 'job.updated')
    .where('project_id', '=', pipeline.project_id)
    .execute()
  const ends = events.filter(({ payload }) => ['success', 'failed'].includes((payload as { status: string }).status))
  assert.equal(ends.length, names.length)
})

test('a DAG of a thousand jobs is made by as many statements as one of ten, and processed by few', async () => {
  const costOf = async (count: number) => {
    const half = count / 2
    const jobs = Array.from({ length: count }, (_, at) =>
      job(`j${at}`, { stage: at < half ? 'build' : 'test', needs: at < half ? [] : [`j${at - half}`] }),
    )
    const { project, owner, pipeline: first } = await ci.project(file(...jobs))
    const subject = await scene.run(owner, async ctx => findProject(ctx.db, ctx.actor, String(project.id)))
    const { result: pipeline, statements: making } = await recordStatements(() =>
      scene.run(owner, ctx => createPipeline(ctx, subject, { source: 'api', ref: 'refs/heads/main', sha: first.sha })),
    )
    const { statements: processing } = await recordStatements(() => processPipeline(scene.deps, { pipeline_id: pipeline.id }))
    assert.equal((await ci.jobsIn(pipeline)).filter(({ status }) => status === 'pending').length, half)
    return { making: making.length, processing: processing.length }
  }
  const few = await costOf(10)
  const many = await costOf(1_000)
  assert.equal(many.making, few.making)
  // Fewer where the worker was there before.
  assert.ok(many.processing < 10, `${many.processing} statements`)
})
