/** The provider from the view of an OpenID Connect client library. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import * as client from 'openid-client'
import { openScene } from '../../../../test/scene.ts'
import { rotateSigningKey, sweepSigningKeys } from '../../signing_keys/commands.ts'
import { type App, callback, locationOf, oauthScene, password, type Surfer } from '../scene.ts'

const scene = await openScene()
const { app, surfer, authorize, token, bearer } = oauthScene(scene)
const insecure = { execute: [client.allowInsecureRequests] }

/** An application that signs people in. */
const signingApp = (attributes: Record<string, unknown> = {}) => app({ scopes: 'openid profile email api', ...attributes })

/** What the library knows of the provider, by its discovery. */
const discovered = ({ client_id, secret }: App) => client.discovery(new URL(scene.url), client_id, secret, undefined, insecure)

/** The whole flow with PKCE, state and nonce: the user agrees on the page, and the library checks what comes back. */
async function signedIn(person: Surfer, application: App, scope = 'openid profile email') {
  const config = await discovered(application)
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedNonce = client.randomNonce()
  const expectedState = client.randomState()
  const to = client.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope,
    nonce: expectedNonce,
    state: expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  const asked = await person.get(to.pathname, Object.fromEntries(to.searchParams))
  assert.equal(asked.status, 200)
  const arrived = locationOf(await person.submit('/oauth/authorize', { ...Object.fromEntries(to.searchParams), decision: 'allow' }))
  const tokens = await client.authorizationCodeGrant(config, arrived, { pkceCodeVerifier, expectedNonce, expectedState, maxAge: 3600 })
  return { config, tokens }
}

describe('a client library', () => {
  test('signs a user in, verifies the id token by the published keys, and reads who it is', async () => {
    const person = await surfer()
    const { group } = await scene.group({ owner: person.person })
    const { group: below } = await scene.group({ parent: group, owner: person.person })
    const application = await signingApp()

    const { config, tokens } = await signedIn(person, application)
    const claims = tokens.claims() as client.IDToken
    const info = await client.fetchUserInfo(config, tokens.access_token, claims.sub)

    const { email } = (await person.client.get('/user')).body
    const paths = [(await scene.root.get(group.url)).body.full_path, (await scene.root.get(below.url)).body.full_path]
    assert.deepEqual(
      { iss: claims.iss, aud: claims.aud, sub: claims.sub, email: claims.email, verified: claims.email_verified },
      { iss: scene.url, aud: application.client_id, sub: String(person.person.id), email, verified: true },
    )
    assert.equal(claims.exp - claims.iat, 120)
    assert.ok((claims.auth_time as number) <= claims.iat && (claims.auth_time as number) > claims.iat - 600)
    assert.deepEqual(claims.groups_direct, paths.slice(0, 1))
    assert.deepEqual(info, {
      sub: String(person.person.id),
      name: `Name of ${person.person.username}`,
      nickname: person.person.username,
      preferred_username: person.person.username,
      email,
      email_verified: true,
      profile: `${scene.url}/${person.person.username}`,
      groups: paths,
      'https://gitlab.org/claims/groups/owner': paths.slice(0, 1),
    })
  })

  test('gets an id token without nonce when it refreshes, with the same subject and time of the sign-in', async () => {
    const { config, tokens } = await signedIn(await surfer(), await signingApp())
    const before = tokens.claims() as client.IDToken

    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token as string)

    const after = refreshed.claims() as client.IDToken
    assert.deepEqual([after.sub, after.auth_time, after.nonce], [before.sub, before.auth_time, undefined])
  })

  test('introspects its token, and revokes it', async () => {
    const { config, tokens } = await signedIn(await surfer(), await signingApp())
    assert.equal((await client.tokenIntrospection(config, tokens.access_token)).active, true)

    await client.tokenRevocation(config, tokens.access_token)

    assert.equal((await client.tokenIntrospection(config, tokens.access_token)).active, false)
    await assert.rejects(client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck))
  })

  test('without the scope openid gets no id token and no user', async () => {
    const person = await surfer()
    const application = await signingApp()
    const code = String((await authorize(person, application, { scope: 'api' })).get('code'))
    const { client_id, secret: client_secret } = application

    const { body } = await token({ grant_type: 'authorization_code', code, client_id, client_secret, redirect_uri: callback })

    assert.equal(body.id_token, undefined)
    const answer = await bearer(body.access_token).get(`${scene.url}/oauth/userinfo`)
    assert.deepEqual([answer.status, answer.body.error], [403, 'insufficient_scope'])
  })
})

describe('claims', () => {
  test('have no address that is not confirmed, and the public one without the scope email', async () => {
    const person = await surfer()
    const { db } = scene.deps.database
    const { id } = person.person
    const infoWith = async (scope: string) => {
      const { config, tokens } = await signedIn(person, await signingApp(), scope)
      return client.fetchUserInfo(config, tokens.access_token, String(id))
    }
    assert.equal((await infoWith('openid profile')).email, undefined)
    await db.updateTable('users').set({ public_email: 'nobody@example.com' }).where('id', '=', id).execute()
    assert.equal((await infoWith('openid')).email, undefined)
    await db.insertInto('emails').values({ user_id: id, email: 'Nobody@example.com', confirmed_at: new Date() }).execute()
    assert.equal((await infoWith('openid')).email, 'nobody@example.com')
    await db.updateTable('users').set({ confirmed_at: null }).where('id', '=', id).execute()
    const unconfirmed = await infoWith('openid email')
    assert.deepEqual([unconfirmed.email, unconfirmed.email_verified], [undefined, undefined])
  })

  test('are refused to a token whose user was blocked, and to one that is none', async () => {
    const person = await surfer()
    const { tokens } = await signedIn(person, await signingApp())
    await scene.root.post(`/users/${person.person.id}/block`)

    for (const each of [tokens.access_token, 'x'.repeat(64)]) {
      const answer = await bearer(each).post(`${scene.url}/oauth/userinfo`)
      assert.deepEqual([answer.status, answer.body.error], [401, 'invalid_token'])
      assert.match(String(answer.headers['www-authenticate']), /error="invalid_token"/)
    }
  })
})

describe('what an application demands of the sign-in', () => {
  const request = (application: App, extra: Record<string, string>) => ({
    client_id: application.client_id,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid',
    state: 's',
    ...extra,
  })
  const errorOf = async (answer: Awaited<ReturnType<Surfer['get']>>) => locationOf(answer).searchParams.get('error')

  test('prompt=none is an error without a session and without consent, and a code with both', async () => {
    const application = await signingApp()
    const person = await surfer()
    const silent = request(application, { prompt: 'none' })
    assert.equal(await errorOf(await scene.anonymous.get(`${scene.url}/oauth/authorize`, silent)), 'login_required')
    assert.equal(await errorOf(await person.get('/oauth/authorize', silent)), 'consent_required')
    const code = String((await authorize(person, application, { scope: 'openid' })).get('code'))
    const { client_id, secret: client_secret } = application
    await token({ grant_type: 'authorization_code', code, client_id, client_secret, redirect_uri: callback })

    const { searchParams } = locationOf(await person.get('/oauth/authorize', silent))

    assert.match(String(searchParams.get('code')), /^[0-9a-f]{64}$/)
    assert.equal(searchParams.get('iss'), scene.url)
    const more = { ...silent, scope: 'openid api' }
    assert.equal(await errorOf(await person.get('/oauth/authorize', more)), 'consent_required')
    assert.equal((await person.get('/oauth/authorize', { ...silent, prompt: 'consent' })).status, 200)
  })

  test('prompt=none never redirects to an address that is not registered', async () => {
    const silent = request(await signingApp(), { prompt: 'none', redirect_uri: 'https://evil.example/callback' })
    const answer = await scene.anonymous.get(`${scene.url}/oauth/authorize`, silent)
    assert.deepEqual([answer.status, answer.headers.location], [400, undefined])
  })

  test('prompt=login and max_age ask for the password of a session that is older', async () => {
    const application = await signingApp({ trusted: true })
    const person = await surfer()
    await scene.deps.database.db
      .updateTable('sessions')
      .set({ confirmed_at: new Date(Date.now() - 120_000) })
      .where('user_id', '=', person.person.id)
      .execute()
    const silent = request(application, { max_age: '90', prompt: 'none' })
    assert.equal(await errorOf(await person.get('/oauth/authorize', silent)), 'login_required')
    for (const demand of [{ prompt: 'login' }, { max_age: '90' }] as Record<string, string>[]) {
      const asked = request(application, demand)
      assert.equal((await person.get('/oauth/authorize', asked)).status, 200)
      const page = await person.submit('/oauth/authorize', { ...asked, decision: 'allow' })
      assert.equal(page.status, 403)
      assert.match(page.body, /Confirm that it is you/)
      assert.doesNotMatch(page.headers['content-security-policy'] ?? '', /form-action/)
    }
    const asked = { ...request(application, { prompt: 'login' }), decision: 'allow' }

    assert.equal((await person.submit('/oauth/authorize', { ...asked, confirmation_password: password })).status, 307)

    assert.match(String(locationOf(await person.submit('/oauth/authorize', asked)).searchParams.get('code')), /^[0-9a-f]{64}$/)
  })

  for (const [error, extra] of [
    ['invalid_request', { prompt: 'none login' }],
    ['invalid_request', { max_age: 'soon' }],
    ['request_not_supported', { request: 'e30.e30.' }],
    ['request_uri_not_supported', { request_uri: 'https://client.example.com/request' }],
  ] as const)
    test(`${JSON.stringify(extra)} is ${error}`, async () => {
      const person = await surfer()
      assert.equal(await errorOf(await person.get('/oauth/authorize', request(await signingApp(), extra))), error)
    })
})

describe('the key that signs', () => {
  const keys = async () => (await (await fetch(`${scene.url}/-/jwks`)).json()).keys as { kid: string }[]

  test('is kept encrypted, and can be replaced: tokens of the former one are verified while they live', async () => {
    const { tokens } = await signedIn(await surfer(), await signingApp())
    const kid = decodeProtectedHeader(tokens.id_token as string).kid as string
    const [row] = await scene.deps.database.db.selectFrom('signing_keys').selectAll().where('kid', '=', kid).execute()
    assert.match(String(row?.private_key), /^v1\./)

    const fresh = await rotateSigningKey(scene.deps)

    const published = await keys()
    assert.deepEqual(
      published.slice(0, 2).map(key => key.kid),
      [fresh, kid],
    )
    assert.deepEqual(Object.keys(published[0] as object).sort(), ['alg', 'e', 'kid', 'kty', 'n', 'use'])
    await jwtVerify(tokens.id_token as string, createRemoteJWKSet(new URL(`${scene.url}/oauth/discovery/keys`)), { issuer: scene.url })
    const after = await signedIn(await surfer(), await signingApp())
    assert.equal(decodeProtectedHeader(after.tokens.id_token as string).kid, fresh)
    const retired = await scene.deps.database.db.selectFrom('signing_keys').select('private_key').where('kid', '=', kid).execute()
    assert.deepEqual(retired, [{ private_key: null }])

    await sweepSigningKeys(scene.deps.database.db, new Date(Date.now() + 32 * 86_400_000))
    assert.deepEqual(
      (await keys()).map(key => key.kid),
      [fresh],
    )
  })

  test('signs no token that a client would take for another one: issuer, audience and nonce are its own', async () => {
    const application = await signingApp()
    const { tokens } = await signedIn(await surfer(), application)
    const set = createRemoteJWKSet(new URL(`${scene.url}/oauth/discovery/keys`))
    const idToken = tokens.id_token as string
    await assert.rejects(jwtVerify(idToken, set, { audience: (await signingApp()).client_id }))
    await assert.rejects(jwtVerify(idToken, set, { issuer: 'https://other.example.com' }))
    const [head, , signature] = idToken.split('.')
    const forged = Buffer.from(JSON.stringify({ ...decodeJwt(idToken), sub: '1' })).toString('base64url')
    await assert.rejects(jwtVerify(`${head}.${forged}.${signature}`, set))
  })
})
