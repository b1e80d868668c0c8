/** A bot is represented by its access token and gets nothing that outlives it. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import ssh2 from 'ssh2'
import { openScene } from '../../../test/scene.ts'
import { tasksOf } from '../../server/tasks.ts'

const scene = await openScene()
const { root } = scene
const { db } = scene.deps.database

async function bot() {
  const { project, owner } = await scene.project()
  const made = await owner.post(`${project.url}/access_tokens`, { name: 'ci', scopes: ['api'], access_level: 40 })
  assert.equal(made.status, 201)
  return { id: made.body.user_id as number, client: scene.as({ 'private-token': made.body.token }) }
}

/** A key as a client generates one. */
function newKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  const parsed = ssh2.utils.parseKey(privateKey)
  if (parsed instanceof Error) throw parsed
  return `ssh-rsa ${parsed.getPublicSSH().toString('base64')} ci`
}

test('a project token cannot give its bot keys or addresses, nor can an administrator', async () => {
  const { id, client } = await bot()
  const requests: [string, object][] = [
    ['keys', { title: 'Backdoor', key: newKey() }],
    ['gpg_keys', { key: '-----BEGIN PGP PUBLIC KEY BLOCK-----' }],
    ['emails', { email: 'backdoor@example.com' }],
  ]

  for (const [what, body] of requests) {
    const refused = { status: 403, body: { message: '403 Forbidden' } }
    assert.deepEqual(await client.post(`/user/${what}`, body), refused, what)
    assert.deepEqual(await root.post(`/users/${id}/${what}`, body), refused, what)
    assert.deepEqual(await root.post(`/user/${what}`, body, { sudo: String(id) }), refused, what)
  }

  for (const table of ['keys', 'gpg_keys', 'emails'] as const)
    assert.deepEqual(await db.selectFrom(table).select('id').where('user_id', '=', id).execute(), [], table)
})

test('a bot gets no token besides its own, and no usable password', async () => {
  const { id, client } = await bot()
  const token = { name: 'second', scopes: ['api'] }

  assert.equal((await root.post(`/users/${id}/personal_access_tokens`, token)).status, 403)
  assert.equal((await root.post(`/users/${id}/impersonation_tokens`, token)).status, 403)
  assert.equal((await client.post('/personal_access_tokens/self/rotate')).status, 403)
  assert.equal((await root.put(`/users/${id}`, { password: 'correct horse battery staple' })).status, 403)
  const { body } = await root.get(`/users/${id}`)
  const granted = await fetch(`${scene.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', username: body.username, password: 'correct horse battery staple' }),
  })
  assert.notEqual(granted.status, 200)
})

test('a human user has keys and addresses as before', async () => {
  const person = await scene.user()

  assert.equal((await person.post('/user/keys', { title: 'Laptop', key: newKey() })).status, 201)
  assert.equal((await root.post(`/users/${person.id}/emails`, { email: 'second@example.com' })).status, 201)
})

test('a bot deleted with its last token leaves no running or pending job, and no due schedule', async () => {
  const { project, owner } = await scene.project()
  const { body: token } = await owner.post(`${project.url}/access_tokens`, { name: 'ci', scopes: ['api'], access_level: 30 })
  const client = scene.as({ 'private-token': token.token })
  await scene.commit(project, { '.gitlab-ci.yml': 'build:\n  script: [make]\nafter:\n  stage: deploy\n  script: [make]\n' })
  await owner.post(`${project.url}/repository/branches`, { branch: 'topic', ref: 'main' })
  const schedule = await client.post(`${project.url}/pipeline_schedules`, { description: 'Nightly', ref: 'topic', cron: '0 1 * * *' })
  const pipeline = await client.post(`${project.url}/pipeline`, { ref: 'topic' })
  assert.deepEqual([schedule.status, pipeline.status, pipeline.body.user.id], [201, 201, token.user_id])

  assert.equal((await owner.delete(`${project.url}/access_tokens/${token.id}`)).status, 204)
  const { rows } = await scene.deps.database.pool.query(
    `select payload from graphile_worker._private_jobs jobs join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
      where identifier = 'drop_work_of_user' and (payload ->> 'user_id')::bigint = $1`,
    [token.user_id],
  )
  for (const { payload } of rows) await tasksOf(scene.deps).drop_work_of_user(payload, undefined)

  const jobs = (await owner.get(`${project.url}/pipelines/${pipeline.body.id}/jobs`)).body
  assert.deepEqual(jobs.map(({ name, status }: Record<string, string>) => [name, status]).sort(), [
    ['after', 'failed'],
    ['build', 'failed'],
  ])
  const { active, owner: of } = (await owner.get(`${project.url}/pipeline_schedules/${schedule.body.id}`)).body
  assert.deepEqual([active, of], [false, null])
})
