/** Group access tokens, and rotation of tokens (group and personal access tokens APIs). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()

describe('a group access token', () => {
  test('creates a bot that is a member of the group with the requested level, and of everything below', async () => {
    const { group, owner } = await scene.group()
    const { project } = await scene.project({ group })

    const made = await owner.post(`${group.url}/access_tokens`, { name: 'robot', scopes: ['api'], access_level: 30 })
    assert.deepEqual([made.status, made.body.access_level], [201, 30])
    const bot = scene.as({ 'private-token': made.body.token })

    const self = (await bot.get('/user')).body
    assert.deepEqual([self.username, self.bot], [`group_${group.id}_bot`, true])
    assert.equal((await bot.get(project.url)).status, 200)
    assert.equal((await owner.get(`${group.url}/members/${self.id}`)).body.access_level, 30)
    const list = (await owner.get(`${group.url}/access_tokens`)).body
    assert.deepEqual(list, [(await owner.get(`${group.url}/access_tokens/${made.body.id}`)).body])
    assert.equal('token' in list[0], false)
  })

  test('is for Owners: Maintainers neither see nor create it', async () => {
    const { group, maintainer } = await scene.group({ members: ['maintainer'] })

    assert.equal((await maintainer.get(`${group.url}/access_tokens`)).status, 403)
    assert.equal((await maintainer.post(`${group.url}/access_tokens`, { name: 'robot', scopes: ['api'] })).status, 403)
  })

  test('creates no other tokens, and its bot is deleted with it', async () => {
    const { group, owner } = await scene.group()
    const { body } = await owner.post(`${group.url}/access_tokens`, { name: 'robot', scopes: ['api'], access_level: 50 })
    const bot = scene.as({ 'private-token': body.token })
    assert.equal((await bot.post(`${group.url}/access_tokens`, { name: 'another', scopes: ['api'] })).status, 403)

    assert.equal((await owner.delete(`${group.url}/access_tokens/${body.id}`)).status, 204)

    assert.equal((await bot.get('/user')).status, 401)
    assert.equal((await owner.get(`/users/${body.user_id}`)).status, 404)
    assert.deepEqual(await owner.delete(`${group.url}/access_tokens/${body.id}`), {
      status: 404,
      body: { message: '404 Group Access Token Not Found' },
    })
  })

  test('is deleted with its group, even when its own bot deletes that', async () => {
    const { group, owner } = await scene.group()
    const { group: below } = await scene.group({ parent: group, owner })
    await scene.project({ group: below })
    const { body } = await owner.post(`${below.url}/access_tokens`, { name: 'robot', scopes: ['api'], access_level: 50 })
    const bot = scene.as({ 'private-token': body.token })

    assert.equal((await bot.delete(below.url)).status, 204)

    assert.equal((await owner.get(`/users/${body.user_id}`)).status, 404)
    assert.equal((await bot.get('/user')).status, 401)
  })
})

describe('rotating', () => {
  test('a personal access token revokes it and gives one with the same name and scopes, for a week', async () => {
    const person = await scene.user()
    const { body } = await scene.root.post(`/users/${person.id}/personal_access_tokens`, { name: 'laptop', scopes: ['api'] })
    const before = scene.as({ 'private-token': body.token })

    const rotated = await before.post(`/personal_access_tokens/${body.id}/rotate`)

    assert.equal(rotated.status, 201)
    assert.deepEqual([rotated.body.name, rotated.body.scopes], ['laptop', ['api']])
    const days = (Date.parse(rotated.body.expires_at) - Date.parse(new Date().toISOString().slice(0, 10))) / 86_400_000
    assert.equal(days, 7)
    assert.equal((await before.get('/user')).status, 401)
    assert.equal((await scene.as({ 'private-token': rotated.body.token }).get('/user')).body.id, person.id)
  })

  test('the token of the request is done by `self`', async () => {
    const person = await scene.user()

    const { body } = await person.post('/personal_access_tokens/self/rotate', { expires_at: '2999-01-01' })

    assert.equal(body.expires_at, '2999-01-01')
    assert.equal((await person.get('/user')).status, 401)
    assert.equal((await scene.as({ 'private-token': body.token }).get('/user')).body.id, person.id)
  })

  test('a revoked token is refused, and of two concurrent rotations one wins', async () => {
    const person = await scene.user()
    const { body } = await scene.root.post(`/users/${person.id}/personal_access_tokens`, { name: 'laptop', scopes: ['api'] })
    const rotate = () => person.post(`/personal_access_tokens/${body.id}/rotate`)

    const answers = await Promise.all([rotate(), rotate()])

    assert.deepEqual(answers.map(answer => answer.status).sort(), [201, 400])
    assert.equal((await rotate()).status, 400)
  })

  test('does not give sudo to a caller without it', async () => {
    const person = await scene.user({ scopes: ['api'] })
    const { body } = await scene.root.post(`/users/${person.id}/personal_access_tokens`, { name: 'more', scopes: ['api', 'sudo'] })

    const answer = await person.post(`/personal_access_tokens/${body.id}/rotate`)

    assert.deepEqual([answer.status, answer.body.error], [403, 'insufficient_scope'])
  })

  test('is refused to bots', async () => {
    const { project, owner } = await scene.project()
    const { body } = await owner.post(`${project.url}/access_tokens`, { name: 'robot', scopes: ['api'] })

    assert.equal((await scene.as({ 'private-token': body.token }).post('/personal_access_tokens/self/rotate')).status, 403)
  })

  test('an access token of a place keeps its bot, which stays a member as long as the new token', async () => {
    const { group, owner } = await scene.group()
    const { project } = await scene.project({ owner })
    for (const { url } of [group, project]) {
      const { body } = await owner.post(`${url}/access_tokens`, {
        name: 'robot',
        scopes: ['api'],
        access_level: 20,
        expires_at: '2998-01-01',
      })

      const rotated = await owner.post(`${url}/access_tokens/${body.id}/rotate`, { expires_at: '2999-01-01' })

      assert.deepEqual([rotated.status, rotated.body.user_id, rotated.body.access_level], [201, body.user_id, 20])
      assert.equal((await scene.as({ 'private-token': rotated.body.token }).get(url)).status, 200)
      assert.equal((await owner.get(`${url}/members/${body.user_id}`)).body.expires_at, '2999-01-01')
      assert.deepEqual(
        (await owner.get(`${url}/access_tokens`)).body.map((row: { id: number }) => row.id),
        [rotated.body.id],
      )
    }
  })
})
