import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { jobOf, pipelineOf, projectWithPipeline } from '../scene.ts'

const scene = await openScene()
const { db } = scene.deps.database

const ids = ({ body }: { body: { id: number }[] }) => body.map(({ id }) => id)

test('a job shows every field of document 2, and nothing more', async () => {
  const { project, reporter, developer, pipeline, sha } = await projectWithPipeline(scene)
  const runner = {
    runner_type: 'instance_type',
    token_digest: `digest ${project.id}`,
    short_token: 'short',
    contacted_at: '2021-01-01T00:00:00Z',
  } as const
  const { id: runner_id } = await db.insertInto('runners').values(runner).returning('id').executeTakeFirstOrThrow()
  const job = await jobOf(scene, pipeline, {
    user_id: developer.id,
    runner_id,
    tags: ['docker'],
    coverage: 98.5,
    queued_at: '2021-01-01T00:00:00Z',
    started_at: '2021-01-01T00:00:02.5Z',
    finished_at: '2021-01-01T00:01:02.5Z',
    artifacts_expire_at: '2021-02-01T00:00:00Z',
  })

  const { status, body } = await reporter.get(`${project.url}/jobs/${job.id}`)

  assert.equal(status, 200)
  const { created_at, commit, user, runner: ran, ...rest } = body
  assert.deepEqual(rest, {
    id: job.id,
    name: 'test',
    stage: 'test',
    ref: 'main',
    tag: false,
    status: 'success',
    allow_failure: false,
    coverage: 98.5,
    started_at: '2021-01-01T00:00:02.500Z',
    finished_at: '2021-01-01T00:01:02.500Z',
    duration: 60,
    queued_duration: 2.5,
    web_url: `${scene.url}/${project.full_path}/-/jobs/${job.id}`,
    pipeline: { id: pipeline.id, project_id: project.id, sha, ref: 'main', status: 'success' },
    artifacts: [],
    artifacts_expire_at: '2021-02-01T00:00:00.000Z',
    tag_list: ['docker'],
  })
  assert.match(created_at, /^\d{4}-/)
  assert.deepEqual(Object.keys(commit).sort(), ['author_email', 'author_name', 'created_at', 'id', 'message', 'short_id', 'title'])
  assert.deepEqual([commit.id, commit.title], [sha, 'Begin'])
  assert.deepEqual(Object.keys(user).sort(), [
    'avatar_url',
    'bio',
    'created_at',
    'id',
    'linkedin',
    'location',
    'name',
    'organization',
    'public_email',
    'skype',
    'state',
    'twitter',
    'username',
    'web_url',
    'website_url',
  ])
  assert.deepEqual(
    [ran.id, ran.is_shared, ran.runner_type, ran.active, ran.online, ran.status],
    [runner_id, true, 'instance_type', true, false, 'offline'],
    'decision 23',
  )
})

test('a job that no runner has taken has no runner, no duration and no artifacts file (document 2 "Job"; decision 23)', async () => {
  const { project, reporter, pipeline } = await projectWithPipeline(scene)
  const job = await jobOf(scene, pipeline, { status: 'created' })

  const { body } = await reporter.get(`${project.url}/jobs/${job.id}`)

  const { runner, duration, queued_duration, started_at, finished_at, user, coverage } = body
  assert.deepEqual([runner, duration, queued_duration, started_at, finished_at, user, coverage], [null, null, 0, null, null, null, null])
  assert.ok(!('artifacts_file' in body) && !('artifacts_expire_at' in body))
})

test('the jobs of a project are listed newest first, by one status, by several, or all; another word is a 400 (decision 28)', async () => {
  const { project, reporter, pipeline } = await projectWithPipeline(scene)
  const statuses = ['success', 'failed', 'success', 'manual'] as const
  const made = []
  for (const status of statuses) made.push((await jobOf(scene, pipeline, { status })).id)
  const [first, second, third, fourth] = made
  await jobOf(scene, pipeline, { kind: 'bridge' })
  const list = (scope?: string | string[]) => reporter.get(`${project.url}/jobs`, scope === undefined ? {} : { scope })

  assert.deepEqual(ids(await list()), [fourth, third, second, first])
  assert.deepEqual(ids(await list('success')), [third, first])
  const several = await reporter.get(`${project.url}/jobs`, { scope: ['manual', 'success'], per_page: 2 })
  assert.deepEqual([ids(several), several.headers['x-total']], [[fourth, third], '3'])
  assert.deepEqual(ids(await reporter.get(`${project.url}/jobs`, { scope: ['manual', 'success'], per_page: 2, page: 2 })), [first])
  assert.deepEqual((await list('sleeping')).status, 400)
  assert.deepEqual((await list(['success', 'sleeping'])).status, 400)
})

test('the jobs of a pipeline leave out those that were retried unless they are asked for (document 2 "Jobs")', async () => {
  const { project, reporter, pipeline } = await projectWithPipeline(scene)
  const old = await jobOf(scene, pipeline, { status: 'failed', retried: true })
  const now = await jobOf(scene, pipeline)
  await jobOf(scene, await pipelineOf(scene, project, { sha: pipeline.sha }))
  const list = async (query: object) => ids(await reporter.get(`${project.url}/pipelines/${pipeline.id}/jobs`, query as never))

  assert.deepEqual(await list({}), [now.id])
  assert.deepEqual(await list({ include_retried: true }), [now.id, old.id])
  assert.deepEqual(await list({ include_retried: true, scope: ['failed'] }), [old.id])
})

test('a bridge shows the pipeline that it has started to users who may see that pipeline (document 2 "Bridge job")', async () => {
  const { project, reporter, pipeline, sha } = await projectWithPipeline(scene)
  const other = await projectWithPipeline(scene)
  const bridge = await jobOf(scene, pipeline, { kind: 'bridge', name: 'start' })
  const hidden = await jobOf(scene, pipeline, { kind: 'bridge', name: 'elsewhere' })
  const child = await pipelineOf(scene, project, { sha, source: 'parent_pipeline', upstream_job_id: bridge.id, parent_id: pipeline.id })
  await pipelineOf(scene, other.project, { sha: other.sha, source: 'pipeline', upstream_job_id: hidden.id })

  const { body } = await reporter.get(`${project.url}/pipelines/${pipeline.id}/bridges`)

  assert.deepEqual(ids({ body }), [hidden.id, bridge.id])
  const [unseen, seen] = body
  assert.equal(unseen.downstream_pipeline, null)
  assert.deepEqual(Object.keys(seen.downstream_pipeline).sort(), ['created_at', 'id', 'ref', 'sha', 'status', 'updated_at', 'web_url'])
  assert.equal(seen.downstream_pipeline.id, child.id)
  assert.deepEqual(Object.keys(seen.pipeline).sort(), ['created_at', 'id', 'project_id', 'ref', 'sha', 'status', 'updated_at', 'web_url'])
  for (const absent of ['runner', 'artifacts', 'tag_list']) assert.ok(!(absent in seen), absent)
  assert.equal((await scene.root.get(`${project.url}/pipelines/${pipeline.id}/bridges`)).body[0].downstream_pipeline.status, 'success')
})

test('a bridge is no job of the jobs endpoints, and a job of another project is none either', async () => {
  const { project, reporter, pipeline } = await projectWithPipeline(scene)
  const bridge = await jobOf(scene, pipeline, { kind: 'bridge' })
  const other = await projectWithPipeline(scene)
  const foreign = await jobOf(scene, other.pipeline)

  for (const { id } of [bridge, foreign])
    assert.deepEqual(await reporter.get(`${project.url}/jobs/${id}`), { status: 404, body: { message: '404 Job Not Found' } })
})

test('jobs are for members from Guest up, below Reporter only while they are public (`public_jobs`)', async () => {
  const { project, guest, reporter, owner, pipeline } = await projectWithPipeline(scene)
  const job = await jobOf(scene, pipeline)
  const read = async () => [
    (await guest.get(`${project.url}/jobs/${job.id}`)).status,
    (await reporter.get(`${project.url}/jobs/${job.id}`)).status,
  ]

  assert.deepEqual(await read(), [200, 200])
  await owner.put(project.url, { public_builds: false })
  assert.deepEqual(await read(), [403, 200])
})

test('without a token of a job there is no job of its own: 404 for others, 401 for nobody (document 2, `GET /job`)', async () => {
  const { developer } = await projectWithPipeline(scene)

  assert.deepEqual(await developer.get('/job'), { status: 404, body: { message: '404 Job Not Found' } })
  assert.equal((await scene.anonymous.get('/job')).status, 401)
})

test('a job is canceled, retried as a new job and played, each answered with 201; what cannot be is a 403 that says why (decisions 14, 24)', async () => {
  const { project, developer, reporter, pipeline } = await projectWithPipeline(scene)
  const [pending, done, manual] = [
    await jobOf(scene, pipeline, { status: 'pending', name: 'pending' }),
    await jobOf(scene, pipeline, { name: 'done', started_at: '2021-01-01T00:00:00Z', finished_at: '2021-01-01T00:00:01Z' }),
    await jobOf(scene, pipeline, { status: 'manual', when: 'manual', name: 'manual' }),
  ]
  const act = (who: typeof developer, { id }: { id: number }, action: string, body = {}) =>
    who.post(`${project.url}/jobs/${id}/${action}`, body)

  const canceled = await act(developer, pending, 'cancel')
  const retried = await act(developer, done, 'retry')
  const played = await act(developer, manual, 'play', { job_variables_attributes: [{ key: 'WORD', value: 'open sesame' }] })

  assert.deepEqual([canceled.status, canceled.body.id, canceled.body.status], [201, pending.id, 'canceled'])
  const { id, status, started_at, finished_at, duration } = retried.body
  assert.deepEqual([retried.status, status, started_at, finished_at, duration], [201, 'pending', null, null, null])
  assert.ok(id > done.id)
  assert.deepEqual([played.status, played.body.id, played.body.status], [201, manual.id, 'pending'])
  const given = await db.selectFrom('run_variables').selectAll().where('job_id', '=', manual.id).execute()
  assert.deepEqual(
    given.map(({ key, value }) => [key, scene.deps.secrets.decrypt(value, 'run_variables.value').reveal()]),
    [['WORD', 'open sesame']],
  )
  for (const [job, action] of [
    [pending, 'cancel'],
    [done, 'retry'],
    [done, 'play'],
  ] as const) {
    const refused = await act(developer, job, action)
    assert.equal(refused.status, 403, action)
    assert.match(refused.body.message, /^403 Forbidden - ./)
  }
  assert.equal((await act(reporter, manual, 'play')).status, 403)
})
