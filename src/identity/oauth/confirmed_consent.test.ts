/** What an application or a device is given beyond a sign-in is confirmed first; the journeys send the forms as they are shown, as a browser does. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../../test/client.ts'
import { openScene } from '../../../test/scene.ts'
import { callback, locationOf, oauthScene, password, pkce, type Surfer } from './scene.ts'

const scene = await openScene()
const { app, surfer, token, bearer } = oauthScene(scene)
const { db } = scene.deps.database
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/** A user whose session was confirmed this long ago. */
async function surferOf(minutes: number): Promise<Surfer> {
  const one = await surfer()
  const confirmed_at = new Date(Date.now() - minutes * 60_000)
  await db.updateTable('sessions').set({ confirmed_at }).where('user_id', '=', one.person.id).execute()
  return one
}

const plain = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** The form of a page that is sent to this address, with what it hides. */
function formOn({ body }: Answer, action: string) {
  const form = String(body).match(new RegExp(`<form method="post" action="${action}"[\\s\\S]*?</form>`))?.[0] ?? ''
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)]
  return Object.fromEntries(hidden.map(([, name, value]) => [name as string, plain(value as string)]))
}

const cancelOn = ({ body }: Answer) => plain(/<a class="btn" href="([^"]+)">Cancel<\/a>/.exec(body)?.[1] ?? '')

/** Sends the form of a page to its address, with more fields; once more where the answer says so (307). */
async function send(one: Surfer, shown: Answer, action: string, fields: Record<string, string>): Promise<Answer> {
  const form = new URLSearchParams({ ...formOn(shown, action), ...fields })
  const answer = await one.client.post(`${scene.url}${action}`, form)
  if (answer.status !== 307) return answer
  return one.client.post(`${scene.url}${String(answer.headers.location)}`, form)
}

const isAsked = ({ status, body }: Answer) => status === 403 && /Confirm that it is you/.test(body)

test('an application that may do more than sign in: consent, confirmation, the same consent again, and its code', async () => {
  const application = await app({ confidential: false, scopes: 'api openid' })
  const one = await surferOf(61)
  const { verifier, challenge } = pkce()
  const query = {
    client_id: application.client_id,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid api',
    state: 'a&b "c" <d>',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    nonce: 'n 1',
  }
  const shown = await one.get('/oauth/authorize', query)
  assert.match(shown.body, /Authorize Time sheet\?/)
  const asked = await send(one, shown, '/oauth/authorize', { decision: 'allow' })
  assert.ok(isAsked(asked))
  assert.doesNotMatch(asked.headers['content-security-policy'] ?? '', /form-action/, 'the way to the application is open')
  assert.deepEqual(await db.selectFrom('oauth_authorization_codes').selectAll().where('application_id', '=', application.id).execute(), [])

  const wrong = await send(one, asked, '/oauth/authorize', { confirmation_password: 'not this one' })
  assert.match(wrong.body, /The password is wrong/)
  for (const page of [asked, wrong]) {
    const back = new URL(cancelOn(page), scene.url)
    assert.deepEqual([back.pathname, Object.fromEntries(back.searchParams)], ['/oauth/authorize', query])
    assert.match((await one.get(back.pathname, query)).body, /Authorize Time sheet\?/)
  }

  const to = locationOf(await send(one, wrong, '/oauth/authorize', { confirmation_password: password }))
  assert.deepEqual([to.origin + to.pathname, to.searchParams.get('state')], [callback, query.state])
  const given = await token({
    grant_type: 'authorization_code',
    client_id: application.client_id,
    code: String(to.searchParams.get('code')),
    redirect_uri: callback,
    code_verifier: verifier,
  })
  assert.equal(given.status, 200)
  assert.equal((await bearer(given.body.access_token).get('/user')).body.id, one.person.id)

  // Once: it counts for all that follows within the hour.
  const again = await send(one, await one.get('/oauth/authorize', query), '/oauth/authorize', { decision: 'allow' })
  assert.ok(locationOf(again).searchParams.get('code'))
})

for (const scope of ['read_api', 'read_repository', 'write_repository', 'sudo', 'read_user read_registry'])
  test(`${scope} asks for a confirmation, a denial does not`, async () => {
    const { client_id } = await app({ scopes: scope })
    const one = await surferOf(61)
    const shown = await one.get('/oauth/authorize', { client_id, response_type: 'code', scope })
    assert.ok(isAsked(await send(one, shown, '/oauth/authorize', { decision: 'allow' })))
    const denied = await send(one, shown, '/oauth/authorize', { decision: 'deny' })
    assert.equal(locationOf(denied).searchParams.get('error'), 'access_denied')
  })

test('a sign-in with an application asks for nothing more than consent', async () => {
  for (const scope of ['openid', 'openid profile email', 'read_user']) {
    const { client_id } = await app({ scopes: scope })
    const one = await surferOf(61)
    const shown = await one.get('/oauth/authorize', { client_id, response_type: 'code', scope })
    assert.ok(locationOf(await send(one, shown, '/oauth/authorize', { decision: 'allow' })).searchParams.get('code'), scope)
  }
})

test('a trusted application, and one that was agreed to before, ask for nothing', async () => {
  const trusted = await app({ trusted: true })
  const one = await surferOf(61)
  assert.ok(locationOf(await one.get('/oauth/authorize', { client_id: trusted.client_id, response_type: 'code' })).searchParams.get('code'))
  const shown = await one.get('/oauth/authorize', { client_id: trusted.client_id, response_type: 'code', prompt: 'consent' })
  assert.ok(locationOf(await send(one, shown, '/oauth/authorize', { decision: 'allow' })).searchParams.get('code'))

  const known = await app()
  const other = await surferOf(1)
  const query = { client_id: known.client_id, response_type: 'code', redirect_uri: callback }
  const agreed = locationOf(await send(other, await other.get('/oauth/authorize', query), '/oauth/authorize', { decision: 'allow' }))
  const code = String(agreed.searchParams.get('code'))
  const fields = { grant_type: 'authorization_code', client_id: known.client_id, client_secret: known.secret, code, redirect_uri: callback }
  assert.equal((await token(fields)).status, 200)
  await db
    .updateTable('sessions')
    .set({ confirmed_at: new Date(0) })
    .where('user_id', '=', other.person.id)
    .execute()
  assert.ok(locationOf(await other.get('/oauth/authorize', query)).searchParams.get('code'))
})

test('a device that may do more than sign in: its code, confirmation, and its token', async () => {
  const application = await app({ confidential: false, scopes: 'api openid' })
  const begun = async (scope: string) =>
    (await scene.anonymous.post(`${scene.url}/oauth/authorize_device`, new URLSearchParams({ client_id: application.client_id, scope })))
      .body as { readonly device_code: string; readonly user_code: string }
  const asks = (device_code: string) => token({ grant_type: DEVICE_GRANT, client_id: application.client_id, device_code })
  const shownTo = async (one: Surfer, user_code: string) =>
    send(one, await one.get('/oauth/device', { user_code }), '/oauth/device', { user_code })
  const one = await surferOf(61)

  const { device_code, user_code } = await begun('api')
  const shown = await shownTo(one, user_code)
  assert.match(shown.body, /Connect Time sheet\?/)
  const asked = await send(one, shown, '/oauth/device', { decision: 'allow' })
  assert.ok(isAsked(asked))
  assert.equal(cancelOn(asked), `/oauth/device?user_code=${user_code}`)
  assert.equal((await asks(device_code)).body.error, 'authorization_pending')
  const done = await send(one, asked, '/oauth/device', { confirmation_password: password })
  assert.match(done.body, /The device is connected/)
  await db.updateTable('oauth_device_grants').set({ polled_at: null }).execute()
  assert.equal((await asks(device_code)).status, 200)

  const other = await surferOf(61)
  const denied = await begun('api')
  assert.match((await send(other, await shownTo(other, denied.user_code), '/oauth/device', { decision: 'deny' })).body, /was refused/)
  const signIn = await begun('openid')
  assert.match((await send(other, await shownTo(other, signIn.user_code), '/oauth/device', { decision: 'allow' })).body, /is connected/)
})
