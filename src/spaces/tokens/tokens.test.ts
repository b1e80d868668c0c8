import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overtakenBy } from '../../../test/held_table.ts'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
const by = (token: string) => scene.as({ 'private-token': token })

test('a new personal access token is valid immediately, and its secret is shown once', async () => {
  const person = await scene.user()

  const made = await scene.root.post(`/users/${person.id}/personal_access_tokens`, {
    name: 'backup',
    scopes: ['read_api', 'read_api'],
    expires_at: tomorrow(),
  })

  const { id, created_at, token, ...rest } = made.body
  assert.equal(made.status, 201)
  assert.match(token, /^[\w-]{20}$/)
  assert.match(created_at, /Z$/)
  assert.deepEqual(rest, {
    name: 'backup',
    revoked: false,
    scopes: ['read_api'],
    user_id: person.id,
    active: true,
    expires_at: tomorrow(),
    last_used_at: null,
  })
  assert.equal((await by(token).get('/user')).body.id, person.id)
  const shown = await person.get(`/personal_access_tokens/${id}`)
  assert.equal(shown.status, 200)
  assert.ok(!('token' in shown.body))
})

test('a token with an unknown scope, or with none, is refused', async () => {
  const person = await scene.user()
  const make = (scopes: unknown) => scene.root.post(`/users/${person.id}/personal_access_tokens`, { name: 'x', scopes })

  assert.equal((await make(['everything'])).status, 400)
  assert.deepEqual((await make([])).body, { message: { scopes: ["can't be blank"] } })
})

test('a token without the scope sudo makes none with it, for nobody', async () => {
  const admin = await scene.user({ admin: true })
  const { body } = await scene.root.post(`/users/${admin.id}/personal_access_tokens`, { name: 'x', scopes: ['api'] })
  for (const path of [`/users/${admin.id}/personal_access_tokens`, `/users/${admin.id}/impersonation_tokens`]) {
    const made = await by(body.token).post(path, { name: 'y', scopes: ['api', 'sudo'] })
    assert.deepEqual([made.status, made.body.error], [403, 'insufficient_scope'], path)
    assert.equal((await by(body.token).post(path, { name: 'y', scopes: ['api'] })).status, 201, path)
  }
})

test('any user may have a token with scope sudo (decision 11)', async () => {
  const person = await scene.user()
  const made = await scene.root.post(`/users/${person.id}/personal_access_tokens`, { name: 'x', scopes: ['api', 'sudo'] })
  assert.deepEqual([made.status, made.body.scopes], [201, ['api', 'sudo']])
})

test('users list their own tokens; the tokens of others are a 401, and administrators list those of any user', async () => {
  const [person, other] = [await scene.user(), await scene.user()]

  const own = await person.get('/personal_access_tokens')
  assert.deepEqual(
    own.body.map((row: { user_id: number }) => row.user_id),
    [person.id],
  )
  assert.deepEqual((await person.get('/personal_access_tokens', { user_id: person.id })).body, own.body)
  assert.equal((await person.get('/personal_access_tokens', { user_id: other.id })).status, 401)
  assert.deepEqual((await scene.root.get('/personal_access_tokens', { user_id: person.id })).body, own.body)
})

test('the token of another user does not exist for users and can be revoked by administrators', async () => {
  const [person, other] = [await scene.user(), await scene.user()]
  const [token] = (await other.get('/personal_access_tokens')).body

  assert.equal((await person.get(`/personal_access_tokens/${token.id}`)).status, 404)
  assert.equal((await person.delete(`/personal_access_tokens/${token.id}`)).status, 404)
  assert.equal((await scene.root.delete(`/personal_access_tokens/${token.id}`)).status, 204)
  assert.equal((await other.get('/user')).status, 401)
})

test('a token of any scope can read and revoke itself', async () => {
  const person = await scene.user()
  const client = by(await scene.token(person, { scopes: ['read_repository'] }))

  const self = await client.get('/personal_access_tokens/self')
  assert.deepEqual([self.status, self.body.scopes], [200, ['read_repository']])
  assert.equal((await client.delete('/personal_access_tokens/self')).status, 204)
  assert.equal((await client.get('/personal_access_tokens/self')).status, 401)
  const revoked = (await person.get(`/personal_access_tokens/${self.body.id}`)).body
  assert.deepEqual([revoked.revoked, revoked.active], [true, false])

  const session = await oauthScene(scene).surfer()
  const none = await session.client.get(`${scene.url}/api/v4/personal_access_tokens/self`)
  assert.deepEqual([none.status, none.body.message], [400, '400 Bad request - this request was not made with a personal access token'])
})

test('a token ends on the day it expires', async () => {
  const person = await scene.user()
  const made = await scene.root.post(`/users/${person.id}/personal_access_tokens`, {
    name: 'short',
    scopes: ['api'],
    expires_at: new Date().toISOString().slice(0, 10),
  })
  assert.equal(made.body.active, false)
  assert.equal((await by(made.body.token).get('/user')).status, 401)
})

test('an impersonation token acts as the user, is listed by state, and ends when revoked (document 1, Authentication 5)', async () => {
  const person = await scene.user()
  const path = `/users/${person.id}/impersonation_tokens`

  const made = await scene.root.post(path, { name: 'support', scopes: ['api'] })
  assert.equal(made.status, 201)
  assert.equal(made.body.impersonation, true)
  assert.equal((await by(made.body.token).get('/user')).body.id, person.id)
  assert.deepEqual((await person.get('/personal_access_tokens')).body.length, 1, 'it is not one of the person’s own')
  assert.equal((await person.get(`/personal_access_tokens/${made.body.id}`)).status, 404)

  assert.equal((await scene.root.get(`${path}/${made.body.id}`)).body.name, 'support')
  assert.equal((await scene.root.get(path, { state: 'inactive' })).body.length, 0)
  assert.equal((await scene.root.delete(`${path}/${made.body.id}`)).status, 204)
  assert.equal((await by(made.body.token).get('/user')).status, 401)
  assert.deepEqual(
    (await scene.root.get(path, { state: 'inactive' })).body.map((row: { id: number }) => row.id),
    [made.body.id],
  )
  assert.equal((await scene.root.get(path, { state: 'active' })).body.length, 0)
  assert.equal((await person.get(path)).status, 403)
})

test('a project access token creates a bot that is a member with the requested level', async () => {
  const { project, maintainer } = await scene.project({ members: ['maintainer'] })

  const made = await maintainer.post(`${project.url}/access_tokens`, { name: 'deploys', scopes: ['api'], access_level: 30 })

  assert.deepEqual([made.status, made.body.access_level, made.body.active], [201, 30, true])
  const bot = by(made.body.token)
  const self = (await bot.get('/user')).body
  assert.deepEqual([self.username, self.name, self.bot], [`project_${project.id}_bot`, 'deploys', true])
  assert.equal((await maintainer.get(`${project.url}/members/${self.id}`)).body.access_level, 30)
  assert.equal((await bot.get(project.url)).status, 200)
  const [listed, ...others] = (await maintainer.get(`${project.url}/access_tokens`)).body
  assert.deepEqual([listed.id, listed.user_id, others.length], [made.body.id, self.id, 0])
  assert.ok(!('token' in listed))
})

test('a project access token has level 40 by default, and no user scope', async () => {
  const { project, owner } = await scene.project()

  assert.equal((await owner.post(`${project.url}/access_tokens`, { name: 'x', scopes: ['api'] })).body.access_level, 40)
  assert.equal((await owner.post(`${project.url}/access_tokens`, { name: 'x', scopes: ['sudo'] })).status, 400)
})

test('every further token of a project has a bot of its own, even with concurrent creation', async () => {
  const { project, owner } = await scene.project()
  const make = () => owner.post(`${project.url}/access_tokens`, { name: 'x', scopes: ['api'] })

  const answers = await Promise.all([make(), make(), make()])

  assert.deepEqual(
    answers.map(answer => answer.status),
    [201, 201, 201],
  )
  const names = await Promise.all(answers.map(async answer => (await by(answer.body.token).get('/user')).body.username))
  assert.deepEqual(
    names.sort(),
    ['', '1', '2'].map(number => `project_${project.id}_bot${number}`),
  )
})

test('the bot is deleted with its token, and with its project', async () => {
  const { project, owner } = await scene.project()
  const make = async () => (await owner.post(`${project.url}/access_tokens`, { name: 'x', scopes: ['api'] })).body
  const [revoked, kept] = [await make(), await make()]

  assert.equal((await owner.delete(`${project.url}/access_tokens/${revoked.id}`)).status, 204)
  assert.equal((await by(revoked.token).get(project.url)).status, 401)
  assert.equal((await owner.get(`/users/${revoked.user_id}`)).status, 404)
  assert.equal((await owner.delete(`${project.url}/access_tokens/${revoked.id}`)).status, 404)

  assert.equal((await owner.delete(project.url)).status, 204)
  assert.equal((await by(kept.token).get('/user')).status, 401)
  assert.equal((await scene.root.get(`/users/${kept.user_id}`)).status, 404)
})

test('a bot creates and revokes no tokens of its project, except for revoking its own', async () => {
  const { project, owner } = await scene.project()
  const made = (await owner.post(`${project.url}/access_tokens`, { name: 'x', scopes: ['api'] })).body
  const bot = by(made.token)

  assert.equal((await bot.post(`${project.url}/access_tokens`, { name: 'y', scopes: ['api'] })).status, 403)
  assert.equal((await bot.delete(`${project.url}/access_tokens/${made.id}`)).status, 403)
  assert.equal((await bot.delete('/personal_access_tokens/self')).status, 204)
  assert.equal((await scene.root.get(`/users/${made.user_id}`)).status, 404)
})

test('a bot creates neither own projects nor groups', async () => {
  const { project, owner } = await scene.project()
  const bot = by((await owner.post(`${project.url}/access_tokens`, { name: 'x', scopes: ['api'] })).body.token)

  assert.equal((await bot.post('/projects', { name: 'own' })).status, 403)
  assert.equal((await bot.post('/groups', { name: 'own', path: 'own-of-bot' })).status, 403)
})

test('a token that is replaced while it is revoked is not revoked as well: its bot stays', async () => {
  const { project, owner } = await scene.project()
  const made = (await owner.post(`${project.url}/access_tokens`, { name: 'x', scopes: ['api'] })).body
  const replacement = [
    `with gone as (update personal_access_tokens set revoked = true where id = $1 returning *)
     insert into personal_access_tokens (user_id, name, scopes, digest, created_at) select user_id, name, scopes, 'digest', created_at from gone`,
    [made.id],
  ] as const

  const answer = await overtakenBy(scene.deps.database, replacement, () => owner.delete(`${project.url}/access_tokens/${made.id}`))

  assert.equal(answer.status, 404)
  assert.equal((await scene.root.get(`/users/${made.user_id}`)).status, 200)
})
