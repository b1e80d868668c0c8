import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overtakenBy } from '../../../test/held_table.ts'
import { openScene } from '../../../test/scene.ts'
import { digestOf } from '../../platform/kernel/secrets.ts'
import { jobOf, pipelineOf } from '../scene.ts'
import { encodeTriggerRef } from './address.ts'

const scene = await openScene()
const { db } = scene.deps.database

async function world() {
  const made = await scene.project({ members: ['developer', 'maintainer'] })
  const sha = await scene.commit(made.project, { '.gitlab-ci.yml': 'build:\n  script: [make]\n' })
  const { body: trigger } = await made.maintainer.post(`${made.project.url}/triggers`, { description: 'Docs' })
  return { ...made, sha, trigger, url: `${made.project.url}/trigger/pipeline` }
}

test('a trigger token is shown in full to its owner only (pipeline triggers API)', async () => {
  const { project, developer, maintainer, owner, trigger } = await world()
  const list = `${project.url}/triggers`
  const one = `${list}/${trigger.id}`

  assert.match(trigger.token, /^[\w-]{20}$/)
  assert.deepEqual([trigger.description, trigger.last_used, trigger.owner.id], ['Docs', null, maintainer.id])
  assert.deepEqual((await maintainer.get(one)).body, trigger)
  assert.deepEqual((await owner.get(list)).body, [{ ...trigger, token: trigger.token.slice(0, 4) }])
  assert.equal((await developer.get(list)).status, 403)
  assert.equal((await owner.put(one, { description: 'x' })).status, 403)
  assert.equal((await maintainer.put(one, { description: 'Pages' })).body.description, 'Pages')
  assert.equal((await owner.delete(one)).status, 204)
  assert.deepEqual(await maintainer.get(one), { status: 404, body: { message: '404 Trigger Not Found' } })
})

test('a token starts a pipeline for its owner, with variables from a form (document 1, Request conventions 3)', async () => {
  const { project, maintainer, trigger, url, sha } = await world()
  const form = new URLSearchParams({ token: trigger.token, ref: 'main', 'variables[TARGET]': 'live', 'variables[A_B]': 'x y' })

  const { status, body } = await scene.anonymous.post(url, form)

  assert.equal(status, 201)
  assert.deepEqual([body.ref, body.sha, body.source, body.user.id], ['main', sha, 'trigger', maintainer.id])
  const { body: variables } = await maintainer.get(`${project.url}/pipelines/${body.id}/variables`)
  const payload = JSON.stringify({ ref: 'main', id: String(project.id), variables: { TARGET: 'live', A_B: 'x y' } })
  assert.deepEqual(variables, [
    { variable_type: 'env_var', key: 'TARGET', value: 'live' },
    { variable_type: 'env_var', key: 'A_B', value: 'x y' },
    { variable_type: 'file', key: 'TRIGGER_PAYLOAD', value: payload },
  ])
  assert.notEqual((await maintainer.get(`${project.url}/triggers/${trigger.id}`)).body.last_used, null)
})

test('a reference with slashes stands in the address as it is or encoded', async () => {
  const { project, trigger, developer } = await world()
  await developer.post(`${project.url}/repository/branches`, { branch: 'feature/x/y', ref: 'main' })
  const full = encodeURIComponent(project.full_path)
  for (const ref of ['feature/x/y', 'feature%2Fx%2Fy']) {
    const { status, body } = await scene.anonymous.post(`/projects/${full}/ref/${ref}/trigger/pipeline?token=${trigger.token}`)
    assert.deepEqual([status, body.ref], [201, 'feature/x/y'], JSON.stringify(body))
  }
})

test('only the reference of such an address is rewritten', () => {
  const table: [given: string, encoded: string | undefined][] = [
    ['/api/v4/projects/1/ref/a/b/trigger/pipeline', '/api/v4/projects/1/ref/a%2Fb/trigger/pipeline'],
    ['/api/v4/projects/g%2Fp/ref/a/b/trigger/pipeline?token=x', '/api/v4/projects/g%2Fp/ref/a%2Fb/trigger/pipeline?token=x'],
    ['/api/v4/projects/1/ref/a/trigger/pipeline', undefined],
    ['/api/v4/projects/1/trigger/pipeline', undefined],
    ['/api/v4/projects/1/repository/branches/a/b', undefined],
  ]
  for (const [given, encoded] of table) assert.equal(encodeTriggerRef(given), encoded, given)
})

test('a wrong token is 404, whatever the project; what cannot run is 400 (pipeline triggers API)', async () => {
  const { trigger, url } = await world()
  const elsewhere = await scene.project({ visibility: 'public' })
  const unknown = { status: 404, body: { message: '404 Not found' } }
  assert.deepEqual(await scene.anonymous.post(url, { token: 'x'.repeat(20), ref: 'main' }), unknown)
  assert.deepEqual(await scene.anonymous.post(`${elsewhere.project.url}/trigger/pipeline`, { token: trigger.token, ref: 'main' }), unknown)
  assert.deepEqual(await scene.anonymous.post('/projects/0/trigger/pipeline', { token: trigger.token, ref: 'main' }), unknown)
  assert.deepEqual(await scene.anonymous.post(url, { token: trigger.token, ref: 'gone' }), {
    status: 400,
    body: { message: { base: ['Reference not found'] } },
  })
  assert.deepEqual(await scene.anonymous.post(url, { ref: 'main' }), {
    status: 400,
    body: { message: '400 (Bad request) "token" not given' },
  })
  assert.deepEqual(await scene.anonymous.post(url, { token: trigger.token, ref: 'main', variables: { GOOD: '1', 'A B': '1' } }), {
    status: 400,
    body: { message: { 'variables[A B]': ["can contain only letters, digits and '_'."] } },
  })
  const hook = await scene.anonymous.post(url, { token: trigger.token, ref: 'main' }, { 'x-gitlab-event': 'Pipeline Hook' })
  assert.equal(hook.status, 403)
})

test('the token of a running job starts pipelines where its user may (document 1, Authentication rule 4)', async () => {
  const { project, maintainer, url, sha } = await world()
  const upstream = await scene.project({ owner: maintainer })
  const pipeline = await pipelineOf(scene, upstream.project, { sha, user_id: maintainer.id, status: 'running' })
  const job = await jobOf(scene, pipeline, {
    status: 'running',
    user_id: maintainer.id,
    token_digest: digestOf(`token-of-job-${project.id}`),
  })

  const { status, body } = await scene.anonymous.post(url, { token: `token-of-job-${project.id}`, ref: 'main' })

  assert.deepEqual([status, body.source, body.user?.id], [201, 'pipeline', maintainer.id], JSON.stringify(body))
  const { upstream_job_id } = await db.selectFrom('pipelines').selectAll().where('id', '=', body.id).executeTakeFirstOrThrow()
  assert.equal(upstream_job_id, job.id)
  await db.updateTable('jobs').set({ status: 'success' }).where('id', '=', job.id).execute()
  assert.equal((await scene.anonymous.post(url, { token: `token-of-job-${project.id}`, ref: 'main' })).status, 404)
})

test('a token of a project that is deleted while its pipeline is made finds no project', async () => {
  const { project, trigger, url } = await world()
  const fire = () => scene.anonymous.post(url, { token: trigger.token, ref: 'main' })
  // The pipeline waits for its number.
  const held = ['lock table iid_counters in exclusive mode', []] as const

  const answer = await overtakenBy(scene.deps.database, held, fire, ['delete from projects where id = $1', [project.id]])

  assert.deepEqual(answer, await fire())
  assert.equal(answer.status, 404)
})
