/** Addresses without a page have the frame of those who ask. */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { holdTable } from '../../../test/held_table.ts'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import { liveScene } from './live/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const inBrowser = { accept: 'text/html' }

test('an address that is not there is shown in the frame of the caller, and no other', async () => {
  const { person, client } = await surfer()
  // The second takes forms alone: a browser that loads again what a form has led to asks for it.
  for (const [path, status] of [
    ['/no/such/page/anywhere', 404],
    ['/users/impersonation/stop', 405],
  ] as const) {
    const mine = await client.get(scene.url + path, {}, inBrowser)
    assert.equal(mine.status, status, path)
    assert.match(mine.body, new RegExp(`@${person.username}<`))
    assert.doesNotMatch(mine.body, /Sign in/)
    assert.match(String(mine.headers['content-security-policy']), /script-src 'self'/)
    assert.equal(mine.headers['cache-control'], 'no-store')

    const theirs = await scene.anonymous.get(scene.url + path, {}, inBrowser)
    assert.equal(theirs.status, status)
    assert.match(theirs.body, />Sign in</)
  }
})

test('an address of the API has its form of the refusal, signed in or not', async () => {
  const { client } = await surfer()
  const { status, body } = await client.get(`${scene.url}/api/v4/no/such/thing`, {}, inBrowser)
  assert.deepEqual([status, body], [404, { error: '404 Not Found' }])
})

test('the end of the application waits for who asked, although they have left', async () => {
  const { person } = await surfer()
  const headers = { ...inBrowser, cookie: await liveScene(scene).cookieOf(person.username) }
  const held = await holdTable(scene.deps.database, 'sessions')
  const asked = request(`${scene.url}/users/impersonation/stop`, { agent: false, headers }).on('error', () => {})
  asked.end()
  await held.awaited()
  asked.destroy()
  const order: string[] = []
  const closed = scene.app.close().then(() => order.push('closed'))
  // Longer than the end takes where nothing is waited for.
  await new Promise(resolve => setTimeout(resolve, 200))
  order.push('released')
  await held.release()
  await closed
  assert.deepEqual(order, ['released', 'closed'])
})
