import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { committed, info, jobIn, pipelineIn, registered, registrationToken, runOf } from './scene.ts'

const scene = await openScene()

const jobRow = (id: number) => scene.deps.database.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const forbidden = { status: 403, body: { message: '403 Forbidden' } }

test('a runner registers with the token of the instance, of a group or of a project, and is of that type; 403 for another token (c.1)', async () => {
  const { group } = await scene.group()
  const { project } = await scene.project()
  const types: unknown[] = []
  for (const place of [{}, { group }, { project }]) {
    const token = await registrationToken(scene, place)

    const answer = await scene.anonymous.post('/runners', {
      token,
      info,
      description: 'shed',
      tag_list: 'a, b',
      locked: true,
      run_untagged: false,
    })

    assert.equal(answer.status, 201)
    assert.equal(answer.headers['content-type'], 'application/json')
    assert.match(answer.body.token, /^[A-Za-z0-9_-]{20}$/)
    const row = await scene.deps.database.db.selectFrom('runners').selectAll().where('id', '=', answer.body.id).executeTakeFirstOrThrow()
    assert.deepEqual([row.description, row.tags, row.locked, row.run_untagged, row.active], ['shed', ['a', 'b'], true, false, true])
    assert.deepEqual([row.version, row.revision, row.platform, row.architecture], ['14.0.0', '3b6f852e', 'linux', 'amd64'])
    types.push(row.runner_type)
  }
  assert.deepEqual(types, ['instance_type', 'group_type', 'project_type'])
  assert.deepEqual(await scene.anonymous.post('/runners', { token: 'no-such-token', info }), forbidden)
})

test('a runner that could run nothing is not registered: 400', async () => {
  const token = await registrationToken(scene, {})

  const answer = await scene.anonymous.post('/runners', { token, run_untagged: false, maximum_timeout: 599 })

  assert.deepEqual(answer, {
    status: 400,
    body: {
      message: {
        tags_list: ['can not be empty when runner is not allowed to pick untagged jobs'],
        maximum_timeout: ['needs to be at least 10 minutes'],
      },
    },
  })
})

test('a token is verified while its runner is there, and unregisters it: 200, 204, then 403 (c.1)', async () => {
  const { token } = await registered(scene)

  const verified = await scene.anonymous.post('/runners/verify', { token })
  const removed = await scene.anonymous.request('DELETE', '/runners', { body: { token } })
  const again = await scene.anonymous.post('/runners/verify', { token })

  assert.deepEqual([verified.status, removed.status], [200, 204])
  assert.deepEqual(again, forbidden)
  assert.deepEqual(await scene.anonymous.post('/jobs/request', { token, info }), forbidden)
})

test('a runner gets 204 if there is no job, and 403 for a wrong token (c.2)', async () => {
  const { project } = await scene.project()
  const runner = await registered(scene, { project })

  const none = await runner.ask()

  assert.deepEqual(none, { status: 204, body: undefined })
  assert.deepEqual(await scene.anonymous.post('/jobs/request', { token: 'wrong', info }), forbidden)
})

test('a runner is handed a job with all that it needs, and runs it to its end (c.2, c.3, c.4)', async () => {
  const { project } = await scene.project()
  const sha = await committed(scene, project)
  const pipelineId = await pipelineIn(scene, project, { sha })
  const { id } = await jobIn(scene, project, {
    pipelineId,
    timeout: 1200,
    options: {
      image: { name: 'ruby:3.0', entrypoint: ['/bin/sh'] },
      services: [{ name: 'postgres:13', alias: 'db' }],
      before_script: ['echo before'],
      script: ['echo one', 'echo two'],
      after_script: ['echo after'],
      artifacts: { name: 'out', paths: ['out/'], when: 'always', expire_in: '1 week', reports: { junit: ['report.xml'] } },
      cache: [{ paths: ['vendor/'], policy: 'pull' }],
    },
  })
  const runner = await registered(scene, { project }, { maximum_timeout: 900 })

  const { status, headers, body } = await runner.ask()

  assert.equal(status, 201)
  assert.equal(headers['content-type'], 'application/json')
  const { token, variables, ...rest } = body
  assert.match(token, /^[A-Za-z0-9_-]{20,}$/)
  assert.deepEqual(rest, {
    id,
    allow_git_fetch: true,
    job_info: { name: 'build', stage: 'test', project_id: project.id, project_name: project.name, protected: false },
    git_info: {
      repo_url: `${scene.url.replace('://', `://gitlab-ci-token:${token}@`)}/${project.full_path}.git`,
      ref: 'main',
      sha,
      before_sha: '0'.repeat(40),
      ref_type: 'branch',
      refspecs: [`+${sha}:refs/pipelines/${pipelineId}`, '+refs/heads/main:refs/remotes/origin/main'],
      depth: 50,
    },
    runner_info: { timeout: 900, runner_session_url: null },
    steps: [
      { name: 'script', script: ['echo before', 'echo one', 'echo two'], timeout: 900, when: 'on_success', allow_failure: false },
      { name: 'after_script', script: ['echo after'], timeout: 900, when: 'always', allow_failure: true },
    ],
    image: { name: 'ruby:3.0', alias: null, entrypoint: ['/bin/sh'], command: null, ports: [] },
    services: [{ name: 'postgres:13', alias: 'db', entrypoint: null, command: null, ports: [] }],
    artifacts: [
      { name: 'out', paths: ['out/'], when: 'always', expire_in: '1 week', artifact_type: 'archive', artifact_format: 'zip' },
      { name: 'junit.xml', paths: ['report.xml'], when: 'always', expire_in: '1 week', artifact_type: 'junit', artifact_format: 'gzip' },
    ],
    cache: [{ key: 'default-non_protected', paths: ['vendor/'], untracked: false, policy: 'pull', when: 'on_success' }],
    credentials: [{ type: 'registry', url: new URL(scene.url).host, username: 'gitlab-ci-token', password: token }],
    dependencies: [],
    features: {
      trace_sections: true,
      failure_reasons: rest.features.failure_reasons,
    },
  })
  assert.ok(rest.features.failure_reasons.includes('script_failure'))
  const ofToken = variables.find(({ key }: { key: string }) => key === 'CI_JOB_TOKEN')
  assert.equal(ofToken.value, token)
  const running = await jobRow(id)
  assert.deepEqual(
    [running.status, running.runner_id, running.timeout],
    ['running', runner.id, 1200],
    "the runner's limit is not the job's",
  )

  const run = runOf(scene.anonymous, body)
  const first = await run.trace('Hello', 0)
  assert.equal(first.status, 202)
  assert.equal(first.headers.range, '0-5')
  assert.equal(first.headers['job-status'], 'running')
  assert.match(first.headers['x-gitlab-trace-update-interval'] ?? '', /^\d+$/)
  assert.equal((await run.trace(', world\n', 5)).status, 202)
  assert.equal((await run.update({ state: 'running' })).status, 200)
  const done = await run.finish('success', 'Hello, world\n')
  assert.equal(done.status, 200)
  const over = await jobRow(id)
  assert.deepEqual([over.status, over.trace_size, over.token_digest], ['success', 13, null])
})
