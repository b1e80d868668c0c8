/** Document 1: 429, with `RateLimit-*` and `Retry-After`. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openScene } from '../../test/scene.ts'

const scene = await openScene({ settings: { rateLimit: 'anonymous=3,authenticated=2' } })
const unlimited = await openScene()

const named = ['name', 'limit', 'observed', 'remaining', 'reset', 'resettime'].map(name => `ratelimit-${name}`)

describe('requests are counted', () => {
  test('for whoever has not signed in, by address: the one too many is a 429', async () => {
    const answers = []
    for (const _ of [1, 2, 3, 4]) answers.push(await scene.anonymous.get('/projects'))

    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers['ratelimit-observed'], headers['ratelimit-remaining']]),
      [
        [200, '1', '2'],
        [200, '2', '1'],
        [200, '3', '0'],
        [429, '4', '0'],
      ],
    )
    const [first, , , last] = answers
    assert.deepEqual(last, { status: 429, body: { message: '429 Too Many Requests' } })
    assert.equal(last?.headers['content-type'], 'application/json')
    assert.deepEqual(
      named.filter(name => !first?.headers[name]),
      [],
    )
    assert.equal(first?.headers['ratelimit-limit'], '3')
    assert.equal(first?.headers['retry-after'], undefined)
    const wait = Number(last?.headers['retry-after'])
    assert.ok(wait >= 1 && wait <= 60, `${wait} seconds`)
    const reset = Number(last?.headers['ratelimit-reset']) * 1000
    assert.ok(Math.abs(reset - Date.now() - wait * 1000) < 3_000)
    assert.equal(Date.parse(last?.headers['ratelimit-resettime'] as string), reset)
  })

  test('for each user apart, whichever of their tokens is sent, refused requests too', async () => {
    const [one, other] = [await scene.user(), await scene.user()]
    const secondToken = await scene.token(one)

    assert.equal((await one.get('/user')).status, 200)
    assert.equal((await scene.as({ authorization: `Bearer ${secondToken}` }).get('/users/0')).status, 404)
    assert.equal((await one.get('/user')).status, 429)
    assert.equal((await other.get('/user')).status, 200)
  })

  test('sudo counts for the administrator', async () => {
    const admin = await scene.user({ admin: true })
    const { username, ...person } = await scene.user()
    for (const _ of [1, 2]) assert.equal((await admin.get('/user', {}, { sudo: username })).body.username, username)

    assert.equal((await admin.get('/user', {}, { sudo: username })).status, 429)
    assert.equal((await person.get('/user')).status, 200)
  })
})

test('without limits nothing is counted and no header tells of it', async () => {
  const answer = await unlimited.anonymous.get('/projects')

  assert.equal(answer.status, 200)
  assert.deepEqual(
    named.filter(name => answer.headers[name] !== undefined),
    [],
  )
})
