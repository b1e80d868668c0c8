import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../../../../test/client.ts'
import { openScene } from '../../../../test/scene.ts'
import { type App, callback, oauthScene, password, pkce, type Surfer } from '../scene.ts'
import { sweepOAuthTokens } from './sweep.ts'

const scene = await openScene()
const { app, surfer, authorize, token, bearer } = oauthScene(scene)

const day = 24 * 60 * 60 * 1000

async function later<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  scene.setTime(new Date(Date.now() + milliseconds).toISOString())
  try {
    return await work()
  } finally {
    scene.setTime(undefined)
  }
}

interface Issued {
  readonly access_token: string
  readonly refresh_token: string
}

async function issued(application: App, person: Surfer, scope = 'api'): Promise<Issued> {
  const code = (await authorize(person, application, { scope })).get('code') as string
  const client = { client_id: application.client_id, client_secret: application.secret }
  const answer = await token({ grant_type: 'authorization_code', ...client, code, redirect_uri: callback })
  assert.equal(answer.status, 200)
  return answer.body
}

const refresh = ({ client_id, secret }: App, refresh_token: string) =>
  token({ grant_type: 'refresh_token', client_id, client_secret: secret, refresh_token })

const works = async (client: Client) => (await client.get('/user')).status === 200

test('a new password ends sessions, grants and codes; personal tokens stay valid', async () => {
  const application = await app()
  const person = await surfer()
  const tokens = await issued(application, person)
  const code = (await authorize(person, application)).get('code') as string
  assert.deepEqual([await works(bearer(tokens.access_token)), await works(person.client)], [true, true])

  await scene.root.put(`/users/${person.person.id}`, { password: 'another long pass phrase' })

  assert.deepEqual([await works(bearer(tokens.access_token)), await works(person.client), await works(person.person)], [false, false, true])
  assert.equal((await refresh(application, tokens.refresh_token)).body.error, 'invalid_grant')
  const client = { client_id: application.client_id, client_secret: application.secret }
  const exchanged = await token({ grant_type: 'authorization_code', ...client, code, redirect_uri: callback })
  assert.equal(exchanged.body.error, 'invalid_grant')
})

test('a block ends grants for good: they do not come back when the account is unblocked', async () => {
  const application = await app()
  const person = await surfer()
  const { access_token, refresh_token } = await issued(application, person)
  await scene.root.post(`/users/${person.person.id}/block`)
  await scene.root.post(`/users/${person.person.id}/unblock`)
  assert.equal(await works(bearer(access_token)), false)
  assert.equal((await refresh(application, refresh_token)).status, 400)
})

test('a token exchanged during a password change does not survive the change', async () => {
  const application = await app()
  for (let round = 0; round < 5; round++) {
    const person = await surfer()
    const { refresh_token } = await issued(application, person)
    const [first, changed, second] = await Promise.all([
      refresh(application, refresh_token),
      scene.root.put(`/users/${person.person.id}`, { password: 'another long pass phrase' }),
      token({ grant_type: 'password', username: person.person.username, password }),
    ])
    assert.equal(changed.status, 200)
    // Each comes before the change or after it.
    for (const exchange of [first, second]) if (exchange.status !== 200) assert.equal(exchange.body.error, 'invalid_grant')
    if (first.status === 200) assert.equal(await works(bearer(first.body.access_token)), false)
    const living = scene.deps.database.db.selectFrom('oauth_access_tokens').select('id').where('revoked_at', 'is', null)
    assert.deepEqual(await living.where('user_id', '=', person.person.id).execute(), [])
  }
})

test('an unused refresh token ends after 90 days, and not a day earlier', async () => {
  const application = await app()
  const person = await surfer()
  const early = await issued(application, person)
  const late = await issued(application, person)
  assert.equal((await later(89 * day, () => refresh(application, early.refresh_token))).status, 200)
  const refused = await later(90 * day, () => refresh(application, late.refresh_token))
  assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_grant'])
})

test('a grant ends after a year, however often it was refreshed', async () => {
  const application = await app()
  let { refresh_token } = await issued(application, await surfer())
  for (const days of [80, 160, 240, 320]) {
    const answer = await later(days * day, () => refresh(application, refresh_token))
    assert.equal(answer.status, 200, `after ${days} days`)
    refresh_token = answer.body.refresh_token
  }
  const nearTheEnd = await later(365 * day - 60 * 60_000, () => refresh(application, refresh_token))
  assert.equal(nearTheEnd.status, 200)
  assert.ok(nearTheEnd.body.expires_in <= 3600, 'the access token ends with the grant')
  assert.equal((await later(366 * day, () => refresh(application, nearTheEnd.body.refresh_token))).status, 400)
})

test('the lifetimes of tokens are instance settings, and apply to existing tokens', async () => {
  const application = await app()
  const person = await surfer()
  const old = await issued(application, person)
  const { body: before } = await scene.root.get('/application/settings')
  await scene.root.put('/application/settings', {
    oauth_access_token_lifetime: 600,
    oauth_refresh_token_lifetime: 2,
    max_oauth_grant_lifetime: 3,
  })
  try {
    const fresh = (await refresh(application, old.refresh_token)).body
    assert.equal(fresh.expires_in, 600)
    assert.equal((await later(2 * day, () => refresh(application, fresh.refresh_token))).status, 400)
  } finally {
    const { oauth_access_token_lifetime, oauth_refresh_token_lifetime, max_oauth_grant_lifetime } = before
    await scene.root.put('/application/settings', { oauth_access_token_lifetime, oauth_refresh_token_lifetime, max_oauth_grant_lifetime })
  }
})

test('a password gives no sudo scope without an authenticated client', async () => {
  const { person } = await surfer({ admin: true })
  const request = { grant_type: 'password', username: person.username, password, scope: 'api sudo' }
  const open = await app({ confidential: false })
  const closed = await app()

  const withoutClient = await token(request)
  const publicly = await token({ ...request, client_id: open.client_id })
  const confidentially = await token({ ...request, client_id: closed.client_id, client_secret: closed.secret })

  assert.deepEqual([withoutClient.status, withoutClient.body.error], [400, 'invalid_scope'])
  assert.deepEqual([publicly.status, publicly.body.error], [400, 'invalid_scope'])
  assert.equal(confidentially.body.scope, 'api sudo')
  const plain = await token({ ...request, scope: 'api' })
  assert.equal((await bearer(plain.body.access_token).get('/user', { sudo: '1' })).status, 403)
  const refreshed = await token({ grant_type: 'refresh_token', refresh_token: plain.body.refresh_token, scope: 'api sudo' })
  assert.equal(refreshed.body.error, 'invalid_scope')
})

test('users list and revoke their own grants, and no other user can', async () => {
  const application = await app({ name: 'Mail client' })
  const [person, other] = [await surfer(), await surfer()]
  const kept = await issued(application, person, 'read_user')
  const revoked = await issued(application, person, 'api read_user')
  const foreign = await issued(application, other)
  await bearer(revoked.access_token).get('/user')
  const rotated = (await refresh(application, revoked.refresh_token)).body
  const byPassword = (await token({ grant_type: 'password', username: person.person.username, password })).body

  const list = await person.person.get('/user/oauth_grants')

  assert.equal(list.status, 200)
  const about = { id: application.id, application_id: application.client_id, application_name: 'Mail client' }
  assert.deepEqual(
    list.body.map((grant: { application: unknown; scopes: unknown }) => [grant.application, grant.scopes]),
    [
      [about, ['read_user']],
      [about, ['read_user', 'api'].sort()],
      [null, ['api']],
    ],
  )
  const [first, second, third] = list.body
  assert.equal(first.last_used_at, null)
  assert.ok(second.last_used_at, 'the use of a token that was refreshed since counts')
  assert.ok(Date.parse(second.expires_at) - Date.now() > 89 * day)

  assert.equal((await other.person.delete(`/user/oauth_grants/${second.id}`)).status, 404)
  assert.equal((await person.person.delete(`/user/oauth_grants/${second.id}`)).status, 204)
  assert.equal((await person.person.delete(`/user/oauth_grants/${second.id}`)).status, 404)
  assert.equal((await person.person.delete(`/user/oauth_grants/${third.id}`)).status, 204)

  assert.equal(await works(bearer(rotated.access_token)), false)
  assert.equal((await refresh(application, rotated.refresh_token)).status, 400)
  assert.equal(await works(bearer(byPassword.access_token)), false)
  assert.deepEqual([await works(bearer(kept.access_token)), await works(bearer(foreign.access_token))], [true, true])
  const ids = (await person.person.get('/user/oauth_grants')).body.map((grant: { id: number }) => grant.id)
  assert.deepEqual(ids, [first.id])
})

test('revoking a grant also ends its unused codes', async () => {
  const application = await app()
  const person = await surfer()
  await issued(application, person)
  const code = (await authorize(person, application)).get('code') as string
  const [grant] = (await person.person.get('/user/oauth_grants')).body
  await person.person.delete(`/user/oauth_grants/${grant.id}`)
  const client = { client_id: application.client_id, client_secret: application.secret }
  const exchanged = await token({ grant_type: 'authorization_code', ...client, code, redirect_uri: callback })
  assert.equal(exchanged.body.error, 'invalid_grant')
})

test('grants and revocations are in the audit log', async () => {
  const application = await app({ name: 'Audited' })
  const person = await surfer()
  await issued(application, person)
  const [grant] = (await person.person.get('/user/oauth_grants')).body
  await person.person.delete(`/user/oauth_grants/${grant.id}`)
  const entries = await scene.deps.database.db
    .selectFrom('audit_events')
    .select(['kind', 'author_id'])
    .where('kind', 'like', 'oauth_grant.%')
    .where('entity_id', '=', person.person.id)
    .orderBy('id')
    .execute()
  assert.deepEqual(entries, [
    { kind: 'oauth_grant.given', author_id: person.person.id },
    { kind: 'oauth_grant.revoked', author_id: person.person.id },
  ])
})

test('a public client sends its challenge as S256; plain, explicit or by default, is refused', async () => {
  const open = await app({ confidential: false })
  const person = await surfer()
  const { verifier, challenge } = pkce()
  const plain = await authorize(person, open, { code_challenge: verifier, code_challenge_method: 'plain' })
  const byDefault = await authorize(person, open, { code_challenge: verifier })
  const hashed = await authorize(person, open, { code_challenge: challenge, code_challenge_method: 'S256' })
  assert.deepEqual([plain.get('error'), plain.get('code')], ['invalid_request', null])
  assert.deepEqual([byDefault.get('error'), byDefault.get('code')], ['invalid_request', null])
  assert.ok(hashed.get('code'))
})

test('rows of ended tokens and codes are deleted; a live grant keeps its id, and a used refresh token still ends it', async () => {
  const { db } = scene.deps.database
  const application = await app()
  const [staying, leaving] = [await surfer(), await surfer()]
  const rows = async ({ person }: Surfer) =>
    (await db.selectFrom('oauth_access_tokens').select('id').where('user_id', '=', person.id).orderBy('id').execute()).map(({ id }) => id)
  const codes = () => db.selectFrom('oauth_authorization_codes').select('id').execute()
  const sweepAfter = (days: number) => sweepOAuthTokens(db, new Date(Date.now() + days * day))
  const { oauth_refresh_token_lifetime: life } = (await scene.root.get('/application/settings')).body
  await issued(application, leaving)
  let tokens = await issued(application, staying)
  const used: string[] = []
  const refreshAfter = async (days: number) => {
    used.push(tokens.refresh_token)
    tokens = (await later(days * day, () => refresh(application, tokens.refresh_token))).body
  }
  await refreshAfter(1)
  await refreshAfter(life - 1)
  const [first, second, third] = await rows(staying)

  await sweepAfter(life - 1)
  assert.equal((await rows(leaving)).length, 1, 'what can be refreshed is not over')
  assert.deepEqual(await rows(staying), [first, second, third])
  await sweepAfter(life + 3)

  assert.deepEqual([await rows(leaving), await codes()], [[], []])
  assert.deepEqual(await rows(staying), [first, third], 'the second would have ended by now, the first names the grant')
  await refreshAfter(life + 3)
  assert.equal((await rows(staying)).length, 3)
  assert.equal((await later((life + 4) * day, () => refresh(application, used[2] as string))).body.error, 'invalid_grant')
  assert.equal((await later((life + 4) * day, () => refresh(application, tokens.refresh_token))).body.error, 'invalid_grant')
  await sweepAfter(3 * life + 3)
  assert.deepEqual(await rows(staying), [], 'of a grant that has ended nothing is left')
})
