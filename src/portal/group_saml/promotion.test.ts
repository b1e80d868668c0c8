/** An account that the SCIM of a group made, and that the owner of the group has used, becomes an administrator's: nothing of theirs goes on. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, openScene } from '../../../test/scene.ts'
import { newKey } from '../../identity/keys/scene.ts'
import { callback, locationOf, oauthScene, password } from '../../identity/oauth/scene.ts'
import { Browser } from '../../identity/providers/kinds/scene.ts'
import { authenticatorFor, optionsOn } from '../../identity/two_factor/webauthn/scene.ts'
import { groupSamlScene } from './scene.ts'

const scene = await openScene()
const { app, token, bearer } = oauthScene(scene)
const { company, signOn } = groupSamlScene(scene)
const { db } = scene.deps.database

/** An account that SCIM made, signed in by the provider of the group, with all that a session can make of it. */
async function used() {
  const made = await company()
  const { body: scim } = await scene.root.post(`${made.group.url}/scim_token`, { default_membership_role: 30 })
  const machine = scene.as({ authorization: `Bearer ${scim.token}`, 'content-type': 'application/scim+json' })
  const email = `ben@${made.group.path}.example`
  const { body } = await machine.post(`${scim.scim_url}/Users`, {
    externalId: 'ben',
    userName: `ben.${made.group.path}`,
    name: { formatted: 'Ben' },
    emails: [{ type: 'work', value: email, primary: true }],
  })
  const [{ id }] = (await scene.root.get('/users', { username: body.userName })).body
  await db.updateTable('users').set({ confirmed_at: new Date() }).where('id', '=', id).execute()
  assert.equal((await scene.root.put(`/users/${id}`, { password })).status, 200)
  const browser = new Browser(scene)
  await signOn(browser, made, 'ben')
  assert.equal((await browser.user()).id, id)
  return { made, id: Number(id), browser }
}

test('sessions, tokens, keys and grants of the account end with its promotion, and the provider opens it no more', async () => {
  const { made, id, browser } = await used()
  const page = '/-/profile/personal_access_tokens'
  const personal = /value="([\w-]{20,})" readonly|<code[^>]*>([\w-]{20,})<\/code>/.exec(
    (await browser.send(page, page, { name: 'backup', 'scopes[]': 'api' })).body,
  )
  const secret = String(personal?.[1] ?? personal?.[2])
  const application = await app()
  const asked = { client_id: application.client_id, redirect_uri: callback, response_type: 'code', scope: 'api' }
  const consent = `/oauth/authorize?${new URLSearchParams(asked)}`
  const codeOf = (answer: Answer) => ({
    grant_type: 'authorization_code',
    code: String(locationOf(answer).searchParams.get('code')),
    redirect_uri: callback,
  })
  const client = { client_id: application.client_id, client_secret: application.secret }
  const agreed = codeOf(await browser.send(consent, '/oauth/authorize', { ...asked, decision: 'allow' }))
  const { access_token, refresh_token } = (await token({ ...client, ...agreed })).body
  // What was agreed to once is not asked again.
  const waiting = codeOf(await browser.get(consent))
  const byToken = () => scene.as({ 'private-token': secret }).get('/user')
  assert.equal((await browser.send('/-/profile/keys/new', '/-/profile/keys/new', { title: 'Laptop', key: newKey() })).status, 303)
  const authenticator = authenticatorFor(scene.url)
  const keys = '/-/profile/two_factor/passkeys/new'
  const response = authenticator.make(optionsOn(await browser.get(keys)))
  assert.ok((await browser.send(keys, keys, { name: 'Phone', response })).status < 400)
  await scene.root.post(`/users/${id}/emails`, { email: `thief-${id}@example.com`, skip_confirmation: true })
  const again = new Browser(scene)
  await signOn(again, made, 'ben')
  assert.equal((await again.user()).id, id)
  for (const answer of [await byToken(), await bearer(access_token).get('/user'), { body: await browser.user() }])
    assert.equal(answer.body.id, id)

  assert.equal((await scene.root.put(`/users/${id}`, { admin: true })).body.is_admin, true)

  for (const one of [browser, again]) {
    assert.equal((await one.user()).id, undefined)
    assert.match(String((await one.get('/admin/users')).headers.location), /^\/users\/sign_in/)
  }
  for (const answer of [await byToken(), await bearer(access_token).get('/user')]) assert.equal(answer.status, 401)
  for (const fields of [waiting, { grant_type: 'refresh_token', refresh_token }])
    assert.equal((await token({ ...client, ...fields })).body.error, 'invalid_grant')
  for (const path of ['keys', 'emails']) assert.deepEqual((await scene.root.get(`/users/${id}/${path}`)).body, [], path)
  for (const table of ['webauthn_credentials', 'identities', 'sessions', 'pending_sign_ins'] as const)
    assert.deepEqual(await db.selectFrom(table).select('user_id').where('user_id', '=', id).execute(), [], table)
  const { password_digest } = await db.selectFrom('users').select('password_digest').where('id', '=', id).executeTakeFirstOrThrow()
  assert.equal(password_digest, null)
  const late = new Browser(scene)
  await signOn(late, made, 'ben')
  assert.equal((await late.user()).id, undefined)

  const entries = await db.selectFrom('audit_events').select('kind').where('entity_id', '=', id).where('entity_type', '=', 'User').execute()
  for (const kind of ['token.revoked', 'key.removed', 'second_factor.removed', 'email.removed', 'session.ended', 'user.password_changed'])
    assert.ok(
      entries.some(entry => entry.kind === kind),
      kind,
    )
})

test('the same where the group was deleted before', async () => {
  const { made, id, browser } = await used()
  const { body: key } = await scene.root.post(`/users/${id}/keys`, { title: 'Laptop', key: newKey() })
  const { token: secret } = (await scene.root.post(`/users/${id}/personal_access_tokens`, { name: 'backup', scopes: ['api'] })).body
  assert.equal((await scene.root.delete(made.group.url)).status, 204)
  assert.equal((await browser.user()).id, id)
  assert.equal((await scene.root.put(`/users/${id}`, { admin: true })).status, 200)
  assert.equal((await browser.user()).id, undefined)
  assert.equal((await scene.root.get(`/keys/${key.id}`)).status, 404)
  assert.equal((await scene.as({ 'private-token': secret }).get('/user')).status, 401)
})

test('a promotion keeps what is given with it, and what other accounts have', async () => {
  const { id, browser } = await used()
  const fresh = 'seven violet lanterns'
  assert.equal((await scene.root.put(`/users/${id}`, { admin: true, password: fresh })).status, 200)
  assert.equal((await browser.user()).id, undefined)
  const { username } = (await scene.root.get(`/users/${id}`)).body
  await browser.send('/users/sign_in', '/users/sign_in', { login: username, password: fresh })
  assert.equal((await browser.user()).id, id)
  // Neither a change of one who is an administrator already, nor the promotion of an account of one's own.
  await scene.root.put(`/users/${id}`, { admin: true })
  assert.equal((await browser.user()).id, id)
  const other = await scene.user()
  await scene.root.put(`/users/${other.id}`, { admin: true })
  assert.equal((await other.get('/user')).status, 200)
})
