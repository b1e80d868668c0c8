/** Issue "Pipelines, jobs and runners": a CI file becomes a plan. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobOf, planOf, resultOf } from './scene.ts'

test('jobs stand in the order of their stages, then of the file; stages without jobs are left out', async () => {
  const plan = await planOf(`
stages: [prepare, build, never, check]
last: {stage: .post, script: x}
lint: {stage: check, script: x}
compile: {stage: build, script: x}
unit: {stage: check, script: x}
first: {stage: .pre, script: x}
`)

  assert.deepEqual(plan.stages, ['.pre', 'build', 'check', '.post'])
  assert.deepEqual(
    plan.jobs.map(({ name, stage_position }) => `${stage_position} ${name}`),
    ['0 first', '1 compile', '2 lint', '2 unit', '3 last'],
  )
})

test('a job that says nothing is of stage test, runs on success, and waits for the stages before', async () => {
  const job = await jobOf('rspec: {script: rake}', 'rspec')

  assert.deepEqual(job, {
    name: 'rspec',
    kind: 'build',
    stage: 'test',
    stage_position: 0,
    when: 'on_success',
    allow_failure: false,
    needs: undefined,
    tags: [],
    interruptible: false,
    resource_group: undefined,
    timeout: undefined,
    variables: [],
    options: { script: ['rake'] },
  })
})

test('jobs before and after everything make no pipeline by themselves', async () => {
  const result = await resultOf('a: {stage: .pre, script: x}\nb: {stage: .post, script: x}')

  assert.deepEqual(result, { kind: 'nothing', reason: 'no_jobs', warnings: [] })
})

test('a thousand jobs that need one another are planned', async () => {
  const jobs = Array.from({ length: 1_000 }, (_, at) => `job-${at}:\n  script: make\n  needs: [${at === 0 ? '' : `job-${at - 1}`}]\n`)

  const plan = await planOf(jobs.join(''))

  assert.deepEqual(plan.jobs.at(-1)?.needs, [{ name: 'job-998', artifacts: true, optional: false }])
})
