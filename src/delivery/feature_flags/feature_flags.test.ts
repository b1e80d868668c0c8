import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()

const everywhere = { name: 'default', parameters: {}, scopes: [{ environment_scope: '*' }] }

test('a flag is added, changed strategy by strategy, switched off and deleted', async () => {
  const { project, developer } = await scene.project({ members: ['developer'] })
  const url = `${project.url}/feature_flags`
  const made = await developer.post(url, {
    name: 'new_checkout',
    description: 'The short one',
    version: 'new_version_flag',
    strategies: [everywhere, { name: 'userWithId', parameters: { userIds: 'ida,jo' }, scopes: [{ environment_scope: 'production' }] }],
  })

  assert.equal(made.status, 201)
  const { strategies, created_at: _, updated_at: __, ...rest } = made.body
  assert.deepEqual(rest, {
    name: 'new_checkout',
    description: 'The short one',
    active: true,
    version: 'new_version_flag',
    scopes: [],
  })
  const [first, second] = strategies
  assert.deepEqual(
    { ...second, id: 0, scopes: second.scopes.map((scope: object) => ({ ...scope, id: 0 })) },
    { id: 0, name: 'userWithId', parameters: { userIds: 'ida,jo' }, scopes: [{ id: 0, environment_scope: 'production' }], user_list: null },
  )
  const changed = await developer.put(`${url}/new_checkout`, {
    name: 'checkout',
    active: false,
    strategies: [
      { id: first.id, _destroy: true },
      { id: second.id, parameters: { userIds: 'ida' }, scopes: [{ id: second.scopes[0].id, environment_scope: 'review/*' }] },
      { name: 'gradualRolloutUserId', parameters: { groupId: 'default', percentage: '25' }, scopes: [{ environment_scope: 'staging' }] },
    ],
  })

  assert.equal(changed.status, 200)
  assert.deepEqual(
    changed.body.strategies.map(({ name, parameters, scopes }: typeof second) => [name, parameters, scopes[0].environment_scope]),
    [
      ['userWithId', { userIds: 'ida' }, 'review/*'],
      ['gradualRolloutUserId', { groupId: 'default', percentage: '25' }, 'staging'],
    ],
  )
  assert.equal(changed.body.strategies[0].id, second.id)
  assert.equal((await developer.get(`${url}/new_checkout`)).status, 404)
  assert.deepEqual((await developer.get(url, { scope: 'enabled' })).body, [])
  assert.equal((await developer.get(url, { scope: 'disabled' })).body.length, 1)
  const removed = await developer.delete(`${url}/checkout`)
  assert.deepEqual([removed.status, removed.body.name], [200, 'checkout'])
  assert.equal((await developer.get(`${url}/checkout`)).status, 404)
})

for (const [wrong, sent] of Object.entries({
  'a name with capitals': { name: 'Checkout' },
  'a name of one letter': { name: 'c' },
  'a name that ends with a dash': { name: 'check-' },
  'a flag of the former version': { version: 'legacy_flag' },
  'an unknown strategy': { strategies: [{ name: 'moon', parameters: {} }] },
  'a parameter too many': { strategies: [{ name: 'default', parameters: { a: '1' } }] },
  'a percentage beyond 100': { strategies: [{ name: 'gradualRolloutUserId', parameters: { groupId: 'default', percentage: '101' } }] },
  'a percentage that is a number': { strategies: [{ name: 'gradualRolloutUserId', parameters: { groupId: 'default', percentage: 50 } }] },
  'a stickiness that is none': {
    strategies: [{ name: 'flexibleRollout', parameters: { groupId: 'default', rollout: '10', stickiness: 'hair' } }],
  },
  'users with a NUL, within JSON': { strategies: [{ name: 'userWithId', parameters: JSON.stringify({ userIds: 'a\0' }) }] },
  'users with the same twice': { strategies: [{ name: 'userWithId', parameters: { userIds: 'a,a' } }] },
  'a user list that is not named': { strategies: [{ name: 'gitlabUserList', parameters: {} }] },
  'the same environment twice': { strategies: [{ ...everywhere, scopes: [{ environment_scope: '*' }, { environment_scope: '*' }] }] },
  'an environment that no name can be': { strategies: [{ ...everywhere, scopes: [{ environment_scope: 'a;b' }] }] },
}))
  test(`${wrong} is refused`, async () => {
    const { project, developer } = await scene.project({ members: ['developer'] })

    const answer = await developer.post(`${project.url}/feature_flags`, { name: 'fine', ...sent })

    assert.equal(answer.status, 400, JSON.stringify(answer.body))
    assert.deepEqual((await developer.get(`${project.url}/feature_flags`)).body, [])
  })

test('a name is taken once in a project, and strategies of other flags are none of this one', async () => {
  const { project, developer } = await scene.project({ members: ['developer'] })
  const url = `${project.url}/feature_flags`
  const other = await developer.post(url, { name: 'other', strategies: [everywhere] })
  await developer.post(url, { name: 'one' })

  const taken = await developer.post(url, { name: 'one' })
  assert.deepEqual([taken.status, taken.body], [400, { message: { name: ['has already been taken'] } }])
  assert.equal((await developer.put(`${url}/one`, { strategies: [{ id: other.body.strategies[0].id, _destroy: true }] })).status, 404)
  assert.equal((await developer.put(`${url}/one`, { name: 'other' })).status, 400)
  assert.equal((await developer.get(`${url}/other`)).body.strategies.length, 1)
})

test('lists of users are kept, named by strategies of their project alone, and not deleted while they are', async () => {
  const [{ project, developer }, elsewhere] = [await scene.project({ members: ['developer'] }), await scene.project({})]
  const url = `${project.url}/feature_flags_user_lists`
  const list = await developer.post(url, { name: 'testers', user_xids: 'ida,jo' })
  const foreign = await scene.root.post(`${elsewhere.project.url}/feature_flags_user_lists`, { name: 'theirs', user_xids: 'x' })
  const strategyOf = (user_list_id: number) => ({ strategies: [{ ...everywhere, name: 'gitlabUserList', user_list_id }] })

  assert.deepEqual([list.status, list.body.iid, list.body.project_id, list.body.user_xids], [201, 1, project.id, 'ida,jo'])
  assert.equal((await developer.post(url, { name: 'testers', user_xids: 'a' })).status, 400)
  assert.equal((await developer.post(url, { name: 'twice', user_xids: 'a,a' })).status, 400)
  assert.equal((await developer.post(`${project.url}/feature_flags`, { name: 'stolen', ...strategyOf(foreign.body.id) })).status, 404)
  const flag = await developer.post(`${project.url}/feature_flags`, { name: 'listed', ...strategyOf(list.body.id) })
  assert.deepEqual(flag.body.strategies[0].user_list, { id: list.body.id, iid: 1, name: 'testers', user_xids: 'ida,jo' })
  const refused = await developer.delete(`${url}/1`)
  assert.deepEqual([refused.status, refused.body], [409, { message: ['User list is associated with a strategy'] }])
  assert.equal((await developer.put(`${url}/1`, { user_xids: 'ida' })).body.user_xids, 'ida')
  assert.deepEqual((await developer.get(url, { search: 'EST' })).body.length, 1)
  assert.deepEqual((await developer.get(url, { search: 'none' })).body, [])
  const named = await developer.put(`${project.url}/feature_flags/listed`, {
    strategies: [{ id: flag.body.strategies[0].id, name: 'default', parameters: {} }],
  })
  assert.equal(named.body.strategies[0].user_list, null)
  assert.equal((await developer.delete(`${url}/1`)).status, 204)
  assert.equal((await developer.get(`${url}/1`)).status, 404)
})

test('flags are for Developers, and for no one where operations are switched off', async () => {
  const { project, owner, developer, reporter } = await scene.project({ visibility: 'public', members: ['developer', 'reporter'] })
  const paths = ['feature_flags', 'feature_flags_user_lists', 'feature_flags_client'].map(path => `${project.url}/${path}`)
  await developer.post(`${project.url}/feature_flags`, { name: 'flag' })

  for (const path of paths) {
    assert.equal((await developer.get(path)).status, 200, path)
    assert.equal((await reporter.get(path)).status, 403, path)
    assert.equal((await scene.anonymous.get(path)).status, 401, path)
  }
  assert.equal((await developer.post(`${project.url}/feature_flags_client/reset_token`, {})).status, 403)
  await owner.put(project.url, { operations_access_level: 'disabled' })
  for (const path of paths) assert.equal((await developer.get(path)).status, 404, path)
})
