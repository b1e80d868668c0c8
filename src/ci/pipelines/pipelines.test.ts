import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Query } from '../../../test/client.ts'
import { openScene } from '../../../test/scene.ts'
import { jobOf, pipelineOf, projectWithPipeline } from '../scene.ts'

const scene = await openScene()
const { db } = scene.deps.database

test('a pipeline shows its user, its times, its coverage and its status in words (pipelines API at 14.0)', async () => {
  const { project, reporter, developer, pipeline, sha } = await projectWithPipeline(scene, {
    before_sha: '0'.repeat(40),
    started_at: '2021-01-01T00:00:00Z',
    finished_at: '2021-01-01T00:01:00Z',
    duration: 60,
    queued_duration: 3,
  })
  await jobOf(scene, pipeline, { coverage: 50 })
  await jobOf(scene, pipeline, { coverage: 70.5, name: 'other' })
  await jobOf(scene, pipeline, { coverage: 1, retried: true })
  await jobOf(scene, pipeline, { name: 'lint', status: 'failed', allow_failure: true })

  const { status, body } = await reporter.get(`${project.url}/pipelines/${pipeline.id}`)

  const { created_at, updated_at, user, detailed_status, ...rest } = body
  assert.equal(status, 200)
  assert.deepEqual(rest, {
    id: pipeline.id,
    iid: 1,
    project_id: project.id,
    sha,
    ref: 'main',
    status: 'success',
    source: 'push',
    name: null,
    web_url: `${scene.url}/${project.full_path}/-/pipelines/${pipeline.id}`,
    before_sha: '0'.repeat(40),
    tag: false,
    yaml_errors: null,
    started_at: '2021-01-01T00:00:00.000Z',
    finished_at: '2021-01-01T00:01:00.000Z',
    committed_at: null,
    duration: 60,
    queued_duration: 3,
    coverage: '60.25',
  })
  assert.ok(created_at && updated_at)
  assert.equal(user.username, developer.username)
  assert.deepEqual(detailed_status, {
    icon: 'status_warning',
    text: 'passed',
    label: 'passed with warnings',
    group: 'success-with-warnings',
    tooltip: 'passed with warnings',
    has_details: true,
    details_path: `/${project.full_path}/-/pipelines/${pipeline.id}`,
    illustration: null,
    favicon: '/assets/ci_favicons/favicon_status_success.png',
  })
})

test('a pipeline that no push made has zeros as its commit before (pipelines API at 14.0)', async () => {
  const { project, reporter, pipeline } = await projectWithPipeline(scene, { source: 'api', before_sha: null })

  const { body } = await reporter.get(`${project.url}/pipelines/${pipeline.id}`)

  assert.equal(body.before_sha, '0'.repeat(40))
})

test('the list of pipelines takes every filter and order, and leaves child pipelines out (pipelines API at 14.0)', async () => {
  const { project, reporter, developer, maintainer, sha, pipeline: first } = await projectWithPipeline(scene)
  const at = (day: number) => `2021-01-0${day}T00:00:00.000Z`
  const made = async (given: object) => (await pipelineOf(scene, project, { sha, ...given })).id
  await db
    .updateTable('pipelines')
    .set({ updated_at: at(5) })
    .where('id', '=', first.id)
    .execute()
  await scene.root.post(`${project.url}/repository/tags`, { tag_name: 'v1', ref: 'main' })
  const running = await made({ status: 'running', source: 'web', user_id: maintainer.id, updated_at: at(1) })
  const broken = await made({ status: 'failed', yaml_errors: 'jobs config should contain at least one visible job', updated_at: at(2) })
  const gone = await made({ status: 'pending', ref: 'gone', updated_at: at(3) })
  const tagged = await made({ status: 'canceled', ref: 'v1', tag: true, updated_at: at(4) })
  const child = await made({ source: 'parent_pipeline', parent_id: first.id })
  const table: [Query, number[]][] = [
    [{}, [tagged, gone, broken, running, first.id]],
    [{ sort: 'asc' }, [first.id, running, broken, gone, tagged]],
    [{ order_by: 'updated_at' }, [first.id, tagged, gone, broken, running]],
    [{ order_by: 'ref', sort: 'asc' }, [gone, first.id, running, broken, tagged]],
    [{ order_by: 'status', sort: 'asc' }, [tagged, broken, gone, running, first.id]],
    [{ order_by: 'user_id', sort: 'asc', source: 'push', ref: 'main' }, [first.id, broken]],
    [{ scope: 'running' }, [running]],
    [{ scope: 'pending' }, [gone]],
    [{ scope: 'finished' }, [tagged, broken, first.id]],
    [{ scope: 'branches' }, [broken]],
    [{ scope: 'tags' }, [tagged]],
    [{ status: 'success' }, [first.id]],
    [{ ref: 'v1' }, [tagged]],
    [{ sha: '0'.repeat(40) }, []],
    [{ yaml_errors: true }, [broken]],
    [{ yaml_errors: false }, [tagged, gone, running, first.id]],
    [{ username: developer.username }, [first.id]],
    [{ name: maintainer.name }, [running]],
    [{ updated_after: at(4) }, [tagged, first.id]],
    [{ updated_before: at(2) }, [broken, running]],
    [{ source: 'web' }, [running]],
    [{ source: 'parent_pipeline' }, [child]],
  ]
  for (const [query, expected] of table) {
    const { status, body } = await reporter.get(`${project.url}/pipelines`, query)
    assert.deepEqual([status, body.map(({ id }: { id: number }) => id)], [200, expected], JSON.stringify(query))
  }
  assert.equal((await reporter.get(`${project.url}/pipelines`, { scope: 'sleeping' })).status, 400)
})

test('the latest pipeline is that of the tip of the branch, and there being none is a 403 (pipelines API)', async () => {
  const { project, reporter, sha, pipeline } = await projectWithPipeline(scene)
  const url = `${project.url}/pipelines/latest`
  const newer = await pipelineOf(scene, project, { sha })

  assert.equal((await reporter.get(url)).body.id, newer.id)
  assert.equal((await reporter.get(url, { ref: 'main' })).body.id, newer.id)
  await scene.commit(project, { 'more.txt': 'More\n' })
  for (const query of [{}, { ref: 'nowhere' }])
    assert.deepEqual(await reporter.get(url, query), { status: 403, body: { message: '403 Forbidden' } })
  assert.equal((await reporter.get(`${project.url}/pipelines/${pipeline.id}`)).status, 200)
})

test('what a pipeline was given is shown to Maintainers, and to the Developer whom it runs for (pipelines API)', async () => {
  const { project, reporter, developer, maintainer, sha, pipeline } = await projectWithPipeline(scene)
  const another = await pipelineOf(scene, project, { sha, user_id: maintainer.id })
  const value = scene.deps.secrets.encrypt('open sesame', 'run_variables.value')
  await db.insertInto('run_variables').values({ pipeline_id: pipeline.id, key: 'WORD', value, variable_type: 'file' }).execute()
  const url = `${project.url}/pipelines/${pipeline.id}/variables`

  assert.deepEqual((await maintainer.get(url)).body, [{ variable_type: 'file', key: 'WORD', value: 'open sesame' }])
  assert.equal((await developer.get(url)).status, 200)
  assert.equal((await developer.get(`${project.url}/pipelines/${another.id}/variables`)).status, 403)
  assert.equal((await reporter.get(url)).status, 403)
})

test('a pipeline is created for a branch or tag with variables, canceled and retried; what is wrong is a 400 under `base`', async () => {
  const { project, maintainer } = await scene.project({ members: ['maintainer'] })
  const url = `${project.url}/pipeline`
  await scene.commit(project, { 'README.md': 'Hello\n' })
  assert.deepEqual(await maintainer.post(url, { ref: 'main' }), { status: 400, body: { message: { base: ['Missing CI config file'] } } })
  await scene.commit(project, { '.gitlab-ci.yml': 'test: { script: make }\n' })
  await scene.root.post(`${project.url}/repository/tags`, { tag_name: 'v1', ref: 'main' })

  const created = await maintainer.post(url, { ref: 'main', variables: [{ key: 'WORD', value: 'open sesame', variable_type: 'file' }] })

  const { id, ref, source, tag, user } = created.body
  assert.deepEqual([created.status, ref, source, tag, user.id], [201, 'main', 'api', false, maintainer.id])
  const pipeline = `${project.url}/pipelines/${id}`
  assert.deepEqual((await maintainer.get(`${pipeline}/variables`)).body, [{ variable_type: 'file', key: 'WORD', value: 'open sesame' }])
  assert.equal((await maintainer.post(`${pipeline}/cancel`)).body.status, 'canceled')
  assert.equal((await maintainer.post(`${pipeline}/retry`)).body.status, 'pending')
  assert.deepEqual(
    (await maintainer.get(`${pipeline}/jobs`, { include_retried: true })).body.map(({ status }: { status: string }) => status),
    ['pending', 'canceled'],
  )
  assert.equal((await maintainer.post(url, { ref: 'refs/tags/v1' })).body.tag, true)
  assert.deepEqual(await maintainer.post(url, { ref: 'nowhere' }), { status: 400, body: { message: { base: ['Reference not found'] } } })
})

test('a merge request shows the pipeline of its newest commit, lists its pipelines, and a commit shows its last one (document 3 `head_pipeline`)', async () => {
  const { project, maintainer, reporter } = await scene.project({ members: ['maintainer', 'reporter'] })
  const proposal = await scene.mergeRequest(project, { files: { '.gitlab-ci.yml': 'test: { script: make }\n' }, author: maintainer })
  const before = await reporter.get(proposal.url)
  assert.deepEqual([before.body.pipeline, before.body.head_pipeline], [null, null])

  const { body: made } = await maintainer.post(`${project.url}/pipeline`, { ref: proposal.source_branch })

  const { body } = await reporter.get(proposal.url)
  assert.deepEqual(Object.keys(body.pipeline).sort(), ['id', 'ref', 'sha', 'status', 'web_url'])
  assert.deepEqual([body.pipeline.id, body.head_pipeline.id, body.head_pipeline.user.id], [made.id, made.id, maintainer.id])
  const listed = await reporter.get(`${proposal.url}/pipelines`)
  assert.deepEqual(
    listed.body.map(({ id }: { id: number }) => id),
    [made.id],
  )
  const commit = await reporter.get(`${project.url}/repository/commits/${proposal.sha}`)
  assert.deepEqual([commit.body.status, commit.body.last_pipeline.id], ['pending', made.id])
  const { owner } = await scene.project()
  const removal = `${project.url}/pipelines/${made.id}`
  assert.equal((await owner.delete(removal)).status, 404)
  assert.equal((await maintainer.delete(removal)).status, 403)
  assert.equal((await scene.root.delete(removal)).status, 204)
  assert.equal((await reporter.get(removal)).status, 404)
})

test('a pipeline of a merge request is made by request, where the CI file has jobs for it', async () => {
  const { project, maintainer } = await scene.project({ members: ['maintainer'] })
  const files = { '.gitlab-ci.yml': 'proposed: { script: make test, rules: [{ if: $CI_MERGE_REQUEST_IID }] }\n' }
  const proposal = await scene.mergeRequest(project, { files, author: maintainer })

  const made = await maintainer.post(`${proposal.url}/pipelines`)

  assert.deepEqual([made.status, made.body.source, made.body.sha], [201, 'merge_request_event', proposal.sha])
  assert.equal((await maintainer.get(proposal.url)).body.head_pipeline.id, made.body.id)
})

test('what a job has left is erased by a Maintainer once it is over: 201, then 403 (document 2 "States and transitions")', async () => {
  const { project, maintainer, reporter, pipeline } = await projectWithPipeline(scene)
  const job = await jobOf(scene, pipeline)
  const url = `${project.url}/jobs/${job.id}/erase`

  assert.equal((await reporter.post(url)).status, 403)
  const erased = await maintainer.post(url)
  assert.deepEqual([erased.status, erased.body.id, erased.body.download_url], [201, job.id, null])
  assert.equal((await maintainer.post(url)).status, 403)
})

test('a pipeline is named by who may act on it, and the name is shown in lists', async () => {
  const { project, reporter, developer, maintainer, pipeline } = await projectWithPipeline(scene, {})
  const path = `${project.url}/pipelines/${pipeline.id}`

  assert.equal((await reporter.put(`${path}/metadata`, { name: 'Nightly' })).status, 403)
  const named = await developer.put(`${path}/metadata`, { name: 'Nightly' })
  assert.deepEqual([named.status, named.body.id, named.body.name], [200, pipeline.id, 'Nightly'])
  assert.equal((await reporter.get(`${project.url}/pipelines`)).body[0].name, 'Nightly')
  assert.equal((await developer.put(`${path}/metadata`, { name: ' ' })).body.name, null)

  // `main` is protected.
  await db.updateTable('pipelines').set({ protected: true }).where('id', '=', pipeline.id).execute()
  assert.equal((await developer.put(`${path}/metadata`, { name: 'Nightly' })).status, 403)
  assert.equal((await maintainer.put(`${path}/metadata`, { name: 'Nightly' })).status, 200)
})
