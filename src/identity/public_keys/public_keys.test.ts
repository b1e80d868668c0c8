/** The public keys of a user as texts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { newGpgKey } from '../gpg_keys/scene.ts'
import { newKey } from '../keys/scene.ts'

const scene = await openScene()

test('the SSH keys of a user are lines for machines, without the comments of their owner', async () => {
  const person = await scene.user({ username: 'ada.l' })
  const [key, other] = [newKey(), newKey()]
  await person.post('/user/keys', { title: 'Laptop', key: `${key.split(' ', 2).join(' ')} ada@home.example.com` })
  await person.post('/user/keys', { title: 'Desk', key: other })

  const { status, body, headers } = await scene.anonymous.get(`${scene.url}/${person.username}.keys`)

  assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8'])
  const lines = [key, other].map(each => `${each.split(' ', 2).join(' ')} ${person.name} (127.0.0.1)\n`)
  assert.equal(body, lines.join(''))
})

test('the GPG keys of a user are given as they were added; an unknown user is a 404', async () => {
  const person = await scene.user()
  const key = newGpgKey()
  await person.post('/user/gpg_keys', { key })

  assert.equal((await scene.anonymous.get(`${scene.url}/${person.username}.gpg`)).body.trim(), key.trim())
  assert.equal((await scene.anonymous.get(`${scene.url}/${person.username}.keys`)).body ?? '', '')
  assert.equal((await scene.anonymous.get(`${scene.url}/nobody-of-this-name.keys`)).status, 404)
})

test('the SSH keys of an account that is blocked let nobody in elsewhere', async () => {
  const person = await scene.user()
  await person.post('/user/keys', { title: 'Laptop', key: newKey() })
  await scene.root.post(`/users/${person.id}/block`)

  const { status, body } = await scene.anonymous.get(`${scene.url}/${person.username}.keys`)

  assert.deepEqual([status, body ?? ''], [200, ''])
})
