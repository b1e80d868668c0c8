/** The provider from the view of an OAuth client library: every standard flow. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as oauth from 'oauth4webapi'
import { openScene } from '../../../test/scene.ts'
import { callback, locationOf, oauthScene, password } from './scene.ts'

const scene = await openScene()
const { app, surfer, bearer } = oauthScene(scene)
const insecure = { [oauth.allowInsecureRequests]: true }
const issuer = new URL(scene.url)

const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }))

/** A user opens the authorization endpoint, consents, and is redirected; returns the final address. */
async function visit(person: Awaited<ReturnType<typeof surfer>>, request: Record<string, string>): Promise<URL> {
  const page = await person.get('/oauth/authorize', request)
  assert.equal(page.status, 200)
  const fields = [...String(page.body).matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(([, name, value]) => [
    name,
    value,
  ])
  return locationOf(await person.submit('/oauth/authorize', { ...Object.fromEntries(fields), decision: 'allow' }))
}

for (const [kind, confidential] of [
  ['confidential', true],
  ['public', false],
] as const) {
  test(`a ${kind} client goes through the authorization code flow with PKCE, uses, refreshes and revokes its token`, async () => {
    const { client_id, secret } = await app({ confidential })
    const authentication = confidential ? oauth.ClientSecretBasic(secret) : oauth.None()
    const client = { client_id }
    const person = await surfer()
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()

    const arrived = await visit(person, {
      client_id,
      redirect_uri: callback,
      response_type: 'code',
      scope: 'api',
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    const params = oauth.validateAuthResponse(server, client, arrived, state)
    const answer = await oauth.authorizationCodeGrantRequest(server, client, authentication, params, callback, verifier, insecure)
    const token = await oauth.processAuthorizationCodeResponse(server, client, answer)

    assert.equal(token.scope, 'api')
    assert.equal(token.expires_in, 7200)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.equal((await bearer(token.access_token).get('/user')).body.username, person.person.username)

    const refreshed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, authentication, token.refresh_token as string, insecure),
    )
    assert.equal((await bearer(token.access_token).get('/user')).status, 401)
    assert.equal((await bearer(refreshed.access_token).get('/user')).status, 200)

    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, authentication, refreshed.refresh_token as string, insecure),
    )
    assert.equal((await bearer(refreshed.access_token).get('/user')).status, 401)
  })
}

test('a client gets a token for itself with its secret, which introspection accepts and the user API does not', async () => {
  const { client_id, secret } = await app()
  const client = { client_id }
  const authentication = oauth.ClientSecretPost(secret)

  const token = await oauth.processClientCredentialsResponse(
    server,
    client,
    await oauth.clientCredentialsGrantRequest(server, client, authentication, { scope: 'read_user' }, insecure),
  )
  const known = await oauth.processIntrospectionResponse(
    server,
    client,
    await oauth.introspectionRequest(server, client, authentication, token.access_token, insecure),
  )

  assert.equal(token.refresh_token, undefined)
  assert.equal(known.active, true)
  assert.equal(known.client_id, client_id)
  assert.equal(known.scope, 'read_user')
  assert.equal(known.sub, undefined)
  assert.equal((await bearer(token.access_token).get('/user')).status, 401)
})

test('a user gets a token with their password through a client', async () => {
  const { client_id, secret } = await app()
  const client = { client_id }
  const { person } = await surfer()
  const parameters = new URLSearchParams({ username: person.username, password, scope: 'read_user' })

  const answer = await oauth.genericTokenEndpointRequest(server, client, oauth.ClientSecretBasic(secret), 'password', parameters, insecure)
  const token = await oauth.processGenericTokenEndpointResponse(server, client, answer)

  assert.equal(token.scope, 'read_user')
  assert.equal((await bearer(token.access_token).get('/user')).body.id, person.id)
})
