/** Whom the protection of an environment keeps from the jobs that deploy there. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person } from '../../../test/scene.ts'
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
