import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { jobOf, projectWithPipeline } from '../scene.ts'

const scene = await openScene()

async function world() {
  const { project, developer, reporter } = await scene.project({ members: ['developer', 'reporter'] })
  const sha = await scene.commit(project, { a: '1' })
  return {
    project,
    developer,
    reporter,
    sha,
    url: `${project.url}/statuses/${sha}`,
    list: `${project.url}/repository/commits/${sha}/statuses`,
  }
}

test('a reported status makes a pipeline, whose status follows (commits API)', async () => {
  const { project, developer, reporter, sha, url, list } = await world()

  const { status, body } = await developer.post(url, {
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
  assert.equal(author.id, developer.id)
  assert.equal(started_at >= created_at, true)
  assert.deepEqual((await reporter.get(list)).body, [body])
  const pipeline = (await developer.get(`${project.url}/pipelines/${pipeline_id}`)).body
  assert.deepEqual([pipeline.status, pipeline.source, pipeline.ref], ['running', 'external', 'main'])

  await developer.post(url, { state: 'success', context: 'deploy/preview' })

  const [done] = (await developer.get(list)).body
  assert.deepEqual([done.id, done.status, done.description], [id, 'success', 'On its way'])
  assert.equal((await developer.get(`${project.url}/pipelines/${pipeline_id}`)).body.status, 'success')
})

test('a status that has ended is replaced by the next one of its name, and shown with `all`', async () => {
  const { developer, url, list } = await world()
  for (const state of ['failed', 'pending', 'success']) await developer.post(url, { state, name: 'build' })
  await developer.post(url, { state: 'success' })

  const seen = async (query = {}) =>
    (await developer.get(list, query)).body.map((status: { name: string; status: string }) => [status.name, status.status])

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
  const { developer, url } = await world()
  await developer.post(url, { state: 'running' })
  const words = (word: string) => `Cannot transition status via :${word} from :running (Reason(s): Status cannot transition via "${word}")`
  assert.deepEqual(await developer.post(url, { state: 'running' }), { status: 400, body: { message: words('run') } })
  assert.deepEqual(await developer.post(url, { state: 'pending' }), { status: 400, body: { message: words('enqueue') } })
})

test('a report belongs to the newest pipeline of the commit, or to the one that is named', async () => {
  const { project, developer, sha, pipeline } = await projectWithPipeline(scene, { status: 'running' })
  await jobOf(scene, pipeline, { name: 'test', status: 'running' })
  const url = `${project.url}/statuses/${sha}`

  const reported = (await developer.post(url, { state: 'failed', name: 'lint' })).body
  const elsewhere = (await developer.post(url, { state: 'success', name: 'lint', ref: 'refs/heads/other' })).body
  const named = (await developer.post(url, { state: 'success', name: 'style', pipeline_id: pipeline.id })).body

  assert.deepEqual([reported.pipeline_id, named.pipeline_id], [pipeline.id, pipeline.id])
  assert.deepEqual([elsewhere.pipeline_id === pipeline.id, elsewhere.ref], [false, 'other'])
  const [job] = (await developer.get(`${project.url}/repository/commits/${sha}/statuses`, { name: 'test' })).body
  assert.equal(job.target_url, `${scene.url}/${project.full_path}/-/jobs/${job.id}`)
})

test('reports of one name at once are taken one after the other', async () => {
  const { developer, url, list } = await world()
  await developer.post(url, { state: 'pending', name: 'a' })
  const answers = await Promise.all(['success', 'failed', 'success'].map(state => developer.post(url, { state, name: 'a' })))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201],
  )
  assert.equal((await developer.get(list, { name: 'a' })).body.length, 1)
})
