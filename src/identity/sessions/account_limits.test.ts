import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { PasswordAttempts } from '../../platform/kernel/request/counts/attempts.ts'

const scene = await openScene({ settings: { rateLimit: 'on', trustedProxies: '127.0.0.1' } })
const password = 'a very long pass phrase'

const from = (ip: string) => ({ 'x-forwarded-for': ip })
const signIn = (login: string, given: string, ip: string) =>
  scene.anonymous.post(`${scene.url}/users/sign_in`, new URLSearchParams({ login, password: given }), from(ip))
const byOAuth = (username: string, given: string, ip: string) =>
  scene.anonymous.post(`${scene.url}/oauth/token`, new URLSearchParams({ grant_type: 'password', username, password: given }), from(ip))
const byGit = (login: string, given: string, ip: string) =>
  scene.anonymous.get(
    `${scene.url}/no/such.git/info/refs`,
    { service: 'git-upload-pack' },
    { authorization: `Basic ${Buffer.from(`${login}:${given}`).toString('base64')}`, ...from(ip) },
  )

test('150 wrong passwords for one account, from six addresses over three interfaces, are limited after ten', async () => {
  const person = await scene.user({ password })
  await signIn(person.username, password, '198.51.100.7')

  const doors = [signIn, byOAuth, byGit]
  const statuses = await Promise.all(
    Array.from({ length: 150 }, (_, number) =>
      doors[number % 3]!(number % 2 ? person.username : person.email, `wrong ${number}`, `203.0.113.${number % 6}`),
    ),
  )

  assert.equal(statuses.filter(({ status }) => status !== 429).length, 10, 'ten passwords are looked at')
  const right = await signIn(person.username, password, '203.0.113.99')
  assert.equal(right.status, 429, 'not even the right password, which would tell the attacker')
  assert.ok(Number(right.headers['retry-after']) > 0 && Number(right.headers['retry-after']) <= 600)
  assert.equal((await signIn(person.username, password, '198.51.100.7')).status, 303, 'the network that the owner signed in from goes on')
  assert.equal((await person.get('/user', {}, from('203.0.113.1'))).status, 200, 'and so do tokens')
  const entry = await scene.deps.database.db
    .selectFrom('audit_events')
    .select('kind')
    .where('kind', '=', 'sign_in.banned')
    .where('entity_id', '=', person.id)
    .execute()
  assert.equal(entry.length, 1)
})

test('an account that does not exist is banned like one that does', async () => {
  for (let number = 0; number < 10; number++) assert.equal((await signIn('nobody-here', 'wrong', `203.0.113.${100 + number}`)).status, 401)
  assert.equal((await signIn('Nobody-Here', 'wrong', '203.0.113.120')).status, 429)
})

test('the addresses of an IPv6 network are counted as one', async () => {
  const attempts = []
  for (let number = 1; number <= 31; number++)
    attempts.push((await signIn(`stranger-${number}`, 'wrong', `2001:db8:1:2::${number.toString(16)}`)).status)
  assert.deepEqual([attempts.filter(status => status === 401).length, attempts.at(-1)], [30, 429])
  assert.equal((await signIn('stranger-40', 'wrong', '2001:db8:1:3::1')).status, 401)
})

test('concurrent right passwords are never refused', async () => {
  const person = await scene.user({ password })
  const answers = await Promise.all(Array.from({ length: 25 }, () => byGit(person.username, password, '198.51.100.30')))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [404])
})

test('a ban ends, and the next one is longer, up to an hour', async t => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const attempts = new PasswordAttempts()
  const bans: number[] = []
  const attempt = { account: 'user 1', network: '203.0.113.1', isKnown: false }
  const fail = () =>
    attempts.judge(
      attempt,
      async () => undefined,
      async seconds => void bans.push(seconds),
    )

  for (const expected of [600, 1200, 2400, 3600, 3600]) {
    for (let count = 0; count < 10; count++) await fail()
    assert.equal(bans.at(-1), expected)
    await assert.rejects(fail(), { kind: 'too_many_requests' })
    t.mock.timers.tick(expected * 1000 - 1)
    await assert.rejects(fail(), { kind: 'too_many_requests' })
    t.mock.timers.tick(2)
  }
  assert.equal(
    await attempts.judge(
      attempt,
      async () => 'right',
      async () => {},
    ),
    'right',
  )
})

test('of two changes of a password at the same time one is refused: what it was given is the password no more', async () => {
  const [current_password, ...wanted] = ['a very long pass phrase', 'another long pass phrase', 'a third long pass phrase']
  for (let round = 0; round < 3; round++) {
    const person = await scene.user({ password: current_password! })
    const answers = await Promise.all(wanted.map(password => person.put('/user/password', { current_password, password })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 400])
    assert.deepEqual(answers.find(({ status }) => status === 400)?.body, { message: { current_password: ['is wrong'] } })
  }
})
