import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openScene } from '../../../test/scene.ts'
import { uploadTo } from '../../ci/artifacts/scene.ts'
import { finishJob } from '../../ci/jobs/transitions/finish.ts'
import { registered, runOf } from '../../ci/runner_protocol/scene.ts'
import { addHookTo, openReceiver, workOf } from '../../integrations/hooks/scene.ts'
import { tasksOf } from '../../server/tasks.ts'
import { deployingOn, type Listed } from './scene.ts'

const scene = await openScene({ settings: { outboundAllow: '127.0.0.1' } })
const { projectWith, pipelineBy, take, end, process, environmentsOf, deploymentsOf, statusOf } = deployingOn(scene)

const review = `
deploy:
  script: echo up
  environment:
    name: review/$CI_COMMIT_REF_SLUG
    url: https://$CI_ENVIRONMENT_SLUG.example.com
    on_stop: stop
    auto_stop_in: 1 day
    deployment_tier: testing
stop:
  script: echo down
  when: manual
  allow_failure: true
  environment: { name: review/$CI_COMMIT_REF_SLUG, action: stop }
`

test('a job with an environment makes it, and its deployment follows the job (document 2 "Environment")', async () => {
  const { project, developer } = await projectWith(review)
  const { id, pipelineId } = await pipelineBy(developer, project)

  const [environment] = await environmentsOf(developer, project)
  assert.deepEqual(
    [environment.name, environment.state, environment.tier, environment.external_url],
    ['review/main', 'available', 'testing', null],
  )
  const statuses = async () => (await deploymentsOf(developer, project)).map(({ status }: Listed) => status)
  assert.deepEqual(await statuses(), ['created'], 'the job that stops it makes none')
  await take(id('deploy'))
  assert.deepEqual(await statuses(), ['running'])
  scene.setTime('2031-01-01T00:00:00.000Z')
  await scene.run(undefined, ctx => finishJob(ctx, id('deploy'), { state: 'success' }))
  scene.setTime(undefined)
  assert.deepEqual(await statuses(), ['success'])

  const { body } = await developer.get(`${project.url}/environments/${environment.id}`)

  assert.equal(body.external_url, `https://${environment.slug}.example.com`)
  const { deployable, user, ...deployment } = body.last_deployment
  assert.deepEqual([deployment.status, deployment.ref, user.id], ['success', 'main', developer.id])
  assert.deepEqual(
    [deployable.id, deployable.name, deployable.status, deployable.user.id],
    [id('deploy'), 'deploy', 'success', developer.id],
  )
  assert.deepEqual(Object.keys(deployable.pipeline).sort(), ['id', 'ref', 'sha', 'status', 'web_url'])
  assert.equal(deployable.pipeline.id, pipelineId)
  assert.deepEqual(Object.keys(deployable.commit).sort(), [
    'author_email',
    'author_name',
    'authored_date',
    'committed_date',
    'committer_email',
    'committer_name',
    'created_at',
    'id',
    'message',
    'parent_ids',
    'short_id',
    'title',
  ])
  const row = await scene.deps.database.db.selectFrom('environments').selectAll().where('id', '=', environment.id).executeTakeFirstOrThrow()
  assert.equal(row.auto_stop_at, '2031-01-02T00:00:00.000Z')
})

test('the address of an environment may come from the `dotenv` report of the job that deploys (`environment:url` at 14.0)', async () => {
  const { project, developer } = await projectWith('deploy: { script: a, environment: { name: dynamic, url: $WHERE } }')
  const runner = await registered(scene, { project })
  await pipelineBy(developer, project)
  const { body: job } = await runner.ask()
  const report = { artifact_type: 'dotenv', artifact_format: 'gzip', filename: '.env.gz' }
  assert.equal((await uploadTo(scene, job, gzipSync('WHERE=https://dynamic-7.example.com\n'), report)).status, 201)

  await runOf(scene.anonymous, job).finish('success', '')

  const [environment] = await environmentsOf(developer, project)
  assert.deepEqual([environment.name, environment.external_url], ['dynamic', 'https://dynamic-7.example.com'])
})

test('a deployment whose job fails or is canceled says so, and a retried job makes another one', async () => {
  const { project, developer } = await projectWith('deploy: { script: a, environment: production }')
  const { id } = await pipelineBy(developer, project)
  await end(id('deploy'), 'failed')

  const retried = await developer.post(`${project.url}/jobs/${id('deploy')}/retry`)
  await developer.post(`${project.url}/jobs/${retried.body.id}/cancel`)

  const deployments = await deploymentsOf(developer, project)
  assert.deepEqual(
    deployments.map(({ status, deployable }: { status: string; deployable: Listed }) => [status, deployable.id]),
    [
      ['failed', id('deploy')],
      ['canceled', retried.body.id],
    ],
  )
})

test('the deployment of a skipped job is skipped, and runs when the job has its turn after all (deployments API, `status`)', async () => {
  const { project, developer } = await projectWith(`
stages: [test, deploy]
check: { stage: test, script: a }
deploy: { stage: deploy, script: a, environment: production }
`)
  const { id, pipelineId } = await pipelineBy(developer, project)
  const statuses = async () => (await deploymentsOf(developer, project)).map(({ status }: Listed) => status)
  await end(id('check'), 'failed')

  await process(pipelineId)

  assert.equal(await statusOf(developer, project, id('deploy')), 'skipped')
  assert.deepEqual(await statuses(), ['skipped'])
  assert.deepEqual((await developer.get(`${project.url}/deployments`, { status: 'created' })).body, [])
  const retried = await developer.post(`${project.url}/jobs/${id('check')}/retry`)
  await end(retried.body.id)
  await process(pipelineId)
  await take(id('deploy'))
  assert.deepEqual(await statuses(), ['running'])
  await scene.run(undefined, ctx => finishJob(ctx, id('deploy'), { state: 'success' }))
  assert.deepEqual(await statuses(), ['success'])
})

test('stopping an environment starts the job for that, whose success leaves it stopped; deploying makes it available again', async () => {
  const { project, developer, pipeline } = await deployed()

  const stopped = await developer.post(`${project.url}/environments/${pipeline.environment}/stop`)

  assert.deepEqual([stopped.status, stopped.body.state], [200, 'stopped'])
  assert.equal(await statusOf(developer, project, pipeline.id('stop')), 'pending')
  await end(pipeline.id('stop'))
  const again = await pipelineBy(developer, project)
  await end(again.id('deploy'))
  const url = `${project.url}/environments/${pipeline.environment}`
  assert.equal((await developer.get(url)).body.state, 'available')
  await developer.post(`${project.url}/jobs/${again.id('stop')}/play`)
  await end(again.id('stop'))
  assert.equal((await developer.get(url)).body.state, 'stopped', 'played by hand, it stops the environment as well')
})

async function deployed() {
  const made = await projectWith(review)
  const pipeline = await pipelineBy(made.developer, made.project)
  await end(pipeline.id('deploy'))
  await process(pipeline.pipelineId)
  const [{ id: environment }] = await environmentsOf(made.developer, made.project)
  return { ...made, pipeline: { ...pipeline, environment } }
}

test('an environment whose time has run out is stopped by the clock, and its job started (`auto_stop_in`)', async () => {
  const { project, developer, pipeline } = await deployed()
  const { db } = scene.deps.database
  await db.updateTable('environments').set({ auto_stop_at: '2020-01-01T00:00:00Z' }).where('id', '=', pipeline.environment).execute()

  await tasksOf(scene.deps).stop_expired_environments({}, undefined)

  assert.equal((await developer.get(`${project.url}/environments/${pipeline.environment}`)).body.state, 'stopped')
  assert.equal(await statusOf(developer, project, pipeline.id('stop')), 'pending')
})

test('what has become of the deployment of a job is said by the job alone', async () => {
  const { project, developer } = await projectWith('deploy: { script: a, environment: production }')
  const { id } = await pipelineBy(developer, project)
  await end(id('deploy'), 'failed')
  const [{ id: deployment, status }] = await deploymentsOf(developer, project)
  assert.equal(status, 'failed')

  assert.deepEqual(await developer.put(`${project.url}/deployments/${deployment}`, { status: 'success' }), {
    status: 403,
    body: { message: '403 Forbidden - Deployments created using GitLab CI can not be updated using the API' },
  })
  assert.equal((await developer.get(`${project.url}/deployments/${deployment}`)).body.status, 'failed')
})

test('an older deployment does not overtake a newer one, unless the project lets it (`ci_forward_deployment_enabled`)', async () => {
  const { project, developer, owner } = await projectWith(`
deploy: { script: a, environment: production }
later: { script: a, environment: production, when: manual }
`)
  const older = await pipelineBy(developer, project)
  const newer = await pipelineBy(developer, project)

  await end(newer.id('deploy'))

  assert.equal(await statusOf(developer, project, older.id('deploy')), 'failed')
  const played = await developer.post(`${project.url}/jobs/${older.id('later')}/play`)
  assert.equal(played.body.status, 'failed')
  const rows = await scene.deps.database.db
    .selectFrom('jobs')
    .select('failure_reason')
    .where('id', 'in', [older.id('deploy'), older.id('later')])
    .execute()
  assert.deepEqual(
    rows.map(row => row.failure_reason),
    ['forward_deployment_failure', 'forward_deployment_failure'],
  )
  assert.equal((await developer.post(`${project.url}/jobs/${older.id('deploy')}/retry`)).body.status, 'pending', 'on purpose, it goes back')

  await owner.put(project.url, { ci_forward_deployment_enabled: false })
  const third = await pipelineBy(developer, project)
  const fourth = await pipelineBy(developer, project)
  await end(fourth.id('deploy'))
  assert.equal(await statusOf(developer, project, third.id('deploy')), 'pending')
})

test('a job whose environment has no name that can be, once its variables are in place, fails', async () => {
  const { project, developer } = await projectWith('deploy: { script: a, environment: { name: "review/$NOTHING" } }')

  const { all } = await pipelineBy(developer, project)

  assert.deepEqual(
    all.map(({ status }) => status),
    ['failed'],
  )
  assert.deepEqual(await environmentsOf(developer, project), [])
})

test('jobs that only prepare, verify or use an environment deploy nothing (`environment: action`)', async () => {
  const { project, developer } = await projectWith(
    ['prepare', 'verify', 'access']
      .map(action => `${action}: { script: a, environment: { name: production, action: ${action} } }`)
      .join('\n'),
  )
  const { id } = await pipelineBy(developer, project)
  for (const name of ['prepare', 'verify', 'access']) await end(id(name))

  assert.deepEqual(await deploymentsOf(developer, project), [])
  assert.deepEqual(
    (await environmentsOf(developer, project)).map(({ name }: Listed) => name),
    ['production'],
  )
})

test('hooks are notified of pipelines, jobs and deployments as the public documentation has it (webhook events, 14.0)', async () => {
  const { project, developer, maintainer } = await projectWith('deploy: { script: a, stage: deploy, environment: production }')
  const receiver = await openReceiver()
  await addHookTo(maintainer, project, {
    url: receiver.url,
    push_events: false,
    job_events: true,
    pipeline_events: true,
    deployment_events: true,
  })
  const work = workOf(scene)
  const { id, pipelineId } = await pipelineBy(developer, project)
  await end(id('deploy'))
  await process(pipelineId)

  await work.deliver()

  const bodies = (kind: string) => receiver.received.filter(({ body }) => body.object_kind === kind).map(({ body }) => body)
  assert.deepEqual(
    bodies('build').map(body => body.build_status),
    ['pending', 'running', 'success'],
  )
  const job = bodies('build').at(-1)
  assert.deepEqual(
    [job.build_id, job.build_name, job.build_stage, job.ref, job.user.username, job.environment.name, job.pipeline_id, job.commit.id],
    [id('deploy'), 'deploy', 'deploy', 'main', developer.username, 'production', pipelineId, pipelineId],
  )
  const pipeline = bodies('pipeline').at(-1)
  const { object_attributes: attributes } = pipeline
  assert.deepEqual(
    [attributes.id, attributes.status, attributes.detailed_status, attributes.stages, attributes.source],
    [pipelineId, 'success', 'passed', ['deploy'], 'api'],
  )
  assert.match(attributes.created_at, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
  assert.deepEqual(
    pipeline.builds.map((build: { id: number; status: string; manual: boolean }) => [build.id, build.status, build.manual]),
    [[id('deploy'), 'success', false]],
  )
  const deployment = bodies('deployment').at(-1)
  assert.deepEqual(
    [deployment.status, deployment.deployable_id, deployment.deployable_url],
    ['success', id('deploy'), `${scene.url}/${project.full_path}/-/jobs/${id('deploy')}`],
  )
})
