/** Whom the protection of an environment keeps from the jobs that deploy there. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person, type SceneProject } from '../../../test/scene.ts'
import { registered } from '../../ci/runner_protocol/scene.ts'
import { deployingOn } from './scene.ts'

const scene = await openScene()
const { projectWith, pipelineBy, jobsOf, end, process, environmentsOf, statusOf } = deployingOn(scene)

test('whom a protection keeps from deploying neither plays, retries nor cancels the job, and one of theirs fails when its turn comes', async () => {
  const { project, developer, maintainer } = await projectWith(`
by hand: { script: a, environment: production, when: manual }
by itself: { script: a, environment: production }
elsewhere: { script: a, environment: staging }
`)
  await maintainer.post(`${project.url}/protected_environments`, { name: 'production', deploy_access_levels: [{ access_level: 40 }] })

  const { id, all } = await pipelineBy(developer, project)

  assert.deepEqual(Object.fromEntries(all.map(({ name, status }) => [name, status])), {
    'by hand': 'manual',
    'by itself': 'failed',
    elsewhere: 'pending',
  })
  const reason = await scene.deps.database.db
    .selectFrom('jobs')
    .select('failure_reason')
    .where('id', '=', id('by itself'))
    .executeTakeFirst()
  assert.equal(reason?.failure_reason, 'protected_environment_failure')
  const refused = { status: 403, body: { message: '403 Forbidden - the environment is protected' } }
  assert.deepEqual(await developer.post(`${project.url}/jobs/${id('by hand')}/play`), refused)
  assert.deepEqual(await developer.post(`${project.url}/jobs/${id('by itself')}/retry`), refused)
  assert.deepEqual(await developer.post(`${project.url}/jobs/${id('by hand')}/cancel`), refused)
  assert.equal((await maintainer.post(`${project.url}/jobs/${id('by hand')}/play`)).body.status, 'pending')
  assert.deepEqual(await developer.post(`${project.url}/jobs/${id('by hand')}/cancel`), refused)
  assert.equal((await developer.post(`${project.url}/jobs/${id('elsewhere')}/cancel`)).body.status, 'canceled')
  assert.equal((await maintainer.post(`${project.url}/jobs/${id('by itself')}/retry`)).body.status, 'pending')
})

test('jobs that were skipped run for the user who has them run after all, also where their environment is protected against them', async () => {
  const { project, developer, maintainer } = await projectWith(`
stages: [test, deploy]
check: { stage: test, script: a }
deploy: { stage: deploy, script: a, environment: production }
`)
  await maintainer.post(`${project.url}/protected_environments`, { name: 'production', deploy_access_levels: [{ access_level: 40 }] })
  const again = [
    (id: number) => developer.post(`${project.url}/jobs/${id}/retry`),
    (_id: number, pipelineId: number) => developer.post(`${project.url}/pipelines/${pipelineId}/retry`),
  ]
  for (const retry of again) {
    const { id, pipelineId } = await pipelineBy(maintainer, project)
    await end(id('check'), 'failed')
    await process(pipelineId)
    assert.equal(await statusOf(developer, project, id('deploy')), 'skipped')

    assert.equal((await retry(id('check'), pipelineId)).status, 201)
    await end((await jobsOf(developer, project, pipelineId)).id('check'))
    await process(pipelineId)

    const { body: deploy } = await developer.get(`${project.url}/jobs/${id('deploy')}`)
    assert.deepEqual([deploy.status, deploy.user.id], ['failed', developer.id])
  }
})

test('the protection of an environment that was renamed or deleted holds for the jobs that name it', async () => {
  const lost = [
    (person: Person, address: string) => person.delete(address),
    (person: Person, address: string) => person.put(address, { name: 'before' }),
  ]
  for (const lose of lost) {
    const { project, developer, maintainer } = await projectWith(`
stages: [test, deploy]
by hand: { stage: test, script: a, environment: production, when: manual, allow_failure: true }
check: { stage: test, script: a }
by itself: { stage: deploy, script: a, environment: production }
`)
    const { id, pipelineId } = await pipelineBy(developer, project)
    const [environment] = await environmentsOf(developer, project)
    assert.ok((await lose(developer, `${project.url}/environments/${environment.id}`)).status < 300)
    await maintainer.post(`${project.url}/protected_environments`, { name: 'production', deploy_access_levels: [{ access_level: 40 }] })

    const refused = { status: 403, body: { message: '403 Forbidden - the environment is protected' } }
    assert.deepEqual(await developer.post(`${project.url}/jobs/${id('by hand')}/play`), refused)
    await end(id('check'))
    await process(pipelineId)
    assert.equal(await statusOf(developer, project, id('by itself')), 'failed')
    assert.equal((await maintainer.post(`${project.url}/jobs/${id('by hand')}/play`)).body.status, 'pending')
  }
})

const refused = { status: 403, body: { message: '403 Forbidden - the environment is protected' } }
const levels = { deploy_access_levels: [{ access_level: 40 }] }

/** Gives the project this CI file, and has Developers run pipelines of `main`. */
async function openTo(project: SceneProject, file: string) {
  await scene.commit(project, { '.gitlab-ci.yml': file }, { message: 'Deploy [skip ci]' })
  await scene.root.delete(`${project.url}/protected_branches/main`)
}

test('an environment is neither made nor changed to what is protected against the one who does it', async () => {
  await scene.root.post('/features/group_level_protected_environments', { value: true })
  const { group, maintainer, developer } = await scene.group({ members: ['maintainer', 'developer'] })
  const { project } = await scene.project({ group })
  await maintainer.post(`${project.url}/protected_environments`, { name: 'live', ...levels })
  await maintainer.post(`${group.url}/protected_environments`, { name: 'production', ...levels })
  const url = `${project.url}/environments`
  const one = `${url}/${(await developer.post(url, { name: 'review', tier: 'development' })).body.id}`

  for (const given of [{ name: 'live' }, { name: 'production' }, { name: 'other', tier: 'production' }])
    assert.deepEqual(await developer.post(url, given), refused)
  for (const given of [{ name: 'live' }, { tier: 'production' }, { name: 'other', tier: 'production' }])
    assert.deepEqual(await developer.put(one, given), refused)
  assert.equal((await developer.put(one, { name: 'other', tier: 'testing' })).status, 200)
  assert.equal((await maintainer.put(one, { name: 'live', tier: 'production' })).status, 200)
})

test('a job fails when a runner takes it, where its environment was protected or became a protected one while it waited', async () => {
  await scene.root.post('/features/group_level_protected_environments', { value: true })
  const { group, maintainer, developer } = await scene.group({ members: ['maintainer', 'developer'] })
  const { project } = await scene.project({ group })
  await maintainer.post(`${group.url}/protected_environments`, { name: 'production', ...levels })
  const runner = await registered(scene, { project })
  const change = [
    async () => {
      const { body } = await maintainer.get(`${project.url}/environments`, { name: 'staging' })
      return maintainer.put(`${project.url}/environments/${body[0].id}`, { name: 'before', tier: 'production' })
    },
    () => maintainer.post(`${project.url}/protected_environments`, { name: 'staging', ...levels }),
  ]
  await openTo(project, 'deploy: { script: a, environment: staging }\n')
  for (const protect of change) {
    const { body: pipeline } = await developer.post(`${project.url}/pipeline`, { ref: 'main' })
    const [waiting] = (await jobsOf(developer, project, pipeline.id)).all
    assert.equal(waiting?.status, 'pending')
    assert.ok((await protect()).status < 300)

    assert.equal((await runner.ask()).status, 204)

    const row = await scene.deps.database.db
      .selectFrom('jobs')
      .select(['status', 'failure_reason'])
      .where('id', '=', waiting.id)
      .executeTakeFirst()
    assert.deepEqual(row, { status: 'failed', failure_reason: 'protected_environment_failure' })
  }
  assert.deepEqual(
    (await developer.get(`${project.url}/deployments`)).body.map(({ status }: { status: string }) => status),
    ['failed', 'failed'],
  )
})

test('a job does not move its environment into a tier that is protected against its user', async () => {
  await scene.root.post('/features/group_level_protected_environments', { value: true })
  const { group, maintainer, developer } = await scene.group({ members: ['maintainer', 'developer'] })
  const { project } = await scene.project({ group })
  await maintainer.post(`${group.url}/protected_environments`, { name: 'production', ...levels })
  await developer.post(`${project.url}/environments`, { name: 'review', tier: 'development' })
  await openTo(project, 'deploy: { script: a, environment: { name: review, deployment_tier: production } }\n')
  const statusBy = async (person: Person) => {
    const { body } = await person.post(`${project.url}/pipeline`, { ref: 'main' })
    return (await jobsOf(person, project, body.id)).all[0]?.status
  }

  assert.deepEqual([await statusBy(developer), await statusBy(maintainer)], ['failed', 'pending'])
})
