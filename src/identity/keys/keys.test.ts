import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { parseKey } from './parse.ts'
import { newKey } from './scene.ts'

const scene = await openScene()

test('an added key is listed, read and deleted', async () => {
  const person = await scene.user()
  const key = newKey()

  const added = await person.post('/user/keys', { title: 'Laptop', key, expires_at: '2099-01-02T03:04:05Z' })

  const { id, created_at, ...rest } = added.body
  assert.match(created_at, /Z$/)
  assert.deepEqual([added.status, rest], [201, { title: 'Laptop', key, expires_at: '2099-01-02T03:04:05.000Z' }])
  assert.deepEqual((await person.get('/user/keys')).body, [added.body])
  assert.deepEqual(await person.get(`/user/keys/${id}`), { status: 200, body: added.body })
  assert.deepEqual(await person.delete(`/user/keys/${id}`), { status: 204, body: undefined })
  assert.deepEqual(await person.get(`/user/keys/${id}`), { status: 404, body: { message: '404 Key Not Found' } })
})

test('an invalid key and a key in use are refused', async () => {
  const [person, other] = [await scene.user(), await scene.user()]
  const key = newKey()
  await other.post('/user/keys', { title: 'Mine', key })

  assert.deepEqual(await person.post('/user/keys', { title: 'x', key: 'ssh-rsa nonsense' }), {
    status: 400,
    body: { message: { key: ['is invalid'] } },
  })
  assert.deepEqual(await person.post('/user/keys', { title: 'x', key: `${key} under another name` }), {
    status: 400,
    body: { message: { fingerprint: ['has already been taken'] } },
  })
})

test('the keys of a user are public, and administrators add and delete them', async () => {
  const person = await scene.user()
  const added = await scene.root.post(`/users/${person.id}/keys`, { title: 'Given', key: newKey() })

  assert.equal(added.status, 201)
  assert.deepEqual((await scene.anonymous.get(`/users/${person.username}/keys`)).body, [added.body])
  assert.deepEqual((await scene.anonymous.get(`/users/${person.id}/keys/${added.body.id}`)).body, added.body)
  assert.equal((await person.post(`/users/${person.id}/keys`, { title: 'x', key: newKey() })).status, 403)
  assert.equal((await scene.root.delete(`/users/${person.id}/keys/${added.body.id}`)).status, 204)
})

test('another user’s key is not found among one’s own', async () => {
  const [person, other] = [await scene.user(), await scene.user()]
  const { id } = (await other.post('/user/keys', { title: 'x', key: newKey() })).body

  assert.equal((await person.get(`/user/keys/${id}`)).status, 404)
  assert.equal((await person.delete(`/user/keys/${id}`)).status, 404)
  assert.equal((await scene.root.get(`/users/${person.id}/keys/${id}`)).status, 404)
})

test('administrators find the owner of a key, by its id and by its fingerprints', async () => {
  const person = await scene.user()
  const key = newKey()
  const { id } = (await person.post('/user/keys', { title: 'x', key })).body
  const parsed = parseKey(key)

  const found = await scene.root.get(`/keys/${id}`)
  assert.deepEqual([found.status, found.body.key, found.body.user.username], [200, key, person.username])
  for (const fingerprint of [
    `SHA256:${parsed?.fingerprintSha256}`,
    `sha256:${parsed?.fingerprintSha256}=`,
    parsed?.fingerprint,
    `MD5:${parsed?.fingerprint.toUpperCase()}`,
  ])
    assert.deepEqual((await scene.root.get('/keys', { fingerprint })).body, found.body, fingerprint)
  assert.equal((await scene.root.get('/keys', { fingerprint: 'SHA256:none' })).status, 404)
  assert.equal((await person.get(`/keys/${id}`)).status, 403)
})
