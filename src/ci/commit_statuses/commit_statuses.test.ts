import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { jobOf, pipelineOf, projectWithPipeline } from '../scene.ts'

const scene = await openScene()

async function world() {
  const { project, maintainer, reporter } = await scene.project({ members: ['maintainer', 'reporter'] })
  const sha = await scene.commit(project, { a: '1' })
  return {
    project,
    maintainer,
    reporter,
    sha,
    url: `${project.url}/statuses/${sha}`,
    list: `${project.url}/repository/commits/${sha}/statuses`,
  }
}

test('a reported status makes a pipeline, whose status follows (commits API)', async () => {
  const { project, maintainer, reporter, sha, url, list } = await world()

  const { status, body } = await maintainer.post(url, {
    state: 'running',
    context: 'deploy/preview',
    target_url: 'https://ci.example.com/1',
    description: 'On its way',
    coverage: 87.5,
  })

  assert.equal(status, 201)
  const { id, created_at, started_at, pipeline_id, author, ...rest } = body
  assert.deepEqual(rest, {
    sha,
    ref: 'main',
    status: 'running',
    name: 'deploy/preview',
    target_url: 'https://ci.example.com/1',
    description: 'On its way',
    finished_at: null,
    allow_failure: false,
    coverage: 87.5,
  })
  assert.equal(author.id, maintainer.id)
  assert.equal(started_at >= created_at, true)
  assert.deepEqual((await reporter.get(list)).body, [body])
  const pipeline = (await maintainer.get(`${project.url}/pipelines/${pipeline_id}`)).body
  assert.deepEqual([pipeline.status, pipeline.source, pipeline.ref], ['running', 'external', 'main'])

  await maintainer.post(url, { state: 'success', context: 'deploy/preview' })

  const [done] = (await maintainer.get(list)).body
  assert.deepEqual([done.id, done.status, done.description], [id, 'success', 'On its way'])
  assert.equal((await maintainer.get(`${project.url}/pipelines/${pipeline_id}`)).body.status, 'success')
})

test('a status that has ended is replaced by the next one of its name, and shown with `all`', async () => {
  const { maintainer, url, list } = await world()
  for (const state of ['failed', 'pending', 'success']) await maintainer.post(url, { state, name: 'build' })
  await maintainer.post(url, { state: 'success' })

  const seen = async (query = {}) =>
    (await maintainer.get(list, query)).body.map((status: { name: string; status: string }) => [status.name, status.status])

  assert.deepEqual(await seen(), [
    ['build', 'success'],
    ['default', 'success'],
  ])
  assert.deepEqual(await seen({ all: true, name: 'build' }), [
    ['build', 'failed'],
    ['build', 'success'],
  ])
  assert.deepEqual(await seen({ ref: 'other' }), [])
  assert.deepEqual(await seen({ stage: 'external', name: 'default' }), [['default', 'success']])
})

test('a move that is impossible is refused (commits API)', async () => {
  const { maintainer, url } = await world()
  await maintainer.post(url, { state: 'running' })
  const words = (word: string) => `Cannot transition status via :${word} from :running (Reason(s): Status cannot transition via "${word}")`
  assert.deepEqual(await maintainer.post(url, { state: 'running' }), { status: 400, body: { message: words('run') } })
  assert.deepEqual(await maintainer.post(url, { state: 'pending' }), { status: 400, body: { message: words('enqueue') } })
})

test('a report belongs to the newest pipeline of the commit, or to the one that is named', async () => {
  const { project, maintainer, sha, pipeline } = await projectWithPipeline(scene, { status: 'running' })
  await jobOf(scene, pipeline, { name: 'test', status: 'running' })
  const url = `${project.url}/statuses/${sha}`

  const reported = (await maintainer.post(url, { state: 'failed', name: 'lint' })).body
  const elsewhere = (await maintainer.post(url, { state: 'success', name: 'lint', ref: 'refs/heads/other' })).body
  const named = (await maintainer.post(url, { state: 'success', name: 'style', pipeline_id: pipeline.id })).body

  assert.deepEqual([reported.pipeline_id, named.pipeline_id], [pipeline.id, pipeline.id])
  assert.deepEqual([elsewhere.pipeline_id === pipeline.id, elsewhere.ref], [false, 'other'])
  const [job] = (await maintainer.get(`${project.url}/repository/commits/${sha}/statuses`, { name: 'test' })).body
  assert.equal(job.target_url, `${scene.url}/${project.full_path}/-/jobs/${job.id}`)
})

test('concurrent reports of one name are applied one after the other', async () => {
  const { maintainer, url, list } = await world()
  await maintainer.post(url, { state: 'pending', name: 'a' })
  const answers = await Promise.all(['success', 'failed', 'success'].map(state => maintainer.post(url, { state, name: 'a' })))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201],
  )
  assert.equal((await maintainer.get(list, { name: 'a' })).body.length, 1)
})

test('of a protected branch only those report who may push or merge there: 403 for others (commits API at 14.0)', async () => {
  const { project, owner, developer, maintainer } = await scene.project({ members: ['developer', 'maintainer'] })
  const sha = await scene.commit(project, { a: '1' })
  await owner.post(`${project.url}/protected_branches`, { name: 'release/*', push_access_level: 40, merge_access_level: 40 })
  const url = `${project.url}/statuses/${sha}`

  const refused = await developer.post(url, { state: 'success', ref: 'release/1' })
  const taken = await maintainer.post(url, { state: 'running', ref: 'release/1' })
  const changed = await developer.post(url, { state: 'success', ref: 'release/1' })
  const elsewhere = await developer.post(url, { state: 'success', ref: 'topic' })

  assert.deepEqual([refused.status, taken.status, changed.status, elsewhere.status], [403, 201, 403, 201])
  const pipelines = await scene.deps.database.db
    .selectFrom('pipelines')
    .select(['ref', 'protected'])
    .where('project_id', '=', project.id)
    .orderBy('id')
    .execute()
  assert.deepEqual(pipelines, [
    { ref: 'release/1', protected: true },
    { ref: 'topic', protected: false },
  ])
})

test('who may not read the jobs of a project sees what others have reported alone', async () => {
  const { project, owner, reporter } = await scene.project({ visibility: 'public', members: ['reporter'] })
  const sha = await scene.commit(project, { a: '1' })
  const pipeline = await pipelineOf(scene, project, { sha })
  await jobOf(scene, pipeline, { name: 'secret' })
  await owner.post(`${project.url}/statuses/${sha}`, { state: 'success', name: 'reported' })
  const stranger = await scene.user()
  const namesFor = async (person: { get: typeof owner.get }) => {
    const { body } = await person.get(`${project.url}/repository/commits/${sha}/statuses`)
    return body.map(({ name }: { name: string }) => name)
  }
  const shown = async () => [await namesFor(reporter), await namesFor(stranger), await namesFor(scene.anonymous)]
  const [all, reported] = [['secret', 'reported'], ['reported']]

  assert.deepEqual(await shown(), [all, all, all])
  await owner.put(project.url, { public_jobs: false })
  assert.deepEqual(await shown(), [all, reported, reported])
  await owner.put(project.url, { public_jobs: true, builds_access_level: 'private' })
  assert.deepEqual(await shown(), [all, reported, reported])
})
