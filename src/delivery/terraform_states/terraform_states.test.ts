/** States of Terraform as its backend `http` asks for them. Tests with the real client: test/clients/terraform.test.ts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overtakenBy } from '../../../test/held_table.ts'
import { type Client, openScene, type SceneProject } from '../../../test/scene.ts'
import { runningJob } from '../../ci/jobs/scene.ts'

const scene = await openScene()
const { db } = scene.deps.database

const at = ({ url }: SceneProject, name = 'production', rest = '') => `${url}/terraform/state/${name}${rest}`
const stateOf = (serial: number, more: object = {}) => ({ version: 4, serial, lineage: 'one', outputs: {}, resources: [], ...more })
const lockOf = (ID: string) => ({
  ID,
  Operation: 'OperationTypeApply',
  Info: '',
  Who: 'root@host',
  Version: '1.0.0',
  Created: '2021-06-01T12:00:00.5Z',
  Path: '',
})
const basic = (username: string, password: string) =>
  scene.as({ authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` })
const read = async (client: Client, address: string) => JSON.parse((await client.get(address)).bytes.toString())

test('a state is written, read as it was sent, and kept in versions, encrypted', async () => {
  const { project, owner } = await scene.project()
  assert.deepEqual(await owner.get(at(project)), { status: 404, body: { message: '404 Not found' } })
  const text = JSON.stringify(stateOf(1, { outputs: { password: { value: 'swordfish — ü' } } }), null, 2)
  assert.deepEqual(await owner.post(at(project), Buffer.from(text)), { status: 200, body: undefined })
  const first = await owner.get(at(project))
  assert.deepEqual([first.status, first.headers['content-type'], first.bytes.toString()], [200, 'application/octet-stream', text])
  assert.equal((await owner.post(at(project), stateOf(2))).status, 200)
  assert.equal((await read(owner, at(project))).serial, 2)
  assert.equal((await read(owner, at(project, 'production', '/versions/1'))).outputs.password.value, 'swordfish — ü')
  assert.equal((await owner.get(at(project, 'production', '/versions/3'))).status, 404)

  const rows = await db
    .selectFrom('terraform_state_versions')
    .innerJoin('terraform_states', 'terraform_states.id', 'terraform_state_id')
    .select('content')
    .where('project_id', '=', project.id)
    .execute()
  assert.deepEqual(
    rows.map(({ content }) => [content?.startsWith('v1.'), content?.includes('swordfish')]),
    [
      [true, false],
      [true, false],
    ],
  )

  assert.equal((await owner.delete(at(project, 'production', '/versions/2'))).status, 204)
  assert.equal((await read(owner, at(project))).serial, 1)
  assert.deepEqual(await owner.delete(at(project)), { status: 200, body: undefined })
  for (const rest of ['', '/versions/1']) assert.equal((await owner.get(at(project, 'production', rest))).status, 404)
})

test('a large state is kept and sent in parts, with its characters whole, and goes with its version', async () => {
  const { project, owner } = await scene.project()
  const text = JSON.stringify(stateOf(7, { outputs: { password: { value: 'ü—🦄'.repeat(60_000) } } }))
  assert.equal((await owner.post(at(project), Buffer.from(text))).status, 200)
  assert.equal((await owner.get(at(project))).bytes.toString(), text)
  const parts = () =>
    db
      .selectFrom('terraform_state_parts')
      .innerJoin('terraform_state_versions', 'terraform_state_versions.id', 'version_id')
      .innerJoin('terraform_states', 'terraform_states.id', 'terraform_state_id')
      .select(['terraform_state_parts.content', 'terraform_state_versions.content as whole'])
      .where('project_id', '=', project.id)
      .execute()
  const kept = await parts()
  assert.ok(kept.length > 1 && kept.every(({ content, whole }) => content.startsWith('v1.') && whole === null))
  for (const bad of [text.slice(1), text.replace('"serial":7', '"serial":"7"'), `[${'0,'.repeat(300_000)}0]`])
    assert.equal((await owner.post(at(project), Buffer.from(bad))).status, 400)
  assert.equal((await owner.post(at(project), Buffer.concat([Buffer.from(text), Buffer.from([0xff])]))).status, 400)
  assert.equal((await owner.delete(at(project))).status, 200)
  assert.deepEqual(await parts(), [])
})

test('names may have dots and slashes, a serial comes once, and what is no state is refused', async () => {
  const { project, owner } = await scene.project()
  for (const name of ['test-state', 'test.state', 'test%2Ffoo']) {
    assert.equal((await owner.post(at(project, name), stateOf(1))).status, 200, name)
    assert.equal((await read(owner, at(project, name))).serial, 1, name)
  }
  assert.equal((await owner.get(at(project, 'test/foo'))).status, 404)
  const again = await owner.post(at(project, 'test-state'), stateOf(1))
  assert.deepEqual(again, { status: 422, body: { message: 'Serial 1 has already been taken' } })
  assert.equal((await owner.post(at(project, 'none'))).status, 204)
  for (const body of ['no JSON', '[]', '{"serial": "1"}', '{"serial": -1}', '{"version": 4}'])
    assert.equal((await owner.post(at(project, 'none'), Buffer.from(body))).status, 400, body)
  assert.equal((await owner.post(at(project, 'none'), Buffer.from([0x7b, 0xff, 0x7d]))).status, 400)
  assert.equal((await owner.get(at(project, 'none'))).status, 404)
  assert.equal((await owner.post(at(project, 'a'.repeat(256)), stateOf(1))).status, 400)
  assert.equal((await owner.post(at(project, 'none'), Buffer.alloc(64 * 1024 * 1024 + 1, ' '))).status, 413)
})

test('of concurrent writes with one serial one wins', async () => {
  const { project, owner } = await scene.project()
  const answers = await Promise.all([1, 2, 3, 4].map(lineage => owner.post(at(project), stateOf(7, { lineage }))))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422, 422, 422])
})

test('the holder of the lock alone writes and unlocks; the others get it shown', async () => {
  const { project, owner } = await scene.project()
  const lock = at(project, 'production', '/lock')
  const taken = await owner.post(lock, lockOf('first'))
  assert.deepEqual(
    [taken.status, taken.body.ID, taken.body.Operation, taken.body.Who],
    [200, 'first', 'OperationTypeApply', owner.username],
  )
  // Locked before anything was written.
  assert.deepEqual(await owner.get(at(project)), { status: 204, body: undefined })
  const other = await owner.post(lock, { ...lockOf('second'), Operation: 'OperationTypePlan' })
  assert.deepEqual(other, { status: 409, body: taken.body })

  const conflict = { status: 409, body: { message: '409 Conflict' } }
  assert.deepEqual(await owner.post(at(project), stateOf(1)), conflict)
  assert.deepEqual(await owner.post(`${at(project)}?ID=second`, stateOf(1)), conflict)
  assert.equal((await owner.post(`${at(project)}?ID=first`, stateOf(1))).status, 200)
  assert.deepEqual(await owner.delete(at(project)), conflict)
  assert.deepEqual(await owner.request('DELETE', lock, { body: lockOf('second') }), conflict)
  assert.deepEqual(await owner.request('DELETE', lock, { body: lockOf('first') }), { status: 200, body: undefined })
  // Who was unlocked by force must not write any more.
  assert.deepEqual(await owner.post(`${at(project)}?ID=first`, stateOf(2)), conflict)

  assert.equal((await owner.post(lock, lockOf('third'))).status, 200)
  assert.equal((await owner.delete(lock)).status, 200)
  assert.equal((await owner.post(at(project), stateOf(2))).status, 200)
  const { ID: _, ...incomplete } = lockOf('fourth')
  assert.deepEqual(await owner.post(lock, incomplete), { status: 400, body: { message: '400 (Bad request) "ID" not given' } })

  const race = await Promise.all(['a', 'b', 'c'].map(id => owner.post(lock, lockOf(id))))
  assert.deepEqual(race.map(({ status }) => status).sort(), [200, 409, 409])
  assert.equal(new Set(race.map(({ body }) => body.ID)).size, 1)
})

test('who may: developers read, maintainers write and lock; a private state does not exist for others', async () => {
  const { project, owner, ...people } = await scene.project({ members: ['guest', 'reporter', 'developer', 'maintainer'] })
  await owner.post(at(project), stateOf(1))
  let serial = 1
  const statuses = async (client: Client) => [
    (await client.get(at(project))).status,
    (await client.post(at(project), stateOf(++serial))).status,
    (await client.post(at(project, 'production', '/lock'), lockOf('mine'))).status,
    (await client.delete(at(project, 'production', '/lock'))).status,
  ]
  assert.deepEqual(await statuses(scene.anonymous), [401, 401, 401, 401])
  assert.deepEqual(await statuses(await scene.user()), [404, 404, 404, 404])
  for (const client of [people.guest, people.reporter]) assert.deepEqual(await statuses(client), [403, 403, 403, 403])
  assert.deepEqual(await statuses(people.developer), [200, 403, 403, 403])
  assert.deepEqual(await statuses(people.maintainer), [200, 200, 200, 200])
  assert.deepEqual(await statuses(basic('anyone', people.maintainer.token)), [200, 200, 200, 200])
  const job = await runningJob(scene, project, owner)
  assert.deepEqual(await statuses(basic('gitlab-ci-token', job.token)), [200, 200, 200, 200])
  const written = await db
    .selectFrom('terraform_state_versions')
    .select(['job_id', 'creator_id'])
    .where('serial', '=', serial)
    .where('job_id', '=', job.id)
    .execute()
  assert.deepEqual(written, [{ job_id: job.id, creator_id: owner.id }])
  const reader = await scene.user({ scopes: ['read_api'] })
  await owner.post(`${project.url}/members`, { user_id: reader.id, access_level: 40 })
  assert.deepEqual(await statuses(reader), [200, 403, 403, 403])
  const token = (await owner.post(`${project.url}/deploy_tokens`, { name: 'ci', scopes: ['read_repository'] })).body
  assert.deepEqual(await statuses(basic(token.username, token.token)), [403, 403, 403, 403])
})

test('a project with a storage limit takes no state beyond it, and has the room again once a version is deleted', async () => {
  const { project, owner } = await scene.project()
  await scene.root.put(project.url, { repository_size_limit: 1 })
  const large = (serial: number) => owner.post(at(project), stateOf(serial, { outputs: { text: { value: 'x'.repeat(500_000) } } }))
  assert.equal((await large(1)).status, 200)
  const refused = await large(2)
  assert.deepEqual([refused.status, /size limit of 1 MB/.test(refused.body.message)], [413, true])
  assert.equal((await read(owner, at(project))).serial, 1)
  assert.equal((await owner.post(at(project), stateOf(2))).status, 200, 'a small one has room')
  assert.equal((await owner.delete(at(project, 'production', '/versions/1'))).status, 204)
  const race = await Promise.all([3, 4, 5].map(large))
  assert.deepEqual(race.map(({ status }) => status).sort(), [200, 413, 413])
})

test('a state that is deleted while it is locked or written is made again', async () => {
  const { project, owner } = await scene.project()
  const lock = ['select from terraform_states where project_id = $1 for update', [project.id]] as const
  const deletion = ['delete from terraform_states where project_id = $1', [project.id]] as const
  for (const request of [() => owner.post(at(project), stateOf(2)), () => owner.post(at(project, 'production', '/lock'), lockOf('a'))]) {
    await owner.post(at(project), stateOf(1))
    assert.equal((await overtakenBy(scene.deps.database, lock, request, deletion)).status, 200)
  }
  assert.equal((await owner.get(at(project))).status, 204, 'the lock has no version')
  assert.equal((await owner.delete(at(project))).status, 409)
})
