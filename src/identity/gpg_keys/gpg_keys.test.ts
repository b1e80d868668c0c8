import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { newGpgKey } from './scene.ts'

const scene = await openScene()

test('an added key is listed, read and deleted; others see it', async () => {
  const person = await scene.user()
  const key = newGpgKey()

  const added = await person.post('/user/gpg_keys', { key: `\n${key}\n` })

  const { id, created_at, ...rest } = added.body
  assert.match(created_at, /Z$/)
  assert.deepEqual([added.status, rest], [201, { key }])
  assert.deepEqual((await person.get('/user/gpg_keys')).body, [added.body])
  assert.deepEqual((await person.get(`/user/gpg_keys/${id}`)).body, added.body)
  assert.deepEqual((await scene.anonymous.get(`/users/${person.id}/gpg_keys`)).body, [added.body])
  assert.deepEqual((await scene.anonymous.get(`/users/${person.id}/gpg_keys/${id}`)).body, added.body)
  assert.deepEqual(await person.delete(`/user/gpg_keys/${id}`), { status: 204, body: undefined })
  assert.deepEqual(await person.get(`/user/gpg_keys/${id}`), { status: 404, body: { message: '404 GPG Key Not Found' } })
})

test('an invalid key and a key in use are refused', async () => {
  const [person, other] = [await scene.user(), await scene.user()]
  const key = newGpgKey()
  await other.post('/user/gpg_keys', { key })

  assert.deepEqual(await person.post('/user/gpg_keys', { key: 'rubbish' }), {
    status: 400,
    body: { message: { key: ['is invalid: it must be one armoured public key'] } },
  })
  assert.deepEqual(await person.post('/user/gpg_keys', { key }), {
    status: 400,
    body: { message: { fingerprint: ['has already been taken'] } },
  })
})

test('only administrators add and delete keys of other users', async () => {
  const [person, other] = [await scene.user(), await scene.user()]
  const added = await scene.root.post(`/users/${person.id}/gpg_keys`, { key: newGpgKey() })

  assert.equal(added.status, 201)
  assert.equal((await other.post(`/users/${person.id}/gpg_keys`, { key: newGpgKey() })).status, 403)
  assert.equal((await other.delete(`/user/gpg_keys/${added.body.id}`)).status, 404)
  assert.equal((await scene.root.delete(`/users/${person.id}/gpg_keys/${added.body.id}`)).status, 204)
})
