/** Document 1: 429, with `RateLimit-*` and `Retry-After`. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Answer, openScene } from '../../../../test/scene.ts'

const scene = await openScene({ settings: { rateLimit: 'anonymous=3,authenticated=2' } })
const unlimited = await openScene()

const named = ['name', 'limit', 'observed', 'remaining', 'reset', 'resettime'].map(name => `ratelimit-${name}`)

describe('requests are counted', () => {
  test('for anonymous callers by address: the request over the limit is a 429', async () => {
    const answers = []
    for (const _ of [1, 2, 3]) answers.push(await scene.anonymous.get('/projects'))
    const before = Date.now()
    answers.push(await scene.anonymous.get('/projects'))
    const after = Date.now()

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
    // Both are whole seconds.
    const refusedAt = reset - wait * 1000
    assert.ok(before - 1_000 <= refusedAt && refusedAt <= after + 1_000, `${refusedAt} is not between ${before} and ${after}`)
    assert.equal(Date.parse(last?.headers['ratelimit-resettime'] as string), reset)
  })

  test('per user, whichever of their tokens is sent, refused requests included', async () => {
    const [one, other] = [await scene.user(), await scene.user()]
    const secondToken = await scene.token(one)

    assert.equal((await one.get('/user')).status, 200)
    assert.equal((await scene.as({ authorization: `Bearer ${secondToken}` }).get('/users/0')).status, 404)
    assert.equal((await one.get('/user')).status, 429)
    assert.equal((await other.get('/user')).status, 200)
  })

  test('for an identity provider, by the group of its token', async () => {
    await scene.deps.database.db.updateTable('application_settings').set({ scim_provisioning: 'owners' }).execute()
    const owners = [await scene.group(), await scene.group()]
    const providers = await Promise.all(
      owners.map(async ({ group, owner }) => {
        const { token, scim_url } = (await owner.post(`${group.url}/scim_token`)).body
        return () => scene.as({ authorization: `Bearer ${token}` }).get(`${scim_url}/Users`)
      }),
    )
    const [one, other] = providers as [() => Promise<Answer>, () => Promise<Answer>]

    for (const _ of [1, 2]) assert.equal((await one()).status, 200)
    const refused = await one()
    assert.deepEqual([refused.status, refused.body.status], [429, '429'])
    assert.equal((await other()).status, 200)
  })

  test('sudo counts for the administrator', async () => {
    const admin = await scene.user({ admin: true })
    const { username, ...person } = await scene.user()
    for (const _ of [1, 2]) assert.equal((await admin.get('/user', {}, { sudo: username })).body.username, username)

    assert.equal((await admin.get('/user', {}, { sudo: username })).status, 429)
    assert.equal((await person.get('/user')).status, 200)
  })
})

test('callers with invalid tokens are counted by address, and behind a trusted proxy by the forwarded address', async () => {
  const behind = await openScene({ settings: { rateLimit: 'anonymous=2', trustedProxies: '127.0.0.0/8' } })
  const guess = (from: string) => behind.anonymous.get('/user', {}, { 'private-token': 'guessed-guessed-gues', 'x-forwarded-for': from })

  const statuses = []
  for (const from of ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2']) statuses.push((await guess(from)).status)

  assert.deepEqual(statuses, [401, 401, 429, 401])
})

test('probes are not counted: they share an address with all clients of the proxy', async () => {
  const watched = await openScene({ settings: { rateLimit: 'anonymous=1' } })
  const probe = async (name: string) => (await watched.anonymous.get(`${watched.url}/-/${name}`)).status

  for (const name of ['health', 'liveness', 'readiness']) assert.deepEqual([await probe(name), await probe(name)], [200, 200])
  const [first, second] = [await watched.anonymous.get('/projects'), await watched.anonymous.get('/projects')]
  assert.deepEqual([first.status, second.status, await probe('health')], [200, 429, 200])
})

test('forwarded addresses are ignored unless the proxy is trusted', async () => {
  const direct = await openScene({ settings: { rateLimit: 'anonymous=1' } })
  const ask = (from: string) => direct.anonymous.get('/projects', {}, { 'x-forwarded-for': from, 'x-forwarded-host': 'evil.example' })

  const [first, second] = [await ask('192.0.2.1'), await ask('192.0.2.2')]

  assert.deepEqual([first.status, second.status], [200, 429])
  assert.doesNotMatch(first.headers.link ?? '', /evil/)
})

test('without limits nothing is counted and no header is sent', async () => {
  const answer = await unlimited.anonymous.get('/projects')

  assert.equal(answer.status, 200)
  assert.deepEqual(
    named.filter(name => answer.headers[name] !== undefined),
    [],
  )
})
