import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type SceneProject } from '../../../../test/scene.ts'

const scene = await openScene()

const pathOf = (project: SceneProject) => `/feature_flags/unleash/${project.id}`

/** The flags that an application is sent. */
async function sentTo(project: SceneProject, instanceId: string, environment?: string) {
  const headers = { 'unleash-instanceid': instanceId, ...(environment !== undefined && { 'unleash-appname': environment }) }
  const response = await fetch(`${scene.url}/api/v4${pathOf(project)}/client/features`, { headers })
  // biome-ignore lint/suspicious/noExplicitAny: an answer
  return { status: response.status, body: (await response.json()) as any }
}

const clientOf = async (project: SceneProject) => (await scene.root.get(`${project.url}/feature_flags_client`)).body

test('an application is sent the strategies of its environment alone', async () => {
  const { project } = await scene.project({})
  const url = `${project.url}/feature_flags`
  const list = await scene.root.post(`${project.url}/feature_flags_user_lists`, { name: 'testers', user_xids: 'ida,jo' })
  const inScope = (environment_scope: string) => ({ scopes: [{ environment_scope }] })
  await scene.root.post(url, {
    name: 'zebra',
    description: 'Stripes',
    strategies: [
      { name: 'default', parameters: {}, ...inScope('staging') },
      { name: 'gitlabUserList', parameters: {}, user_list_id: list.body.id, ...inScope('review/*') },
    ],
  })
  await scene.root.post(url, { name: 'apple', active: false, strategies: [{ name: 'default', parameters: {}, ...inScope('*') }] })
  await scene.root.post(url, { name: 'nowhere' })
  const { instance_id, api_url } = await clientOf(project)

  const [review, staging, unnamed] = [
    await sentTo(project, instance_id, 'review/7'),
    await sentTo(project, instance_id, 'staging'),
    await sentTo(project, instance_id),
  ]

  assert.equal(api_url, `${scene.url}/api/v4${pathOf(project)}`)
  const apple = { name: 'apple', enabled: false, strategies: [{ name: 'default', parameters: {} }] }
  const zebra = { name: 'zebra', description: 'Stripes', enabled: true }
  assert.deepEqual(review.body, {
    version: 1,
    features: [{ ...zebra, strategies: [{ name: 'userWithId', parameters: { userIds: 'ida,jo' } }] }, apple],
  })
  assert.deepEqual(staging.body, { version: 1, features: [{ ...zebra, strategies: [{ name: 'default', parameters: {} }] }, apple] })
  assert.deepEqual(unnamed, { status: 200, body: { version: 1, features: [] } })
})

test('without the instance ID of the project the answer is 401, whether there is such a project or not', async () => {
  const [{ project, owner }, other] = [await scene.project({}), await scene.project({})]
  const { instance_id } = await clientOf(project)
  const refused = { status: 401, body: { message: '401 Unauthorized' } }

  assert.deepEqual(await sentTo(project, 'wrong', 'production'), refused)
  assert.deepEqual(await sentTo(other.project, instance_id, 'production'), refused)
  assert.deepEqual(await sentTo({ ...project, id: 999_999_999 }, instance_id, 'production'), refused)
  for (const path of ['', '/features', '/client/features'])
    assert.equal((await scene.anonymous.get(`${pathOf(project)}${path}`)).status, 401, path)
  for (const path of ['/client/register', '/client/metrics']) {
    assert.equal((await scene.anonymous.post(`${pathOf(project)}${path}`, {})).status, 401, path)
    assert.equal((await scene.anonymous.post(`${pathOf(project)}${path}`, { instance_id })).status, 200, path)
  }
  assert.equal((await scene.anonymous.get(`${pathOf(project)}/features`, { instance_id, app_name: 'production' })).status, 200)
  const fresh = (await owner.post(`${project.url}/feature_flags_client/reset_token`, {})).body.instance_id
  assert.notEqual(fresh, instance_id)
  assert.deepEqual(await sentTo(project, instance_id, 'production'), refused)
  assert.equal((await sentTo(project, fresh, 'production')).status, 200)
  await owner.put(project.url, { operations_access_level: 'disabled' })
  assert.deepEqual(await sentTo(project, fresh, 'production'), refused)
})

test('the instance ID is kept encrypted', async () => {
  const { project } = await scene.project({})
  const { instance_id } = await clientOf(project)

  const row = await scene.deps.database.db
    .selectFrom('flag_clients')
    .selectAll()
    .where('project_id', '=', project.id)
    .executeTakeFirstOrThrow()

  assert.ok(!JSON.stringify(row).includes(instance_id))
})
