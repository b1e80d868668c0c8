/** Pipelines whose branch is protected, or opened, after they were made. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { visibleProject } from '../../../spaces/projects/queries.ts'
import { pipelines } from '../queries.ts'
import { refusalOnPipeline, runnableAmong } from './rights.ts'

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

test('of many pipelines those are runnable that are runnable one by one, for each role', async () => {
  const { project, owner, developer, maintainer, run } = await world()
  const { db } = scene.deps.database
  const rules = JSON.stringify({ build: { script: 'true', rules: [{ if: '$CI_PIPELINE_SOURCE' }] } })
  const reporter = await scene.user()
  await owner.post(`${project.url}/members`, { user_id: reporter.id, access_level: 20 })
  await maintainer.post(`${project.url}/protected_branches`, { name: 'closed', push_access_level: 40, merge_access_level: 40 })
  for (const source_branch of ['open', 'closed', 'gone']) {
    const actions = [{ action: 'update', file_path: '.gitlab-ci.yml', content: rules }]
    const commit = { branch: source_branch, start_branch: 'main', commit_message: 'Run in merge requests [skip ci]', actions }
    assert.equal((await owner.post(`${project.url}/repository/commits`, commit)).status, 201)
    const terms = { source_branch, target_branch: 'main', title: source_branch }
    const { body } = await owner.post(`${project.url}/merge_requests`, terms)
    assert.equal((await owner.post(`${project.url}/merge_requests/${body.iid}/pipelines`)).status, 201)
    if (source_branch === 'gone') await owner.delete(`${project.url}/merge_requests/${body.iid}`)
    await run(owner, source_branch)
  }
  await maintainer.post(`${project.url}/repository/tags`, { tag_name: 'v1', ref: 'main' })
  await run(maintainer, 'v1')
  await run(maintainer, 'main')
  await maintainer.delete(`${project.url}/protected_branches/main`)
  await run(maintainer, 'main')
  const rows = await pipelines(db).where('pipelines.project_id', '=', project.id).orderBy('pipelines.id').execute()

  const counts = []
  for (const person of [reporter, developer, maintainer]) {
    const alone = await scene.run(person, async ctx => {
      const seen = await visibleProject(db, ctx.actor, String(project.id))
      assert.ok(seen)
      const open = []
      for (const row of rows) if ((await refusalOnPipeline(ctx, seen, row)) === undefined) open.push(row.id)
      assert.deepEqual([...(await runnableAmong(ctx, seen, rows))], open)
      return open
    })
    counts.push(alone.length)
  }

  const [none, some, all] = counts
  assert.deepEqual([none, all], [0, rows.length])
  assert.ok(some !== undefined && some > 0 && some < rows.length)
})
