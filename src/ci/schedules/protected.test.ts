/** What schedules may do to protected branches and tags, and to the variables of pipelines. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person } from '../../../test/scene.ts'
import { registered } from '../runner_protocol/scene.ts'
import { runSchedule } from './run.ts'

const scene = await openScene()

const nightly = { description: 'Nightly', ref: 'main', cron: '0 1 * * *' }
const variable = { key: 'TARGET', value: 'good' }

/** A project whose `main`, `release/*` and `v*` are for Maintainers, and `side` for Developers. */
async function world() {
  const made = await scene.project({ members: ['developer', 'maintainer'] })
  const { project, maintainer, owner } = made
  await scene.commit(project, { '.gitlab-ci.yml': 'build: { script: [make] }\n' }, { message: 'Begin [skip ci]' })
  await owner.post(`${project.url}/repository/branches`, { branch: 'side', ref: 'main' })
  await maintainer.post(`${project.url}/protected_branches`, { name: 'release/*', push_access_level: 40, merge_access_level: 40 })
  await maintainer.post(`${project.url}/protected_tags`, { name: 'v*', create_access_level: 40 })
  return { ...made, url: `${project.url}/pipeline_schedules` }
}

const made = async (by: Person, url: string, more: object = {}) => {
  const { status, body } = await by.post(url, { ...nightly, ...more })
  assert.equal(status, 201)
  return `${url}/${body.id}`
}

test('a schedule of a protected branch or tag, also one that is yet to come, is for users who may run pipelines of it', async () => {
  const { developer, maintainer, url } = await world()
  for (const ref of ['main', 'refs/heads/main', 'release/9', 'v9', 'refs/tags/v9']) {
    const { status, body } = await developer.post(url, { ...nightly, ref })
    assert.equal(status, 403, ref)
    assert.match(body.message, /^403 Forbidden - You do not have sufficient permission to run a pipeline on '/)
    await made(maintainer, url, { ref })
  }
  for (const ref of ['side', 'to-come', 'refs/tags/to-come']) await made(developer, url, { ref })
})

test('a schedule is not moved to a protected branch, nor changed once its branch is protected; it may be switched off', async () => {
  const { developer, maintainer, project, url } = await world()
  const one = await made(developer, url, { ref: 'side', variables: [variable] })
  const forbidden = async (what: string, answer: Promise<{ readonly status: number }>) => assert.equal((await answer).status, 403, what)

  await forbidden('moved', developer.put(one, { ref: 'main' }))
  await forbidden('moved and switched off', developer.put(one, { ref: 'main', active: false }))
  await maintainer.post(`${project.url}/protected_branches`, { name: 'side', push_access_level: 40, merge_access_level: 40 })
  await forbidden('renamed', developer.put(one, { description: 'Weekly' }))
  await forbidden('moved away', developer.put(one, { ref: 'other' }))
  await forbidden('variable added', developer.post(`${one}/variables`, { key: 'OTHER', value: 'x' }))
  await forbidden('variable changed', developer.put(`${one}/variables/TARGET`, { value: 'bad' }))
  await forbidden('variable removed', developer.delete(`${one}/variables/TARGET`))
  assert.equal((await developer.put(one, { ...nightly, ref: 'side', active: false })).status, 200)
  await forbidden('switched on', developer.put(one, { active: true }))

  const { body } = await maintainer.get(one)
  assert.deepEqual([body.ref, body.active, body.variables], ['side', false, [{ variable_type: 'env_var', ...variable }]])
  assert.equal((await maintainer.put(`${one}/variables/TARGET`, { value: 'x' })).status, 200)
  assert.equal((await maintainer.put(one, { ref: 'main', active: true })).status, 200)
})

test('a pipeline keeps the variables that its schedule had when it was made, in a retry too, and shows none of them', async () => {
  const { developer, maintainer, project, url } = await world()
  const one = await made(developer, url, { ref: 'side', variables: [variable] })
  const runner = await registered(scene, { project })
  const handed = async () => {
    const { body } = await runner.ask()
    const values = new Map(body.variables.map(({ key, value }: { key: string; value: string }) => [key, value]))
    return { id: body.id, token: body.token, given: [values.get('TARGET'), values.get('ADDED')] }
  }
  await runSchedule(scene.deps, { schedule_id: Number(one.split('/').at(-1)), for: { user_id: maintainer.id } })
  assert.equal((await developer.put(`${one}/variables/TARGET`, { value: 'bad' })).status, 200)
  await developer.post(`${one}/variables`, { key: 'ADDED', value: 'bad' })

  const first = await handed()
  await scene.anonymous.put(`/jobs/${first.id}`, { token: first.token, state: 'failed' })
  const { last_pipeline } = (await maintainer.get(one)).body
  assert.equal((await developer.delete(one)).status, 204)
  assert.equal((await maintainer.post(`${project.url}/jobs/${first.id}/retry`)).status, 201)

  assert.deepEqual(
    [first.given, (await handed()).given],
    [
      ['good', undefined],
      ['good', undefined],
    ],
  )
  assert.deepEqual((await maintainer.get(`${project.url}/pipelines/${last_pipeline.id}/variables`)).body, [])
})

test('where variables are for Maintainers, a schedule with variables runs for nobody else', async () => {
  const { developer, maintainer, project, url } = await world()
  const one = await made(developer, url, { ref: 'side', variables: [variable] })
  const schedule_id = Number(one.split('/').at(-1))
  await maintainer.put(project.url, { restrict_user_defined_variables: true })
  const refusal = 'Insufficient permissions to set pipeline variables'

  assert.deepEqual(await developer.post(`${one}/play`), { status: 403, body: { message: `403 Forbidden - ${refusal}` } })
  await runSchedule(scene.deps, { schedule_id, for: { due_at: '2021-06-01T01:00:00Z' } })
  const { last_pipeline, last_run_errors, active } = (await maintainer.get(one)).body
  assert.deepEqual([last_pipeline, last_run_errors, active], [null, [refusal], true])

  assert.equal((await maintainer.post(`${one}/play`)).status, 201)
  await runSchedule(scene.deps, { schedule_id, for: { user_id: maintainer.id } })
  assert.equal((await maintainer.get(one)).body.last_pipeline.source, 'schedule')
  await developer.delete(`${one}/variables/TARGET`)
  assert.equal((await developer.post(`${one}/play`)).status, 201)
})
