/** The device authorization grant, from the view of a client library and of the user who answers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as client from 'openid-client'
import { openScene } from '../../../../test/scene.ts'
import { type App, oauthScene, type Surfer } from '../scene.ts'
import { sweepDeviceGrants } from './commands.ts'

const scene = await openScene()
const { app, surfer, token, bearer } = oauthScene(scene)
const { db } = scene.deps.database
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

const publicApp = () => app({ confidential: false, scopes: 'openid api read_user' })

async function begun(application: App, scope = 'read_user') {
  const answer = await scene.anonymous.post(
    `${scene.url}/oauth/authorize_device`,
    new URLSearchParams({ client_id: application.client_id, scope }),
  )
  assert.equal(answer.status, 200)
  return answer.body as { device_code: string; user_code: string; verification_uri_complete: string }
}

const asks = (application: App, device_code: string) => token({ grant_type: GRANT, client_id: application.client_id, device_code })
const answers = (person: Surfer, user_code: string, decision: string) => person.submit('/oauth/device', { user_code, decision })

async function later<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  scene.setTime(new Date(Date.now() + milliseconds).toISOString())
  try {
    return await work()
  } finally {
    scene.setTime(undefined)
  }
}

test('a client library finds the grant by discovery, and gets a token when the user has typed the code and agreed', async () => {
  const application = await publicApp()
  const config = await client.discovery(new URL(scene.url), application.client_id, undefined, client.None(), {
    execute: [client.allowInsecureRequests],
  })
  const person = await surfer()
  const started = await client.initiateDeviceAuthorization(config, { scope: 'openid read_user' })
  assert.deepEqual([started.expires_in, started.interval], [600, 5])
  assert.match(started.user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
  const complete = new URL(started.verification_uri_complete as string)

  const asked = await person.get(complete.pathname, Object.fromEntries(complete.searchParams))
  assert.match(asked.body, new RegExp(`value="${started.user_code}"`))
  const shown = await person.submit('/oauth/device', { user_code: started.user_code.toLowerCase().replace('-', ' ') })
  assert.match(shown.body, /Connect Time sheet\?[\s\S]*Read your profile/)
  const done = await answers(person, started.user_code, 'allow')
  assert.match(done.body, /The device is connected/)
  const tokens = await client.pollDeviceAuthorizationGrant(config, { ...started, interval: 0 })

  assert.equal(tokens.claims()?.sub, String(person.person.id))
  assert.equal((await bearer(tokens.access_token).get('/user')).body.id, person.person.id)
  assert.equal((await person.client.get('/user/oauth_grants')).body.length, 1)
})

test('a device waits, slows down, and asks in vain when its time is over', async () => {
  const application = await publicApp()
  const { device_code } = await begun(application)
  const errorOf = async () => (await asks(application, device_code)).body.error

  assert.equal(await errorOf(), 'authorization_pending')
  assert.equal(await errorOf(), 'slow_down')
  assert.equal(await later(7_000, errorOf), 'slow_down', 'five seconds more between its questions')
  assert.equal(await later(30_000, errorOf), 'authorization_pending')
  assert.equal(await later(600_000, errorOf), 'expired_token')
})

test('a code gives one token, and none to another client, after a denial, or to an account that was blocked', async () => {
  const application = await publicApp()
  const person = await surfer()
  const used = await begun(application)
  await answers(person, used.user_code, 'allow')
  assert.equal((await asks(await publicApp(), used.device_code)).body.error, 'invalid_grant')
  const together = await Promise.all([asks(application, used.device_code), asks(application, used.device_code)])
  assert.deepEqual(together.map(({ status }) => status).sort(), [200, 400])
  const denied = await begun(application)
  assert.match((await answers(person, denied.user_code, 'deny')).body, /The device was refused/)
  assert.equal((await asks(application, denied.device_code)).body.error, 'access_denied')
  const blocked = await begun(application)
  await answers(person, blocked.user_code, 'allow')

  await scene.root.post(`/users/${person.person.id}/block`)

  assert.equal((await asks(application, blocked.device_code)).body.error, 'invalid_grant')
})

test('a code is answered once, in its time, and only as it is shown', async () => {
  const application = await publicApp()
  const [first, second] = [await surfer(), await surfer()]
  const { user_code } = await begun(application)
  for (const wrong of ['BBBB-BBBB', '', `${user_code}X`]) assert.equal((await answers(first, wrong, 'allow')).status, 400)
  assert.equal((await later(600_000, () => answers(first, user_code, 'allow'))).status, 400)
  assert.equal((await answers(first, user_code, 'allow')).status, 200)

  assert.equal((await answers(second, user_code, 'allow')).status, 400)

  const kept = JSON.stringify(await db.selectFrom('oauth_device_grants').selectAll().execute())
  assert.ok(!kept.includes(user_code) && !kept.includes(user_code.replace('-', '')))
  await sweepDeviceGrants(db, new Date(Date.now() + 2 * 3_600_000))
  assert.deepEqual(await db.selectFrom('oauth_device_grants').selectAll().execute(), [])
})

test('a request without a client, with a wrong secret, or for scopes that the application lacks is refused', async () => {
  const begin = (fields: Record<string, string>) => scene.anonymous.post(`${scene.url}/oauth/authorize_device`, new URLSearchParams(fields))
  const { client_id } = await app()
  assert.deepEqual([(await begin({})).status, (await begin({ client_id, client_secret: 'x' })).status], [401, 401])
  const { client_id: open } = await publicApp()
  assert.equal((await begin({ client_id: open, scope: 'sudo' })).body.error, 'invalid_scope')
})

test('another site cannot answer for a user', async () => {
  const person = await surfer()
  const { user_code } = await begun(await publicApp())
  const answer = await person.client.post(`${scene.url}/oauth/device`, new URLSearchParams({ user_code, decision: 'allow' }))
  assert.equal(answer.status, 403)
})
