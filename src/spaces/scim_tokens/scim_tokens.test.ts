import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { openToOwners } from '../../integrations/scim/scene.ts'

const scene = await openScene()
await openToOwners(scene)

const listWith = async (token: string, path: string) =>
  (await scene.as({ authorization: `Bearer ${token}` }).get(`${scene.url}/api/scim/v2/groups/${path}/Users`)).status

test('a group owner enables SCIM and sees the token once; only its digest is stored', async () => {
  const { group, owner } = await scene.group()

  const created = await owner.post(`${group.url}/scim_token`)

  assert.equal(created.status, 201)
  const { token, created_at, ...rest } = created.body
  assert.match(token, /^[\w-]{20}$/)
  assert.deepEqual(rest, { scim_url: `${scene.url}/api/scim/v2/groups/${group.path}` })
  assert.deepEqual(await owner.get(`${group.url}/scim_token`), {
    status: 200,
    body: { scim_url: rest.scim_url, default_membership_role: 10, created_at },
  })
  assert.equal(await listWith(token, group.path), 200)
  const rows = await scene.deps.database.db.selectFrom('scim_tokens').selectAll().execute()
  assert.ok(!JSON.stringify(rows).includes(token))
})

test('enabling again gives another token, and the old one is invalid immediately; the role stays unless given', async () => {
  const { group, owner } = await scene.group()
  const first = await owner.post(`${group.url}/scim_token`, { default_membership_role: 30 })
  const second = await owner.post(`${group.url}/scim_token`)
  assert.equal(await listWith(first.body.token, group.path), 401)
  assert.equal(await listWith(second.body.token, group.path), 200)
  assert.equal((await owner.get(`${group.url}/scim_token`)).body.default_membership_role, 30)
  await owner.post(`${group.url}/scim_token`, { default_membership_role: 20 })
  assert.equal((await owner.get(`${group.url}/scim_token`)).body.default_membership_role, 20)
})

test('with SCIM disabled the endpoints answer 401; enabled again, the provisioned users are still there', async () => {
  const { group, owner } = await scene.group()
  const { token, scim_url } = (await owner.post(`${group.url}/scim_token`)).body
  const person = { externalId: 'u', userName: 'off.and.on', name: { formatted: 'On' }, emails: [{ value: 'off.and.on@example.com' }] }
  await scene.as({ authorization: `Bearer ${token}` }).post(`${scim_url}/Users`, person)

  assert.deepEqual(await owner.delete(`${group.url}/scim_token`), { status: 204, body: undefined })

  assert.equal(await listWith(token, group.path), 401)
  const off = { status: 404, body: { message: '404 SCIM Token Not Found' } }
  assert.deepEqual(await owner.get(`${group.url}/scim_token`), off)
  assert.deepEqual(await owner.delete(`${group.url}/scim_token`), off)
  const again = (await owner.post(`${group.url}/scim_token`)).body
  assert.equal((await scene.as({ authorization: `Bearer ${again.token}` }).get(`${scim_url}/Users/u`)).status, 200)
})

test('only a top-level group can have SCIM', async () => {
  const { group: parent, owner } = await scene.group()
  const { group } = await scene.group({ parent, owner })
  assert.deepEqual(await owner.post(`${group.url}/scim_token`), {
    status: 400,
    body: { message: '400 Bad request - SCIM can be turned on for a top-level group only' },
  })
})

test('an unknown role is 400', async () => {
  const { group, owner } = await scene.group()
  for (const default_membership_role of [0, 5, 60, 'guest'])
    assert.equal((await owner.post(`${group.url}/scim_token`, { default_membership_role })).status, 400)
})
