import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { callback, locationOf, oauthScene, pkce } from './scene.ts'

const scene = await openScene()
const { app, surfer, authorize, token } = oauthScene(scene)

test('a user who is not signed in signs in first and returns to the same consent page', async () => {
  const { client_id } = await app()
  const query = { client_id, redirect_uri: callback, response_type: 'code', state: 'a b' }

  const answer = await scene.anonymous.get(`${scene.url}/oauth/authorize`, query)

  assert.equal(answer.status, 302)
  const to = new URL(String(answer.headers.location), scene.url)
  assert.equal(to.pathname, '/users/sign_in')
  const back = new URL(String(to.searchParams.get('redirect')), scene.url)
  assert.equal(back.pathname, '/oauth/authorize')
  assert.deepEqual(Object.fromEntries(back.searchParams), query)
})

test('the page names the application, its scopes and its redirect URI, all escaped', async () => {
  const { client_id } = await app({ name: '<b>Bold</b>', scopes: 'read_user sudo' })
  const person = await surfer()

  const page = await person.get('/oauth/authorize', { client_id, response_type: 'code', scope: 'read_user', state: '"><i>' })

  assert.equal(page.status, 200)
  assert.match(page.body, /Authorize &lt;b&gt;Bold&lt;\/b&gt;\?/)
  assert.match(page.body, /Read your profile/)
  assert.doesNotMatch(page.body, /Act as any other user/)
  assert.match(page.body, /<code>https:\/\/client\.example\.com<\/code>/)
  assert.match(page.body, /name="state" value="&quot;&gt;&lt;i&gt;"/)
  assert.equal(page.headers['x-frame-options'], 'DENY')
  // Browsers apply `form-action` to the redirect to the application too.
  assert.doesNotMatch(page.headers['content-security-policy'] ?? '', /form-action/)
})

test('the request alone creates nothing: only consent creates a code', async () => {
  const { id, client_id } = await app()
  const person = await surfer()
  await person.get('/oauth/authorize', { client_id, response_type: 'code' })
  const codes = await scene.deps.database.db.selectFrom('oauth_authorization_codes').selectAll().where('application_id', '=', id).execute()
  assert.deepEqual(codes, [])
})

test('a trusted application gets its code without consent', async () => {
  const { client_id } = await app({ trusted: true })
  const person = await surfer()
  const to = locationOf(await person.get('/oauth/authorize', { client_id, response_type: 'code', state: 's' }))
  assert.equal(to.origin + to.pathname, callback)
  assert.match(String(to.searchParams.get('code')), /^[0-9a-f]{64}$/)
  assert.equal(to.searchParams.get('state'), 's')
})

test('denial redirects to the application with access_denied', async () => {
  const person = await surfer()
  const params = await authorize(person, await app(), { decision: 'deny', state: 's' })
  assert.equal(params.get('error'), 'access_denied')
  assert.equal(params.get('state'), 's')
  assert.equal(params.get('code'), null)
})

test('another site cannot forge consent', async () => {
  const { client_id } = await app()
  const person = await surfer()
  const fields = { client_id, redirect_uri: callback, response_type: 'code', decision: 'allow' }
  const send = (extra: Record<string, string>, headers: Record<string, string> = {}) =>
    person.client.post(`${scene.url}/oauth/authorize`, new URLSearchParams({ ...fields, ...extra }), headers)

  assert.equal((await send({})).status, 403)
  assert.equal((await send({ authenticity_token: 'x' })).status, 403)
  assert.equal((await send({}, { origin: 'https://evil.example' })).status, 403)
})

for (const [what, change] of [
  ['another host', { redirect_uri: 'https://evil.example/callback' }],
  ['a longer path', { redirect_uri: `${callback}/more` }],
  ['a query of its own', { redirect_uri: `${callback}?next=1` }],
  ['another case of letters', { redirect_uri: callback.toUpperCase() }],
  ['no address at all', { redirect_uri: 'callback' }],
  ['an unknown application', { client_id: 'f'.repeat(64) }],
] as const) {
  test(`a request with ${what} is shown to the user and never redirected (RFC 6749 section 4.1.2.1)`, async () => {
    const { client_id } = await app()
    const person = await surfer()
    const request = { client_id, redirect_uri: callback, response_type: 'code', state: 's', ...change }
    for (const answer of [
      await person.get('/oauth/authorize', request),
      await person.submit('/oauth/authorize', { ...request, decision: 'allow' }),
      await person.submit('/oauth/authorize', { ...request, decision: 'deny' }),
    ]) {
      assert.equal(answer.status, 400)
      assert.equal(answer.headers.location, undefined)
      assert.match(answer.body, /role="alert"/)
    }
  })
}

for (const [error, change] of [
  ['unsupported_response_type', { response_type: 'token' }],
  ['invalid_request', { response_type: '' }],
  ['invalid_scope', { scope: 'everything' }],
  ['invalid_scope', { scope: 'api read_repository' }],
  ['invalid_request', { code_challenge: 'short', code_challenge_method: 'S256' }],
  ['invalid_request', { code_challenge: 'x'.repeat(43), code_challenge_method: 'S1' }],
] as const) {
  test(`the application gets ${error} for ${JSON.stringify(change)}`, async () => {
    const { client_id } = await app()
    const person = await surfer()
    const to = locationOf(
      await person.get('/oauth/authorize', { client_id, redirect_uri: callback, response_type: 'code', state: 's', ...change }),
    )
    assert.equal(to.origin + to.pathname, callback)
    assert.equal(to.searchParams.get('error'), error)
    assert.ok(to.searchParams.get('error_description'))
    assert.equal(to.searchParams.get('state'), 's')
  })
}

test('a public client must use PKCE', async () => {
  const params = await authorize(await surfer(), await app({ confidential: false }))
  assert.equal(params.get('error'), 'invalid_request')
  assert.match(String(params.get('error_description')), /code_challenge/)
})

test('an application with several redirect URIs must send one', async () => {
  const { client_id } = await app({ redirect_uri: `${callback} https://client.example.com/other` })
  const person = await surfer()
  assert.equal((await person.get('/oauth/authorize', { client_id, response_type: 'code' })).status, 400)
  const other = await person.get('/oauth/authorize', { client_id, response_type: 'code', redirect_uri: 'https://client.example.com/other' })
  assert.equal(other.status, 200)
})

test('a redirect URI keeps the query it has, and may have a private scheme', async () => {
  const person = await surfer()
  for (const redirect_uri of ['https://client.example.com/callback?tenant=7', 'com.example.app:/callback?tenant=7']) {
    const params = await authorize(person, await app({ redirect_uri }), { redirect_uri })
    assert.equal(params.get('tenant'), '7')
    assert.match(String(params.get('code')), /^[0-9a-f]{64}$/)
    const denied = await authorize(person, await app({ redirect_uri }), { redirect_uri, decision: 'deny' })
    assert.equal(denied.get('tenant'), '7')
    assert.equal(denied.get('error'), 'access_denied')
  }
})

test('a native application may listen on any port of its own machine (RFC 8252 section 7.3)', async () => {
  const application = await app({ redirect_uri: 'http://127.0.0.1/back', confidential: false })
  const person = await surfer()
  const { verifier, challenge } = pkce()
  const redirect_uri = 'http://127.0.0.1:51234/back'
  const params = await authorize(person, application, { redirect_uri, code_challenge: challenge, code_challenge_method: 'S256' })

  const answer = await token({
    grant_type: 'authorization_code',
    client_id: application.client_id,
    code: String(params.get('code')),
    redirect_uri,
    code_verifier: verifier,
  })

  assert.equal(answer.status, 200)
  const elsewhere = await person.get('/oauth/authorize', {
    client_id: application.client_id,
    response_type: 'code',
    redirect_uri: 'http://127.0.0.1.evil.example:51234/back',
  })
  assert.equal(elsewhere.status, 400)
})
