import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene({ settings: { rateLimit: 'sign_in=3' } })

test('attempts to sign in are limited for each address, right or wrong, and the page says when to come back (document 1: 429)', async () => {
  const attempt = () => scene.anonymous.post(`${scene.url}/users/sign_in`, new URLSearchParams({ login: 'root', password: 'wrong' }))
  for (let count = 1; count <= 3; count++) assert.equal((await attempt()).status, 401)

  const refused = await attempt()

  assert.equal(refused.status, 429)
  assert.match(refused.headers['content-type'] ?? '', /^text\/html/)
  assert.match(refused.body, /Too many attempts/)
  assert.ok(Number(refused.headers['retry-after']) > 0)
})
