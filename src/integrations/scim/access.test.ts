/** Who may provision whom, and where: document 1 "Authentication"; decision 22. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { errorOf, openProvider, scimUser } from './scene.ts'

const scene = await openScene()
const users = (path: string) => `${scene.url}/api/scim/v2/groups/${path}/Users`

const unauthorized = { status: 401, schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status_text: '401', scimType: undefined }

test('without a token, with a wrong one or with another scheme SCIM is 401, in the form of RFC 7644', async () => {
  const { group, owner } = await openProvider(scene)
  for (const headers of [
    {},
    { authorization: 'Bearer wrong' },
    { authorization: 'non-token' },
    { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` },
    { authorization: `Bearer ${owner.token}` },
    { 'private-token': owner.token },
    { 'private-token': scene.root.token },
  ]) {
    const answer = await scene.as(headers as Record<string, string>).get(users(group.path))
    assert.deepEqual(errorOf(answer), unauthorized)
    assert.equal(answer.headers['content-type'], 'application/scim+json')
    assert.match(answer.headers['www-authenticate'] ?? '', /^Bearer/)
  }
})

test('a token opens nothing but the SCIM of its group', async () => {
  const { group, token } = await openProvider(scene)
  const other = await openProvider(scene)
  const bearer = scene.as({ authorization: `Bearer ${token}` })
  assert.equal((await bearer.get(users(group.path))).status, 200)
  for (const path of [other.group.path, 'no-such-group']) assert.deepEqual(errorOf(await bearer.get(users(path))), unauthorized)
  for (const path of ['/user', '/version', group.url, `${group.url}/scim_token`, '/groups', '/projects'])
    assert.equal((await bearer.get(path)).status, 401, path)
  assert.equal((await scene.as({ 'private-token': token }).get(group.url)).status, 401)
  assert.equal((await scene.anonymous.get(`${group.url}?private_token=${token}`)).status, 401)
})

test('a group below is provisioned with the token of the top-level group, its path encoded or raw (decision 22)', async () => {
  const top = await scene.group()
  const { group: middle } = await scene.group({ parent: top.group, owner: top.owner })
  const { group: nested } = await scene.group({ parent: middle, owner: top.owner })
  const provider = await openProvider(scene, { top, group: nested })
  const person = scimUser()
  assert.equal((await provider.post(person)).status, 201)
  const bearer = scene.as({ authorization: `Bearer ${provider.token}` })
  for (const path of [nested.full_path, encodeURIComponent(nested.full_path), nested.full_path.toUpperCase()])
    for (const end of ['', '/', `/${person.externalId}`, `/${person.externalId}/`, '?startIndex=1'])
      assert.equal((await bearer.get(users(path) + end)).status, 200, path + end)
  const [account] = (await scene.root.get('/users', { username: person.userName })).body
  assert.equal((await scene.root.get(`${nested.url}/members/${account.id}`)).status, 200)
  assert.equal((await scene.root.get(`${top.group.url}/members/${account.id}`)).status, 404)
  assert.equal((await bearer.get(`${users(top.group.path)}/${person.externalId}`)).status, 404)
})

test('nobody gets less in a group below than they have above', async () => {
  const top = await scene.group({ members: ['maintainer'] })
  const { group } = await scene.group({ parent: top.group, owner: top.owner })
  const provider = await openProvider(scene, { top, group })
  await provider.post(scimUser({ emails: [{ type: 'work', value: top.maintainer.email }] }))
  assert.equal((await scene.root.get(`${group.url}/members/${top.maintainer.id}`)).body.access_level, 40)
})

test('a membership above that ends gives no level for good below', async () => {
  const top = await scene.group()
  const member = await scene.user()
  const { group } = await scene.group({ parent: top.group, owner: top.owner })
  const ends = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  assert.equal((await top.owner.post(`${top.group.url}/members`, { user_id: member.id, access_level: 50, expires_at: ends })).status, 201)
  const provider = await openProvider(scene, { top, group })

  await provider.post(scimUser({ emails: [{ type: 'work', value: member.email }] }))

  const [direct] = (await scene.root.get(`${group.url}/members`)).body.filter(({ id }: { id: number }) => id === member.id)
  assert.deepEqual([direct.access_level, direct.expires_at], [10, null])
})

test('a group that was moved below another one is not opened by its token any more', async () => {
  const { group, token } = await openProvider(scene)
  const { group: parent } = await scene.group()
  const moved = await scene.root.post(`${group.url}/transfer`, { group_id: parent.id })
  assert.equal(moved.status, 201)
  const bearer = scene.as({ authorization: `Bearer ${token}` })
  for (const path of [group.path, moved.body.full_path]) assert.equal((await bearer.get(users(path))).status, 401)
})

test('the users of another group are 404, for every method', async () => {
  const [one, other] = [await openProvider(scene), await openProvider(scene)]
  const person = scimUser()
  await other.post(person)
  assert.equal((await one.get(`/Users/${person.externalId}`)).status, 404)
  assert.equal((await one.change(person.externalId, { op: 'replace', path: 'active', value: false })).status, 404)
  assert.equal((await one.delete(person.externalId)).status, 404)
  assert.equal((await other.get(`/Users/${person.externalId}`)).status, 200)
})

test('a method that an address does not have is 405, in SCIM’s words too (decision 6)', async () => {
  const { group, token } = await openProvider(scene)
  const answer = await scene.as({ authorization: `Bearer ${token}` }).put(`${users(group.path)}/x`, {})
  assert.deepEqual([answer.status, answer.body.status, answer.headers['content-type']], [405, '405', 'application/scim+json'])
  assert.equal(answer.headers.allow, 'DELETE, GET, HEAD, PATCH')
})
