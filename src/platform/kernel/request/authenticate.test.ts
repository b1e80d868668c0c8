/** Document 1 "Authentication" and decisions 7 and 11: every way to authenticate. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { createUser } from '../../../identity/users/commands.ts'

const scene = await openScene()
const withoutImpersonation = await openScene({ settings: { impersonationEnabled: 'false' } })
const refused = { status: 401, body: { message: '401 Unauthorized' } }

/** A client that sends no credentials but those of each call. */
const { anonymous } = scene

describe('a token may be sent', () => {
  const places: [string, (token: string) => { query?: Record<string, string>; headers?: Record<string, string> }][] = [
    ['as header PRIVATE-TOKEN', token => ({ headers: { 'PRIVATE-TOKEN': token } })],
    ['as header private-token', token => ({ headers: { 'private-token': token } })],
    ['as header Authorization: Bearer', token => ({ headers: { authorization: `Bearer ${token}` } })],
    ['as header Authorization: bearer', token => ({ headers: { authorization: `bearer ${token}` } })],
    ['as query private_token', token => ({ query: { private_token: token } })],
    ['as query access_token', token => ({ query: { access_token: token } })],
  ]
  for (const [where, send] of places)
    test(where, async () => {
      const person = await scene.user()
      const { query, headers } = send(person.token)

      const answer = await anonymous.get('/user', query, headers)
      const wrong = send(`${person.token}x`)

      assert.equal(answer.body.username, person.username)
      assert.deepEqual(await anonymous.get('/user', wrong.query, wrong.headers), refused)
    })
})

describe('invalid credentials are 401, on public endpoints too (decision 7)', () => {
  test('an unknown token', async () => {
    assert.deepEqual(await anonymous.get('/projects', {}, { 'private-token': 'unknown-unknown-unkn' }), refused)
  })

  test('an expired token, from its expiry date on', async () => {
    const person = await scene.user()
    const today = new Date().toISOString().slice(0, 10)
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)

    const ended = await scene.token(person, { expiresAt: today })
    const alive = await scene.token(person, { expiresAt: tomorrow })

    assert.deepEqual(await anonymous.get('/projects', {}, { 'private-token': ended }), refused)
    assert.equal((await anonymous.get('/user', {}, { 'private-token': alive })).status, 200)
  })

  test('a revoked token', async () => {
    const person = await scene.user()
    assert.equal((await person.delete('/personal_access_tokens/self')).status, 204)

    assert.deepEqual(await person.get('/projects'), refused)
  })

  test('the token of a job that does not run', async () => {
    assert.deepEqual(await anonymous.get('/projects', {}, { 'job-token': 'abc' }), refused)
    assert.deepEqual(await anonymous.get('/projects', { job_token: 'abc' }), refused)
  })

  test('a token that is sent twice in a query is accepted', async () => {
    assert.deepEqual(await anonymous.get('/projects?private_token=wrong&private_token=wrong-too'), refused)
    assert.deepEqual(await anonymous.get('/projects?job_token=abc&job_token=abc'), refused)
  })

  test('no credentials are anonymous where none are needed, and 401 where they are', async () => {
    assert.equal((await anonymous.get('/projects')).status, 200)
    assert.deepEqual(await anonymous.get('/user'), refused)
    assert.deepEqual(await anonymous.post('/projects', {}), refused)
  })
})

test('of several credentials the first in the documented order counts, valid or not', async () => {
  const [first, second] = [await scene.user(), await scene.user()]

  const both = await anonymous.get('/user', { access_token: second.token }, { 'private-token': first.token })
  const wrongFirst = await anonymous.get('/user', {}, { 'private-token': 'wrong-wrong-wrong-wr', authorization: `Bearer ${second.token}` })

  assert.equal(both.body.username, first.username)
  assert.deepEqual(wrongFirst, refused)
})

test('a blocked user gets 403 with the reason', async () => {
  const person = await scene.user()
  await scene.root.post(`/users/${person.id}/block`)

  const answer = await person.get('/user')

  assert.deepEqual(answer, { status: 403, body: { message: '403 Forbidden - Your account has been blocked.' } })
})

describe('scopes', () => {
  const cases: { scopes: ('api' | 'read_api' | 'read_user' | 'read_repository' | 'sudo')[]; get: number; user: number; post: number }[] = [
    { scopes: ['api'], get: 200, user: 200, post: 201 },
    { scopes: ['read_api'], get: 200, user: 200, post: 403 },
    { scopes: ['read_user'], get: 403, user: 200, post: 403 },
    { scopes: ['read_repository'], get: 403, user: 403, post: 403 },
    { scopes: ['sudo'], get: 403, user: 403, post: 403 },
  ]
  for (const { scopes, get, user, post } of cases)
    test(`${scopes}: GET /projects ${get}, GET /user ${user}, POST /projects ${post}`, async () => {
      const person = await scene.user({ scopes })

      assert.equal((await person.get('/projects')).status, get)
      assert.equal((await person.get('/user')).status, user)
      assert.equal((await person.post('/projects', { name: `Of ${person.username}` })).status, post)
    })

  test('a scope that is missing is named as document 1 shows it', async () => {
    const person = await scene.user({ scopes: ['read_repository'] })

    const { status, body } = await person.post('/projects', { name: 'No' })

    assert.equal(status, 403)
    assert.deepEqual(Object.keys(body), ['error', 'error_description', 'scope'])
    assert.equal(body.error, 'insufficient_scope')
    assert.equal(body.scope, 'api')
  })
})

describe('impersonation tokens (document 1, Authentication rule 5)', () => {
  const made = async (where: typeof scene, id: number) =>
    where.root.post(`/users/${id}/impersonation_tokens`, { name: 'as them', scopes: ['api'] })

  test('act as their user', async () => {
    const person = await scene.user()
    const { body } = await made(scene, person.id)

    assert.equal((await anonymous.get('/user', {}, { 'private-token': body.token })).body.username, person.username)
  })

  test('do not act where impersonation is off', async () => {
    const person = await withoutImpersonation.user()
    const token = await withoutImpersonation.token(person)
    await withoutImpersonation.deps.database.db
      .updateTable('personal_access_tokens')
      .set({ impersonation: true })
      .where('user_id', '=', person.id)
      .execute()

    assert.deepEqual(await withoutImpersonation.anonymous.get('/user', {}, { 'private-token': token }), refused)
  })
})

describe('sudo (document 1, Authentication rule 6; decision 11)', () => {
  test('by header or query, by id or username in any case', async () => {
    const person = await scene.run(undefined, ctx =>
      createUser(ctx, { name: 'Mixed Case', username: 'MixedCase', email: 'mixed@example.com' }),
    )

    for (const value of [String(person.id), 'MixedCase', 'mixedcase', 'MIXEDCASE']) {
      assert.equal((await scene.root.get('/user', { sudo: value })).body.id, person.id)
      assert.equal((await scene.root.get('/user', {}, { sudo: value })).body.id, person.id)
    }
  })

  test('the request has the permissions of the other user', async () => {
    const person = await scene.user()
    const { project } = await scene.project({ visibility: 'private' })

    assert.equal((await scene.root.get(project.url)).status, 200)
    assert.equal((await scene.root.get(project.url, { sudo: person.username })).status, 404)
    assert.equal((await scene.root.post('/projects', { name: 'By sudo' }, { sudo: person.username })).body.owner.username, person.username)
  })

  test('a user who is no administrator is refused, whatever the scopes of the token', async () => {
    const expected = { status: 403, body: { message: '403 Forbidden - Must be admin to use sudo' } }

    assert.deepEqual(await (await scene.user()).get('/user', { sudo: 'root' }), expected)
    assert.deepEqual(await (await scene.user({ scopes: ['api'] })).get('/user', { sudo: 'root' }), expected)
  })

  test('an administrator whose token lacks the scope gets 403 that names it', async () => {
    const admin = await scene.user({ admin: true, scopes: ['api'] })

    const { status, body } = await admin.get('/user', { sudo: 'root' })

    assert.equal(status, 403)
    assert.equal(body.error, 'insufficient_scope')
    assert.match(body.error_description, /requires higher privileges/)
    assert.equal(body.scope, 'sudo')
  })

  test('a token of an administrator needs no other scope', async () => {
    const [admin, person] = [await scene.user({ admin: true, scopes: ['sudo'] }), await scene.user()]

    assert.equal((await admin.post('/projects', { name: 'By sudo alone' }, { sudo: person.username })).status, 201)
    assert.equal((await admin.get('/projects')).status, 403)
  })

  test('an unknown user is 404, in the words of document 1', async () => {
    assert.deepEqual(await scene.root.get('/user', { sudo: 'nobody-here' }), {
      status: 404,
      body: { message: "404 User with ID or username 'nobody-here' Not Found" },
    })
    assert.equal((await scene.root.get('/user?sudo=no%00body')).status, 404)
  })

  test('without credentials it is 401', async () => {
    assert.deepEqual(await anonymous.get('/projects', { sudo: 'root' }), refused)
  })
})
