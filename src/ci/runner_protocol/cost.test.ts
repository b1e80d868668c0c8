/** What it costs to hand out a job and to end it: statements, each of which is a way to the database and back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { openScene } from '../../../test/scene.ts'
import { recordStatements } from '../../platform/db/statements/statements.ts'
import { playground } from '../pipelines/scene.ts'
import { longPollsOf } from './assignment/long_polls.ts'
import { info, registered } from './scene.ts'

const scene = await openScene()
const play = await playground(scene)
// A slow run must not reach the time when a runner's contact is written again.
scene.setTime(new Date().toISOString())

/** What every transaction needs besides its work: beginning, ending without waiting for the disk, and the waiting that all share. */
const isFrame = (statement: string): boolean =>
  /^(begin|commit|set local synchronous_commit|select pg_logical_emit_message)/.test(statement)

async function costOf(method: 'PUT' | 'POST', path: string, payload: object) {
  const { result, statements } = await recordStatements(async () => scene.app.inject({ method, url: `/api/v4${path}`, payload }))
  return { status: result.statusCode, body: result.body, statements: statements.filter(statement => !isFrame(statement)) }
}

/** Takes the next job and ends it. */
async function takeAndEnd(token: string) {
  const taken = await costOf('POST', '/jobs/request', { token, info })
  assert.equal(taken.status, 201)
  const job = JSON.parse(taken.body)
  const ended = await costOf('PUT', `/jobs/${job.id}`, { token: job.token, info, state: 'success' })
  assert.equal(ended.status, 200)
  return { taken: taken.statements, ended: ended.statements }
}

test('a job is handed out in ten statements and ended in one, however many there are', async () => {
  const file = Array.from({ length: 20 }, (_, n) => `job-${n}:\n  script: [do it]\n`).join('')
  const { project, pipeline } = await play.project(file)
  await play.pipelineIs(pipeline, 'pending')
  const runner = await registered(scene, { project })
  // The first one has the pipeline processed; with the second the server knows the runner, as soon as it hears of changes of it.
  await takeAndEnd(runner.token)
  await play.pipelineIs(pipeline, 'running')
  while (!longPollsOf(scene.deps).isHeard) await delay(10)
  await takeAndEnd(runner.token)

  const { taken, ended } = await takeAndEnd(runner.token)

  assert.ok(taken.length <= 10, taken.join('\n'))
  // Its move with all that follows from it.
  assert.ok(ended.length <= 1, ended.join('\n'))
})

test('a job after others costs two statements more: whose artifacts it is given, and what they left', async () => {
  const { project, pipeline } = await play.project(
    'stages: [one, two]\na:\n  stage: one\n  script: [x]\nb:\n  stage: two\n  script: [x]\nc:\n  stage: two\n  script: [x]\n',
  )
  const runner = await registered(scene, { project })
  await play.pipelineIs(pipeline, 'pending')
  await takeAndEnd(runner.token)
  await play.jobsAre(pipeline, { b: 'pending', c: 'pending' })
  await takeAndEnd(runner.token)
  await play.pipelineIs(pipeline, 'running')

  const { taken } = await takeAndEnd(runner.token)

  assert.ok(taken.length <= 12, taken.join('\n'))
})
