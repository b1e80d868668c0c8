/** `unleash-client` as npm has it: an application of a project reads its feature flags. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InMemStorageProvider, Unleash } from 'unleash-client'
import { openScene } from '../scene.ts'

const scene = await openScene()

test('an application asks whether flags are on, by its environment, for users, lists and shares', async t => {
  const { project, developer } = await scene.project({ members: ['developer'] })
  const url = `${project.url}/feature_flags`
  const list = await developer.post(`${project.url}/feature_flags_user_lists`, { name: 'testers', user_xids: 'jo' })
  const inProduction = { scopes: [{ environment_scope: 'prod*' }] }
  const share = (rollout: string) => ({
    name: 'flexibleRollout',
    parameters: { groupId: 'default', rollout, stickiness: 'userId' },
    ...inProduction,
  })
  const flags: Readonly<Record<string, object>> = {
    everyone: { strategies: [{ name: 'default', parameters: {}, ...inProduction }] },
    elsewhere: { strategies: [{ name: 'default', parameters: {}, scopes: [{ environment_scope: 'staging' }] }] },
    off: { active: false, strategies: [{ name: 'default', parameters: {}, ...inProduction }] },
    ida: { strategies: [{ name: 'userWithId', parameters: { userIds: 'ida' }, ...inProduction }] },
    listed: { strategies: [{ name: 'gitlabUserList', parameters: {}, user_list_id: list.body.id, ...inProduction }] },
    all: { strategies: [share('100')] },
    none: { strategies: [share('0')] },
    gradual: { strategies: [{ name: 'gradualRolloutUserId', parameters: { groupId: 'default', percentage: '100' }, ...inProduction }] },
  }
  for (const [name, flag] of Object.entries(flags)) assert.equal((await developer.post(url, { name, ...flag })).status, 201, name)
  const { api_url, instance_id } = (await developer.get(`${project.url}/feature_flags_client`)).body
  const client = new Unleash({
    url: `${api_url}/`,
    appName: 'production',
    instanceId: instance_id,
    storageProvider: new InMemStorageProvider(),
    refreshInterval: 3_600_000,
    metricsInterval: 3_600_000,
  })
  t.after(() => client.destroy())
  const problems: unknown[] = []
  client.on('error', problem => problems.push(problem))
  client.on('warn', problem => problems.push(problem))
  await Promise.all(['registered', 'synchronized'].map(event => new Promise(resolve => client.on(event, resolve))))

  const on = (userId?: string) => Object.keys(flags).filter(name => client.isEnabled(name, userId === undefined ? {} : { userId }))

  assert.deepEqual(on('ida'), ['everyone', 'ida', 'all', 'gradual'])
  assert.deepEqual(on('jo'), ['everyone', 'listed', 'all', 'gradual'])
  const sent = new Promise(resolve => client.on('sent', resolve))
  await client.flushMetrics()
  await sent
  assert.deepEqual(problems, [])
})
