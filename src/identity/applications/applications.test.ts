import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()
const attributes = { name: 'Time sheet', redirect_uri: 'https://client.example.com/callback', scopes: 'api read_user' }

test('an administrator registers an application and sees its secret once', async () => {
  const created = await scene.root.post('/applications', attributes)

  assert.equal(created.status, 201)
  const { id, application_id, secret, ...rest } = created.body
  assert.deepEqual(rest, {
    application_name: 'Time sheet',
    callback_url: attributes.redirect_uri,
    confidential: true,
    secret_expires_at: null,
  })
  assert.match(application_id, /^[0-9a-f]{64}$/)
  assert.match(secret, /^[0-9a-f]{64}$/)
  const listed = await scene.root.get('/applications', { per_page: 100 })
  assert.deepEqual(
    listed.body.find((application: { id: number }) => application.id === id),
    { id, application_id, ...rest },
  )
  const rows = await scene.deps.database.db.selectFrom('oauth_applications').selectAll().execute()
  assert.ok(!JSON.stringify(rows).includes(secret))
})

test('only administrators manage applications', async () => {
  const person = await scene.user()
  const { id } = (await scene.root.post('/applications', attributes)).body
  assert.equal((await person.get('/applications')).status, 403)
  assert.equal((await person.post('/applications', attributes)).status, 403)
  assert.equal((await person.post(`/applications/${id}/renew-secret`)).status, 403)
  assert.equal((await person.delete(`/applications/${id}`)).status, 403)
  assert.equal((await scene.anonymous.get('/applications')).status, 401)
})

test('scopes are separated by spaces or commas or are a list, and must exist', async () => {
  for (const scopes of ['api read_user', 'api,read_user', ['api', 'read_user']]) {
    assert.equal((await scene.root.post('/applications', { ...attributes, scopes })).status, 201)
  }
  const unknown = await scene.root.post('/applications', { ...attributes, scopes: 'api everything' })
  assert.deepEqual(unknown, { status: 400, body: { message: { scopes: ['does not have a valid value'] } } })
  const none = await scene.root.post('/applications', { ...attributes, scopes: '' })
  assert.deepEqual(none, { status: 400, body: { message: { scopes: ["can't be blank"] } } })
})

for (const [uri, words] of [
  ['not a uri', 'must be an absolute URI.'],
  ['/callback', 'must be an absolute URI.'],
  ['https://client.example.com/#part', 'cannot contain a fragment.'],
  [' https://client.example.com/', 'must be an absolute URI.'],
  ['https://client.example.com/"x', 'must be an absolute URI.'],
  ['https://client.example.com\\x', 'must be an absolute URI.'],
  ['javascript:alert(1)', 'is forbidden by the server.'],
  ['data:text/html,x', 'is forbidden by the server.'],
  [' ', "can't be blank"],
] as const) {
  test(`a redirect URI ${JSON.stringify(uri)} is refused`, async () => {
    const answer = await scene.root.post('/applications', { ...attributes, redirect_uri: uri })
    assert.deepEqual(answer, { status: 400, body: { message: { redirect_uri: [words] } } })
  })
}

test('an application may have several redirect URIs, also with a private scheme', async () => {
  const redirect_uri = 'https://a.example.com/x?y=1 com.example.app:/callback\nhttp://127.0.0.1/back'
  const answer = await scene.root.post('/applications', { ...attributes, redirect_uri, confidential: false })
  assert.equal(answer.status, 201)
  assert.equal(answer.body.callback_url, redirect_uri.replace(' ', '\n'))
  assert.equal(answer.body.confidential, false)
})

test('a renewed secret differs from the old one', async () => {
  const { id, secret, ...rest } = (await scene.root.post('/applications', attributes)).body
  const renewed = await scene.root.post(`/applications/${id}/renew-secret`)
  assert.equal(renewed.status, 201)
  const { secret: other, ...same } = renewed.body
  assert.deepEqual(same, { id, ...rest })
  assert.notEqual(other, secret)
})

test('a changed application keeps what is not given, and its secret', async () => {
  const { secret, ...made } = (await scene.root.post('/applications', attributes)).body
  const before = await scene.deps.database.db
    .selectFrom('oauth_applications')
    .selectAll()
    .where('id', '=', made.id)
    .executeTakeFirstOrThrow()
  const changed = await scene.root.put(`/applications/${made.id}`, { name: 'Work time', redirect_uri: 'https://other.example.com/back' })
  assert.deepEqual(changed, {
    status: 200,
    body: { ...made, application_name: 'Work time', callback_url: 'https://other.example.com/back' },
  })
  const after = await scene.deps.database.db
    .selectFrom('oauth_applications')
    .selectAll()
    .where('id', '=', made.id)
    .executeTakeFirstOrThrow()
  assert.deepEqual(after, { ...before, name: 'Work time', redirect_uri: 'https://other.example.com/back' })
  const refused = await scene.root.put(`/applications/${made.id}`, { redirect_uri: 'javascript:alert(1)' })
  assert.deepEqual(refused, { status: 400, body: { message: { redirect_uri: ['is forbidden by the server.'] } } })
})

test('a deleted application is gone', async () => {
  const { id } = (await scene.root.post('/applications', attributes)).body
  assert.equal((await scene.root.delete(`/applications/${id}`)).status, 204)
  assert.deepEqual(await scene.root.delete(`/applications/${id}`), { status: 404, body: { message: '404 Application Not Found' } })
})
