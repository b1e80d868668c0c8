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

/** Ids of users, of so many bytes. */
const users = (bytes: number) => Array.from({ length: Math.floor(bytes / 250) }, (_, n) => String(n).padStart(249, '0')).join()

test('flags are as large together as an answer may be, whatever names a list, and what is too large becomes smaller', async () => {
  const { project, developer } = await scene.project({ members: ['developer'] })
  const lists = `${project.url}/feature_flags_user_lists`
  const { body: list } = await developer.post(lists, { name: 'many', user_xids: users(400_000) })
  const naming = (times: number) => ({
    strategies: Array.from({ length: times }, () => ({
      name: 'gitlabUserList',
      parameters: {},
      user_list_id: list.id,
      scopes: [{ environment_scope: 'production' }],
    })),
  })
  const flags = `${project.url}/feature_flags`
  const refused = {
    status: 400,
    body: { message: { base: ['The strategies and users of all feature flags are too large together (maximum is 16 MB)'] } },
  }

  assert.equal((await developer.post(flags, { name: 'first', ...naming(40) })).status, 201)
  assert.deepEqual(await developer.post(flags, { name: 'second', ...naming(2) }), refused)
  assert.equal((await developer.post(flags, { name: 'second', ...naming(1) })).status, 201)
  assert.deepEqual(await developer.put(`${flags}/second`, naming(1)), refused)
  assert.deepEqual(await developer.put(`${lists}/1`, { user_xids: users(450_000) }), refused)
  const own = { strategies: [{ name: 'userWithId', parameters: { userIds: users(400_000) } }] }
  assert.deepEqual(await developer.post(flags, { name: 'third', ...own }), refused)

  // As earlier versions let it come about.
  const { pool } = scene.deps.database
  await pool.query('update flag_user_lists set user_xids = $1 where id = $2', [users(480_000), list.id])
  const { body: second } = await developer.get(`${flags}/second`)
  const less = { strategies: [{ id: second.strategies[0].id, _destroy: true }] }
  assert.deepEqual((await developer.put(`${flags}/second`, less)).body.strategies, [])
  assert.equal((await developer.put(`${lists}/1`, { user_xids: 'ida' })).status, 200)
})

test('the users of lists are read where there is room in memory for the answer', async () => {
  const { project, developer } = await scene.project({ members: ['developer'] })
  const user_xids = users(400_000)
  const { body: list } = await developer.post(`${project.url}/feature_flags_user_lists`, { name: 'many', user_xids })
  const strategy = { name: 'gitlabUserList', parameters: {}, user_list_id: list.id, scopes: [{ environment_scope: 'production' }] }
  await developer.post(`${project.url}/feature_flags`, { name: 'flag', strategies: Array.from({ length: 10 }, () => strategy) })
  const { instance_id } = await clientOf(project)
  const { answers } = scene.deps.limiter
  const asked = async () => [
    (await sentTo(project, instance_id, 'production')).status,
    (await sentTo(project, instance_id, 'staging')).status,
    (await developer.get(`${project.url}/feature_flags`)).status,
  ]

  // All callers have room for 256 MB.
  const taken = ['a', 'b', 'c', 'd'].map((holder, n) => answers.take(`user:${holder}`, (n < 3 ? 80 : 14) * 1024 * 1024))
  const refused = await asked()
  for (const give of taken) give()
  const [{ strategies }] = (await sentTo(project, instance_id, 'production')).body.features

  assert.deepEqual(
    [refused, await asked()],
    [
      [503, 200, 503],
      [200, 200, 200],
    ],
  )
  assert.equal(strategies.length, 10)
  assert.ok(strategies.every(({ parameters }: { parameters: { userIds: string } }) => parameters.userIds === user_xids))
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
