import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { type App, basic, callback, oauthScene, password, pkce, type Surfer } from './scene.ts'

const scene = await openScene()
const { app, surfer, authorize, token, bearer } = oauthScene(scene)
const address = (path: string) => `${scene.url}${path}`

const exchange = (application: App, code: string, fields: Record<string, string> = {}) =>
  token({
    grant_type: 'authorization_code',
    client_id: application.client_id,
    client_secret: application.secret,
    code,
    redirect_uri: callback,
    ...fields,
  })

const refresh = (application: App, refresh_token: string, fields: Record<string, string> = {}) =>
  token({ grant_type: 'refresh_token', client_id: application.client_id, client_secret: application.secret, refresh_token, ...fields })

/** A fresh code of the user. */
async function codeFor(application: App, person?: Surfer, request: Record<string, string> = {}): Promise<string> {
  const code = (await authorize(person ?? (await surfer()), application, request)).get('code')
  assert.ok(code, 'the application got a code')
  return code
}

const refused = (answer: { status: number; body: { error?: unknown } }) => [answer.status, answer.body.error]

/** Runs with the server's clock advanced, in milliseconds. */
async function later<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  scene.setTime(new Date(Date.now() + milliseconds).toISOString())
  try {
    return await work()
  } finally {
    scene.setTime(undefined)
  }
}

test('the answer to a token request has the public form and is not stored', async () => {
  const application = await app()
  const answer = await exchange(application, await codeFor(application))

  assert.equal(answer.status, 200)
  const { access_token, refresh_token, created_at, ...rest } = answer.body
  assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 7200, scope: 'api' })
  assert.match(access_token, /^[0-9a-f]{64}$/)
  assert.match(refresh_token, /^[0-9a-f]{64}$/)
  assert.ok(Math.abs(created_at - Date.now() / 1000) < 60)
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.equal(answer.headers['content-type'], 'application/json')
})

test('only digests of codes and tokens are kept', async () => {
  const application = await app()
  const code = await codeFor(application)
  const { body } = await exchange(application, code)
  const { db } = scene.deps.database
  const kept = JSON.stringify([
    await db.selectFrom('oauth_authorization_codes').selectAll().execute(),
    await db.selectFrom('oauth_access_tokens').selectAll().execute(),
  ])
  for (const secret of [code, body.access_token, body.refresh_token]) assert.ok(!kept.includes(secret))
})

test('a code that is used twice is refused and revokes its tokens, refreshed ones too', async () => {
  const application = await app()
  const code = await codeFor(application)
  const first = (await exchange(application, code)).body
  const second = (await refresh(application, first.refresh_token)).body
  assert.equal((await bearer(second.access_token).get('/user')).status, 200)

  assert.deepEqual(refused(await exchange(application, code)), [400, 'invalid_grant'])

  assert.equal((await bearer(second.access_token).get('/user')).status, 401)
  assert.deepEqual(refused(await refresh(application, second.refresh_token)), [400, 'invalid_grant'])
})

test('of two concurrent requests with one code, one at most gets a token', async () => {
  const application = await app()
  const code = await codeFor(application)
  const answers = await Promise.all([exchange(application, code), exchange(application, code), exchange(application, code)])
  assert.equal(answers.filter(answer => answer.status === 200).length, 1)
})

test('a code is valid for ten minutes', async () => {
  const application = await app()
  const early = await codeFor(application)
  const late = await codeFor(application)
  assert.equal((await later(9 * 60_000, () => exchange(application, early))).status, 200)
  assert.deepEqual(refused(await later(10 * 60_000, () => exchange(application, late))), [400, 'invalid_grant'])
})

test('a code belongs to one application', async () => {
  const application = await app()
  const other = await app()
  const code = await codeFor(application)
  assert.deepEqual(refused(await exchange(other, code)), [400, 'invalid_grant'])
  assert.equal((await exchange(application, code)).status, 200)
})

test('a code is exchanged with the redirect URI it was sent to', async () => {
  const application = await app({ redirect_uri: `${callback} https://client.example.com/other` })
  const code = await codeFor(application)
  assert.deepEqual(refused(await exchange(application, code, { redirect_uri: 'https://client.example.com/other' })), [
    400,
    'invalid_request',
  ])
  // The wrong guess has consumed it.
  assert.deepEqual(refused(await exchange(application, code)), [400, 'invalid_grant'])
})

for (const method of ['S256', 'plain']) {
  test(`a wrong ${method} verifier is refused and consumes the code (RFC 7636)`, async () => {
    // A plain challenge is only for clients that also have a secret.
    const application = await app({ confidential: method === 'plain' })
    const { verifier, challenge } = pkce()
    const request = { code_challenge: method === 'S256' ? challenge : verifier, code_challenge_method: method }
    const publicly = (code: string, fields: Record<string, string>) =>
      exchange(application, code, method === 'plain' ? fields : { client_secret: '', ...fields })

    const right = await publicly(await codeFor(application, undefined, request), { code_verifier: verifier })
    const code = await codeFor(application, undefined, request)
    const wrong = await publicly(code, { code_verifier: pkce().verifier })
    const again = await publicly(code, { code_verifier: verifier })
    const missing = await publicly(await codeFor(application, undefined, request), {})

    assert.equal(right.status, 200)
    assert.deepEqual(refused(wrong), [400, 'invalid_grant'])
    assert.deepEqual(refused(again), [400, 'invalid_grant'])
    assert.deepEqual(refused(missing), [400, 'invalid_grant'])
  })
}

test('a confidential client must authenticate even with PKCE', async () => {
  const application = await app()
  const { verifier, challenge } = pkce()
  const request = { code_challenge: challenge, code_challenge_method: 'S256' }
  const code = await codeFor(application, undefined, request)
  assert.deepEqual(refused(await exchange(application, code, { client_secret: '', code_verifier: verifier })), [401, 'invalid_client'])
  assert.deepEqual(refused(await exchange(application, code, { client_secret: 'wrong', code_verifier: verifier })), [401, 'invalid_client'])
  assert.equal((await exchange(application, code, { code_verifier: verifier })).status, 200)
})

test('a refreshed token replaces the old one, which is invalid immediately', async () => {
  const application = await app()
  const old = (await exchange(application, await codeFor(application))).body
  const answer = await refresh(application, old.refresh_token, { scope: 'api' })
  assert.equal(answer.status, 200)
  assert.equal((await bearer(old.access_token).get('/user')).status, 401)
  assert.equal((await bearer(answer.body.access_token).get('/user')).status, 200)
})

test('a refresh token that is used twice revokes its whole family (RFC 9700 section 4.14.2)', async () => {
  const application = await app()
  const old = (await exchange(application, await codeFor(application))).body
  const current = (await refresh(application, old.refresh_token)).body
  assert.deepEqual(refused(await refresh(application, old.refresh_token)), [400, 'invalid_grant'])
  assert.equal((await bearer(current.access_token).get('/user')).status, 401)
  assert.deepEqual(refused(await refresh(application, old.refresh_token)), [400, 'invalid_grant'])
  const entries = (await scene.root.get('/audit_events', { per_page: 100 })).body.filter(
    ({ details }: { details: { custom_message?: string; target_id: unknown } }) =>
      details.custom_message?.includes('used twice') && details.target_id === application.id,
  )
  assert.equal(entries.length, 1, 'the revocation has one entry in the audit log')
})

test('a refresh may narrow the scopes but not widen them, and a refused one consumes nothing', async () => {
  const application = await app()
  const old = (await exchange(application, await codeFor(application, undefined, { scope: 'api read_user' }))).body
  assert.deepEqual(refused(await refresh(application, old.refresh_token, { scope: 'api sudo' })), [400, 'invalid_scope'])
  assert.equal((await bearer(old.access_token).get('/user')).status, 200)
  assert.equal((await refresh(application, old.refresh_token, { scope: 'read_user' })).body.scope, 'read_user')
})

test('a refresh token belongs to one application', async () => {
  const application = await app()
  const { refresh_token } = (await exchange(application, await codeFor(application))).body
  assert.deepEqual(refused(await refresh(await app(), refresh_token)), [400, 'invalid_grant'])
  assert.equal((await refresh(application, refresh_token)).status, 200)
})

test('an access token lives two hours, and its refresh token longer', async () => {
  const application = await app()
  const { access_token, refresh_token } = (await exchange(application, await codeFor(application))).body
  const hours = 60 * 60_000
  assert.equal((await later(1.9 * hours, () => bearer(access_token).get('/user'))).status, 200)
  assert.equal((await later(2.1 * hours, () => bearer(access_token).get('/user'))).status, 401)
  assert.equal((await later(2.1 * hours, () => refresh(application, refresh_token))).status, 200)
})

test('a password gives a token without any client, as in the public API', async () => {
  const { person } = await surfer()
  const answer = await token({ grant_type: 'password', username: person.email, password })
  assert.equal(answer.status, 200)
  assert.equal(answer.body.scope, 'api')
  assert.equal((await bearer(answer.body.access_token).get('/user')).body.id, person.id)
  const again = await token({ grant_type: 'refresh_token', refresh_token: answer.body.refresh_token })
  assert.equal(again.status, 200)
})

test('a wrong password, an unknown user and a blocked one are refused alike', async () => {
  const { person } = await surfer()
  const wrong = await token({ grant_type: 'password', username: person.username, password: 'wrong' })
  const unknown = await token({ grant_type: 'password', username: 'nobody-at-all', password })
  await scene.root.post(`/users/${person.id}/block`)
  const blocked = await token({ grant_type: 'password', username: person.username, password })
  assert.deepEqual(refused(wrong), [400, 'invalid_grant'])
  assert.deepEqual(unknown, wrong)
  assert.deepEqual(blocked, wrong)
})

test('codes and refresh tokens of a blocked user give nothing', async () => {
  const application = await app()
  const person = await surfer()
  const { refresh_token } = (await exchange(application, await codeFor(application, person))).body
  const code = await codeFor(application, person)
  await scene.root.post(`/users/${person.person.id}/block`)
  assert.deepEqual(refused(await exchange(application, code)), [400, 'invalid_grant'])
  assert.deepEqual(refused(await refresh(application, refresh_token)), [400, 'invalid_grant'])
})

test('token requests are accepted as JSON too, with the client in Basic authentication', async () => {
  const application = await app()
  const answer = await scene.anonymous.post(address('/oauth/token'), { grant_type: 'client_credentials' }, basic(application))
  assert.equal(answer.status, 200)
  assert.equal(answer.body.refresh_token, undefined)
})

for (const [fields, status, error] of [
  [{}, 400, 'invalid_request'],
  [{ grant_type: 'magic' }, 400, 'unsupported_grant_type'],
  [{ grant_type: '__proto__' }, 400, 'unsupported_grant_type'],
  [{ grant_type: 'authorization_code' }, 400, 'invalid_request'],
  [{ grant_type: 'authorization_code', code: 'unknown', redirect_uri: callback }, 400, 'invalid_grant'],
  [{ grant_type: 'refresh_token' }, 400, 'invalid_request'],
  [{ grant_type: 'refresh_token', refresh_token: 'unknown' }, 400, 'invalid_grant'],
  [{ grant_type: 'password' }, 400, 'invalid_request'],
  [{ grant_type: 'client_credentials', scope: 'everything' }, 400, 'invalid_scope'],
  [{ grant_type: 'client_credentials', scope: 'write_repository' }, 400, 'invalid_scope'],
] as [Record<string, string>, number, string][]) {
  test(`a token request ${JSON.stringify(fields)} is refused with ${error} (RFC 6749 section 5.2)`, async () => {
    const answer = await token(fields, basic(await app()))
    assert.deepEqual(refused(answer), [status, error])
    assert.deepEqual(Object.keys(answer.body), ['error', 'error_description'])
  })
}

test('an unknown client is refused, with a challenge when it used Basic authentication', async () => {
  const inBody = await token({ grant_type: 'client_credentials', client_id: 'x', client_secret: 'y' })
  const inHeader = await token({ grant_type: 'client_credentials' }, basic({ id: 0, client_id: 'x', secret: 'y' }))
  const none = await token({ grant_type: 'client_credentials' })
  const withNul = await token({ grant_type: 'client_credentials' }, basic({ id: 0, client_id: 'x\0', secret: 'y' }))
  const withoutColon = await token({ grant_type: 'client_credentials' }, { authorization: `Basic ${btoa('x')}` })
  for (const answer of [inBody, inHeader, none, withNul, withoutColon]) assert.deepEqual(refused(answer), [401, 'invalid_client'])
  assert.equal(inBody.headers['www-authenticate'], undefined)
  assert.equal(inHeader.headers['www-authenticate'], 'Basic realm="Ingot"')
})

test('a public client gets no token for itself', async () => {
  const { client_id } = await app({ confidential: false })
  assert.deepEqual(refused(await token({ grant_type: 'client_credentials', client_id })), [400, 'unauthorized_client'])
})

test('a replaced secret is invalid, and deleting an application revokes its tokens', async () => {
  const application = await app()
  const { access_token } = (await exchange(application, await codeFor(application))).body
  await scene.root.post(`/applications/${application.id}/renew-secret`)
  assert.deepEqual(refused(await token({ grant_type: 'client_credentials' }, basic(application))), [401, 'invalid_client'])
  assert.equal((await bearer(access_token).get('/user')).status, 200)
  await scene.root.delete(`/applications/${application.id}`)
  assert.equal((await bearer(access_token).get('/user')).status, 401)
})

test('a token is limited to its scopes (document 1, Authentication)', async () => {
  const application = await app()
  const { access_token } = (await exchange(application, await codeFor(application, undefined, { scope: 'read_user' }))).body
  assert.equal((await bearer(access_token).get('/user')).status, 200)
  assert.equal((await bearer(access_token).get('/projects')).status, 403)
  assert.equal((await scene.anonymous.get('/user', { access_token })).status, 200)
})

test('an administrator acts as another user by an OAuth token with scope sudo, and only with it (document 1, Authentication rule 6)', async () => {
  const application = await app()
  const admin = await surfer({ admin: true })
  const person = await scene.user()
  const tokenWith = async (scope: string) => (await exchange(application, await codeFor(application, admin, { scope }))).body.access_token

  const able = await bearer(await tokenWith('api sudo')).get('/user', { sudo: person.username })
  const unable = await bearer(await tokenWith('api')).get('/user', { sudo: person.username })

  assert.equal(able.body.id, person.id)
  assert.equal(unable.status, 403)
  assert.equal(unable.body.scope, 'sudo')
})

test('token info describes a valid token in the public form, and no invalid one', async () => {
  const application = await app()
  const person = await surfer()
  const { access_token, created_at } = (await exchange(application, await codeFor(application, person))).body

  const info = await bearer(access_token).get(address('/oauth/token/info'))

  assert.equal(info.status, 200)
  const { expires_in, expires_in_seconds, ...rest } = info.body
  assert.deepEqual(rest, {
    resource_owner_id: person.person.id,
    scope: ['api'],
    scopes: ['api'],
    application: { uid: application.client_id },
    created_at,
  })
  assert.ok(expires_in > 7100 && expires_in <= 7200)
  assert.equal(expires_in_seconds, expires_in)
  assert.equal((await scene.anonymous.get(address('/oauth/token/info'), { access_token })).status, 200)
  const unknown = await bearer('unknown').get(address('/oauth/token/info'))
  assert.deepEqual(refused(unknown), [401, 'invalid_token'])
})

test('a token is revoked only by its own application; an unknown one is no error (RFC 7009)', async () => {
  const application = await app()
  const { access_token, refresh_token } = (await exchange(application, await codeFor(application))).body
  const revoke = (secret: string, headers: Record<string, string> = {}) =>
    scene.anonymous.post(address('/oauth/revoke'), new URLSearchParams({ token: secret }), headers)

  assert.deepEqual(refused(await revoke(access_token)), [403, 'unauthorized_client'])
  assert.deepEqual(refused(await revoke(access_token, basic(await app()))), [403, 'unauthorized_client'])
  assert.deepEqual(refused(await revoke(access_token, basic({ ...application, secret: 'wrong' }))), [401, 'invalid_client'])
  assert.equal((await bearer(access_token).get('/user')).status, 200)

  assert.deepEqual(await revoke('unknown', basic(application)), { status: 200, body: {} })
  assert.deepEqual(await revoke(access_token, basic(application)), { status: 200, body: {} })
  assert.equal((await bearer(access_token).get('/user')).status, 401)
  assert.deepEqual(refused(await refresh(application, refresh_token)), [400, 'invalid_grant'])
})

test('the audit log has one entry for a token revoked by its application, or by its holder if it came from a password', async () => {
  const application = await app({ name: 'Leaving' })
  const person = await surfer()
  const { access_token } = (await exchange(application, await codeFor(application, person))).body
  const byPassword = { grant_type: 'password', username: person.person.username, password }
  const other = (await scene.anonymous.post(address('/oauth/token'), new URLSearchParams(byPassword))).body
  const revoke = (secret: string, headers: Record<string, string> = {}) =>
    scene.anonymous.post(address('/oauth/revoke'), new URLSearchParams({ token: secret }), headers)
  for (let times = 0; times < 2; times++) {
    assert.equal((await revoke(access_token, basic(application))).status, 200)
    assert.equal((await revoke(other.refresh_token)).status, 200)
  }

  const query = { entity_type: 'User', entity_id: person.person.id, event_name: 'oauth_token.revoked' }
  const entries = (await scene.root.get('/audit_events', query)).body
  assert.deepEqual(
    entries.map(({ author_id, details }: { author_id: number | null; details: Record<string, unknown> }) => [
      author_id,
      details.author_name,
      details.target_details,
      details.ip_address,
    ]),
    [
      [null, 'Holder of the token', 'Password', '127.0.0.1'],
      [null, 'OAuth application Leaving', 'Leaving', '127.0.0.1'],
    ],
  )
})

test('introspection is for confidential clients and their own valid tokens (RFC 7662)', async () => {
  const application = await app()
  const person = await surfer()
  const { access_token, created_at } = (await exchange(application, await codeFor(application, person))).body
  const ask = (client: App, secret = access_token) =>
    scene.anonymous.post(address('/oauth/introspect'), new URLSearchParams({ token: secret }), basic(client))

  assert.deepEqual((await ask(application)).body, {
    active: true,
    scope: 'api',
    token_type: 'Bearer',
    client_id: application.client_id,
    username: person.person.username,
    sub: String(person.person.id),
    iat: created_at,
    exp: created_at + 7200,
  })
  assert.deepEqual((await ask(await app())).body, { active: false })
  assert.deepEqual((await ask(application, 'unknown')).body, { active: false })
  assert.deepEqual((await later(3 * 60 * 60_000, () => ask(application))).body, { active: false })
  const open = await app({ confidential: false })
  const anonymous = await scene.anonymous.post(address('/oauth/introspect'), new URLSearchParams({ token: 'x', client_id: open.client_id }))
  assert.deepEqual(refused(anonymous), [401, 'invalid_client'])
})
