/** Pipelines whose branch is protected, or opened, after they were made. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'

const scene = await openScene()

const ciFile = JSON.stringify({ build: { script: 'true' }, deploy: { script: 'true', when: 'manual', allow_failure: true } })

/** A project with its CI file, and addresses of a new pipeline's jobs by name. */
async function world() {
  const made = await scene.project({ members: ['developer', 'maintainer'] })
  await scene.commit(made.project, { '.gitlab-ci.yml': ciFile }, { message: 'Begin [skip ci]' })
  const run = async (who: typeof made.developer, ref: string) => {
    const { status, body } = await who.post(`${made.project.url}/pipeline`, { ref })
    assert.equal(status, 201, JSON.stringify(body))
    const { body: jobs } = await made.owner.get(`${made.project.url}/pipelines/${body.id}/jobs`)
    const jobUrl = (name: string) => `${made.project.url}/jobs/${jobs.find((job: { name: string }) => job.name === name).id}`
    return { pipelineUrl: `${made.project.url}/pipelines/${body.id}`, jobUrl }
  }
  return { ...made, run }
}

test('a pipeline that was protected when it was made is not opened with its branch: its jobs get secrets', async () => {
  const { project, developer, maintainer, run } = await world()
  const { pipelineUrl, jobUrl } = await run(maintainer, 'main')
  await maintainer.delete(`${project.url}/protected_branches/main`)
  const variables = { job_variables_attributes: [{ key: 'OWN', value: 'x' }] }

  const statuses = [
    (await developer.post(`${jobUrl('deploy')}/play`, variables)).status,
    (await developer.post(`${jobUrl('build')}/cancel`)).status,
    (await developer.post(`${pipelineUrl}/cancel`)).status,
    (await developer.post(`${pipelineUrl}/retry`)).status,
  ]

  assert.deepEqual(statuses, [403, 403, 403, 403])
  assert.equal((await maintainer.post(`${jobUrl('deploy')}/play`, variables)).status, 201)
  // A pipeline that is made now is open, and has no secrets.
  const later = await run(developer, 'main')
  assert.equal((await developer.post(`${later.jobUrl('deploy')}/play`, variables)).status, 201)
})

test('a pipeline of a branch that is protected since is run by those who may run one now', async () => {
  const { project, developer, maintainer, run } = await world()
  await developer.post(`${project.url}/repository/branches`, { branch: 'release', ref: 'main' })
  const { pipelineUrl, jobUrl } = await run(developer, 'release')
  await maintainer.post(`${project.url}/protected_branches`, { name: 'release', push_access_level: 40, merge_access_level: 40 })

  const refused = [await developer.post(`${jobUrl('deploy')}/play`), await developer.post(`${pipelineUrl}/cancel`)]

  assert.deepEqual(
    refused.map(({ status }) => status),
    [403, 403],
  )
  assert.equal((await maintainer.post(`${pipelineUrl}/cancel`)).status, 201)
})
