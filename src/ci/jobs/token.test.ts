/** What the token of a job opens, and for how long (document 1, Authentication rule 4). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person, type SceneProject } from '../../../test/scene.ts'
import { client } from '../../platform/git/index.ts'
import { endJob, runningJob } from './scene.ts'

const scene = await openScene()
const refused = { status: 401, body: { message: '401 Unauthorized' } }

const addressFor = (project: SceneProject, token: string): string => {
  const url = new URL(`${scene.url}/${project.full_path}.git`)
  url.username = 'gitlab-ci-token'
  url.password = token
  return url.href
}

const knock = (project: SceneProject, token: string, service = 'git-upload-pack', user = 'gitlab-ci-token') =>
  scene.anonymous.get(`${scene.url}/${project.full_path}.git/info/refs`, { service }, basic(user, token))

const basic = (user: string, password: string) => ({ authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` })

async function running(members: ('developer' | 'reporter')[] = ['developer']) {
  const made = await scene.project({ members })
  const job = await runningJob(scene, made.project, made[members[0] as 'developer'] as Person)
  return { ...made, job }
}

test('it opens no endpoint that does not say so, for reading or writing (document 1, Authentication rule 4)', async () => {
  const { project, job } = await running()

  for (const path of [project.url, `${project.url}/issues`, '/user', '/projects']) {
    assert.deepEqual(await scene.anonymous.get(path, {}, { 'job-token': job.token }), refused)
    assert.deepEqual(await scene.anonymous.get(path, { job_token: job.token }), refused)
    assert.deepEqual(await scene.anonymous.get(path, {}, { 'private-token': job.token }), refused)
    assert.deepEqual(await scene.anonymous.get(path, {}, { authorization: `Bearer ${job.token}` }), refused)
  }
})

test('git fetches with it what its person may read, by the name gitlab-ci-token', async () => {
  const { project, owner, developer, job } = await running()
  const other = await scene.project({ owner })
  await owner.post(`${project.url}/repository/files/README.md`, { branch: 'main', content: 'hello', commit_message: 'Say hello' })

  const { code, output } = await client('/', ['ls-remote', addressFor(project, job.token), 'refs/heads/main'])

  assert.equal(code, 0, output)
  assert.match(output, /^[0-9a-f]{40}\trefs\/heads\/main$/m)
  assert.equal((await knock(project, job.token, 'git-upload-pack', developer.username)).status, 401)
  assert.equal((await knock(other.project, job.token)).status, 404)
  await owner.post(`${other.project.url}/members`, { user_id: developer.id, access_level: 20 })
  assert.equal((await knock(other.project, job.token)).status, 200)
})

test('git pushes nothing with it', async () => {
  const { project, job } = await running()

  assert.equal((await knock(project, job.token, 'git-receive-pack')).status, 403)
})

test('it is worth nothing as soon as the job is over, however it ended', async () => {
  for (const how of ['succeed', 'drop', 'cancel'] as const) {
    const { project, job } = await running()
    assert.equal((await knock(project, job.token)).status, 200)

    await endJob(scene, job, how)

    assert.equal((await knock(project, job.token)).status, 401)
  }
})

test('it is refused with 403 while its person is blocked', async () => {
  const { project, developer, job } = await running()

  await scene.root.post(`/users/${developer.id}/block`)

  assert.equal((await knock(project, job.token)).status, 403)
})

test('an administrator’s job takes no part in sudo', async () => {
  const { project } = await scene.project()
  const job = await runningJob(scene, project, scene.root)

  const answer = await scene.anonymous.get('/user', { sudo: 'root' }, { 'job-token': job.token })

  assert.equal(answer.status, 403)
})
