import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { claimsOf, together } from './openid_connect.ts'
import { Browser, CLIENT, listening, openFaultyProvider, openOpenidProvider, type People, providersFile } from './scene.ts'

const people: People = {}
const company = await openOpenidProvider(people)
const faulty = await openFaultyProvider()
/** What a provider does that is asked for its addresses. */
const asked = { slow: async () => {} }
const slow = await listening((_request, response) => void asked.slow().then(() => response.writeHead(503).end()))
const entry = (name: string, issuer: string, rules: object = {}) => ({
  name,
  label: `The ${name}`,
  kind: 'openid_connect',
  private_address: true,
  settings: { issuer, ...CLIENT },
  allow_single_sign_on: true,
  block_auto_created_users: false,
  ...rules,
})
const scene = await openScene({
  settings: {
    providersFile: await providersFile([
      entry('company', company.issuer, {
        auto_link_user: true,
        admin_groups: ['chiefs'],
        roles: [
          { group: 'builders', path: 'works', access_level: 'developer' },
          { group: 'leads', path: 'works', access_level: 'maintainer' },
          { group: 'builders', path: 'no/such/group', access_level: 'guest' },
        ],
      }),
      entry('faulty', faulty.issuer, { trust_second_factor: true }),
      entry('down', 'http://127.0.0.1:9'),
      entry('slow', slow),
      { ...entry('strict', 'https://127.0.0.1:9'), private_address: false },
    ]),
  },
})
company.redirectTo(scene.url, 'company')
const { group: works } = await scene.group({ path: 'works' })

let number = 0
/** A person of the company, with a subject of their own. */
function employee(claims: Record<string, unknown> = {}): string {
  const sub = `employee-${++number}`
  people[sub] = {
    email: `${sub}@company.example`,
    email_verified: true,
    name: `Person ${number}`,
    preferred_username: sub,
    groups: [],
    ...claims,
  }
  return sub
}
const levelOf = async (id: unknown): Promise<number | undefined> => (await scene.root.get(`${works.url}/members/${id}`)).body.access_level

test('a first sign-in makes an account, and the next one finds it, wherever the person wanted to go', async () => {
  const sub = employee()
  const browser = new Browser(scene)

  const answer = await browser.signIn('company', sub, '/explore?a=1')

  assert.equal(answer.status, 303)
  assert.equal(answer.headers.location, '/explore?a=1')
  const user = await browser.user()
  assert.equal(user.username, sub)
  assert.equal(user.email, `${sub}@company.example`)
  assert.notEqual(user.confirmed_at, null)
  assert.deepEqual(user.identities, [{ provider: 'company', extern_uid: sub }])
  const again = new Browser(scene)
  await again.signIn('company', sub)
  assert.equal((await again.user()).id, user.id)
  const [found] = (await scene.root.get('/users', { provider: 'company', extern_uid: sub })).body
  assert.equal(found.id, user.id)
  const entries = (await scene.root.get('/audit_events', { entity_type: 'User', entity_id: user.id as number })).body
  assert.ok(entries.some((one: { details: { with?: string } }) => one.details.with === 'provider company'))
})

test('two first sign-ins at the same time make one account', async () => {
  const sub = employee()
  const browsers = Array.from({ length: 4 }, () => new Browser(scene))

  await Promise.all(browsers.map(browser => browser.signIn('company', sub)))

  const ids = await Promise.all(browsers.map(async browser => (await browser.user()).id))
  assert.equal(new Set(ids).size, 1)
  assert.equal((await scene.root.get('/users', { search: sub })).body.length, 1)
})

test('roles follow the groups at each sign-in, and those given by hand stay', async () => {
  const sub = employee({ groups: ['builders', 'chiefs'] })
  const signIn = async () => {
    const browser = new Browser(scene)
    await browser.signIn('company', sub)
    return browser.user()
  }
  const { id, is_admin } = await signIn()
  assert.equal(await levelOf(id), 30)
  assert.equal(is_admin, true)

  people[sub] = { ...people[sub], groups: ['leads', 'builders'] }
  assert.equal((await signIn()).is_admin, undefined)
  assert.equal(await levelOf(id), 40)
  people[sub] = { ...people[sub], groups: [] }
  await signIn()
  assert.equal(await levelOf(id), undefined)

  // Given by hand: whatever the provider says.
  await scene.root.post(`${works.url}/members`, { user_id: id, access_level: 20 })
  people[sub] = { ...people[sub], groups: ['leads'] }
  await signIn()
  assert.equal(await levelOf(id), 20)
  people[sub] = { ...people[sub], groups: [] }
  await signIn()
  assert.equal(await levelOf(id), 20)

  // Changed by hand after the provider gave it.
  await scene.root.delete(`${works.url}/members/${id}`)
  people[sub] = { ...people[sub], groups: ['builders'] }
  await signIn()
  await scene.root.put(`${works.url}/members/${id}`, { access_level: 40 })
  people[sub] = { ...people[sub], groups: [] }
  await signIn()
  assert.equal(await levelOf(id), 40)
})

test('an administrator by hand stays one, and what a provider gave goes with the identity', async () => {
  const sub = employee({ groups: ['chiefs', 'builders'] })
  const person = await scene.user({ email: `${sub}@company.example`, admin: true })
  await new Browser(scene).signIn('company', sub)
  assert.equal((await scene.root.get(`/users/${person.id}`)).body.identities.length, 1)
  assert.equal(await levelOf(person.id), 30)

  assert.equal((await scene.root.delete(`/users/${person.id}/identities/company`)).status, 204)

  const after = (await scene.root.get(`/users/${person.id}`)).body
  assert.deepEqual([after.is_admin, after.identities], [true, []])
  assert.equal(await levelOf(person.id), undefined)
})

test('a verified address links an account, and its owner gets a mail; an address that is not verified links none', async () => {
  const person = await scene.user()
  const sub = employee({ email: person.email })
  const browser = new Browser(scene)
  await browser.signIn('company', sub)
  assert.equal((await browser.user()).id, person.id)
  const mails = await scene.deps.database.db.selectFrom('mails').selectAll().where('user_id', '=', person.id).execute()
  assert.ok(mails.some(({ kind }) => kind === 'identity_linked'))

  const victim = await scene.user()
  const attacker = new Browser(scene)
  const answer = await attacker.signIn('company', employee({ email: victim.email, email_verified: false }))
  assert.equal(answer.status, 401)
  assert.match(answer.body, /An account here has your address already/)
  assert.equal(attacker.cookies.has('_service_session'), false)
  // One identity at a provider for each account.
  const second = await new Browser(scene).signIn('company', employee({ email: person.email }))
  assert.match(second.body, /linked to another account at The company/)
})

test('an address that is not verified makes an account that waits for its confirmation', async () => {
  const answer = await new Browser(scene).signIn('company', employee({ email_verified: false }))
  assert.equal(answer.status, 401)
  assert.match(answer.body, /confirm your email address/)
})

test('a blocked account stays out, and an identity that is unlinked meanwhile does not sign in', async () => {
  const sub = employee()
  const browser = new Browser(scene)
  await browser.signIn('company', sub)
  const { id } = await browser.user()
  await scene.root.post(`/users/${id}/block`)
  const answer = await new Browser(scene).signIn('company', sub)
  assert.equal(answer.status, 401)
  assert.match(answer.body, /blocked/)
})

test('the way back works once, in the browser that began it, and leads to addresses of this server alone', async () => {
  const sub = employee()
  const browser = new Browser(scene)
  const back = await browser.visit(await browser.leave('company', 'https://evil.example/'), sub)
  const stranger = new Browser(scene)
  const refused = await stranger.get(back)
  assert.equal(refused.status, 401)
  assert.match(refused.body, /was not begun in this browser/)
  assert.equal(stranger.cookies.has('_service_session'), false)

  const answer = await browser.get(back)
  assert.equal(answer.headers.location, '/')
  const replayed = new Browser(scene)
  replayed.cookies.set('_ingot_sign_in', browser.cookies.get('_ingot_sign_in') ?? '')
  assert.match((await replayed.get(back)).body, /was used before/)
  assert.equal(replayed.cookies.has('_service_session'), false)
})

test('an attempt of one provider is not finished by another, and ends after a quarter of an hour', async () => {
  const sub = employee()
  const browser = new Browser(scene)
  const back = await browser.visit(await browser.leave('company'), sub)
  assert.match((await browser.get(back.replace('/company/', '/faulty/'))).body, /was not begun in this browser/)
  await scene.deps.database.db
    .updateTable('provider_attempts')
    .set({ expires_at: new Date(0) })
    .execute()
  assert.match((await browser.get(back)).body, /has taken too long/)
})

test('a provider that fails is a message, and no failure of the server', async () => {
  const cases = {
    'an error': (_request: unknown, response: import('node:http').ServerResponse) => void response.writeHead(500).end('boom'),
    'a page': (_request: unknown, response: import('node:http').ServerResponse) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>'),
    'fifty megabytes': (_request: unknown, response: import('node:http').ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.on('error', () => {})
      const chunk = Buffer.alloc(1024 * 1024, 'a')
      let sent = 0
      const more = () => {
        while (sent++ < 50) if (!response.write(chunk)) return void response.once('drain', more)
        response.end()
      }
      more()
    },
  }
  for (const [name, token] of Object.entries(cases)) {
    faulty.faults = { token }
    const answer = await new Browser(scene).signIn('faulty', '')
    assert.equal(answer.status, 401, name)
    assert.match(answer.body, /role="alert"/, name)
  }
  const down = await new Browser(scene).post('/users/auth/down')
  assert.equal(down.status, 401)
  assert.match(down.body, /The down cannot be reached at the moment/)
  // Outbound rules hold where the file does not say that the provider is at a private address.
  assert.match((await new Browser(scene).post('/users/auth/strict')).body, /The strict cannot be reached/)
  assert.equal((await new Browser(scene).post('/users/auth/unknown')).status, 404)
})

test('who refuses at the provider comes back with a message', async () => {
  faulty.faults = {}
  const browser = new Browser(scene)
  const back = new URL(await browser.visit(await browser.leave('faulty'), ''))
  back.searchParams.delete('code')
  back.searchParams.set('error', 'access_denied')
  assert.match((await browser.get(back.href)).body, /You did not sign in at The faulty/)
})

test('what a provider names people by may be any text, and none that cannot be kept', async () => {
  for (const sub of ['', 'nul\u0000byte', 'line\nbreak', 'x'.repeat(256), '\ud800']) {
    faulty.faults = { claims: { sub, email: 'strange@company.example', email_verified: true } }
    const answer = await new Browser(scene).signIn('faulty', '')
    assert.equal(answer.status, 401)
    assert.match(answer.body, /in a way that cannot be used here|cannot be trusted|does not say who you are/)
  }
  const sub = "'; drop table users; -- 𝕊 %2F/../é"
  faulty.faults = {
    claims: { sub, email: 'odd@company.example', email_verified: true, preferred_username: '../admin\u0000', name: 'O\u0007dd' },
  }
  const browser = new Browser(scene)
  await browser.signIn('faulty', '')
  const user = await browser.user()
  assert.deepEqual(user.identities, [{ provider: 'faulty', extern_uid: sub }])
  assert.equal(user.name, 'Odd')
  // Another letter case is another person.
  faulty.faults = { claims: { sub: sub.toUpperCase(), email: 'odder@company.example', email_verified: true } }
  const other = new Browser(scene)
  await other.signIn('faulty', '')
  assert.notEqual((await other.user()).id, user.id)

  const email = `${randomBytes(6000).toString('hex')}@company.example`
  faulty.faults = { claims: { sub: 'far too long', email, email_verified: true } }
  assert.match((await new Browser(scene).signIn('faulty', '')).body, /does not give your email address/)
})

test('a second factor is asked for here too, unless the file trusts the one that the provider has asked for', async () => {
  const signIn = async (amr: string[]) => {
    faulty.faults = { claims: { sub: 'guarded', email: 'guarded@company.example', email_verified: true, amr } }
    const browser = new Browser(scene)
    return { browser, answer: await browser.signIn('faulty', '', '/explore') }
  }
  const { id } = await (await signIn([])).browser.user()
  await scene.deps.database.db
    .updateTable('users')
    .set({ two_factor_enabled: true })
    .where('id', '=', id as number)
    .execute()

  const asked = await signIn(['pwd'])
  assert.match(asked.answer.headers.location ?? '', /^\/users\/two_factor\?/)
  assert.equal(asked.browser.cookies.has('_service_session'), false)
  assert.equal((await asked.browser.get('/users/two_factor')).status, 200)
  for (const extern_uid of ['another', 'guarded']) await scene.root.put(`/users/${id}`, { provider: 'faulty', extern_uid })
  assert.equal((await asked.browser.get('/users/two_factor')).status, 303, 'the identity is another one meanwhile')
  const trusted = await signIn(['pwd', 'mfa'])
  assert.equal(trusted.answer.headers.location, '/explore')
  assert.equal((await trusted.browser.user()).id, id)
})

test('signing out leads to the end of the session at the provider', async () => {
  const browser = new Browser(scene)
  await browser.signIn('company', employee())

  const answer = await browser.send('/', '/users/sign_out')

  const [, to = ''] = /^0; url=(.+)$/.exec(answer.headers.refresh ?? '') ?? []
  assert.equal(new URL(to).origin, company.issuer)
  assert.equal(new URL(to).searchParams.get('post_logout_redirect_uri'), `${scene.url}/users/sign_in`)
  assert.equal(browser.cookies.get('_service_session'), undefined)
})

test('a session has ended before its provider is asked, however long that takes', async () => {
  const { db } = scene.deps.database
  const sessions = () => db.selectFrom('sessions').select('id').where('provider', '=', 'slow').execute()
  const browser = new Browser(scene)
  await browser.signIn('company', employee())
  const { id } = await browser.user()
  await db
    .updateTable('sessions')
    .set({ provider: 'slow' })
    .where('user_id', '=', id as number)
    .execute()
  let left = -1
  asked.slow = async () => {
    left = (await sessions()).length
  }

  assert.equal((await browser.send('/', '/users/sign_out')).status, 303)

  assert.equal(left, 0)
})

test('claims are found where the file says', () => {
  const names = { username_claim: 'nick', groups_claim: 'realm.roles' }
  const claims = claimsOf(names, { sub: '1', nick: 'ida', realm: { roles: ['a', 7, 'b'] }, amr: ['pwd', 'mfa'], email_verified: 'yes' })
  assert.deepEqual(claims, {
    uid: '1',
    username: 'ida',
    name: undefined,
    email: undefined,
    emailVerified: false,
    groups: ['a', 'b'],
    secondFactor: true,
  })
  assert.deepEqual(claimsOf(names, { sub: '1', 'realm.roles': 'one' }).groups, ['one'])
})

test('an address is verified by what names it', () => {
  const names = { username_claim: 'nick', groups_claim: 'groups' }
  const said = (userinfo: Record<string, unknown>, idToken: Record<string, unknown>) => {
    const { email, emailVerified } = claimsOf(names, together(userinfo, { sub: '1', ...idToken }))
    return [email, emailVerified]
  }
  const proven = { email: 'ida@example.com', email_verified: true }
  assert.deepEqual(said(proven, { email: 'root@example.com' }), ['root@example.com', false])
  assert.deepEqual(said(proven, {}), ['ida@example.com', true])
  assert.deepEqual(said({ email: 'root@example.com' }, proven), ['ida@example.com', true])
  assert.deepEqual(said(proven, { email: 'ida@example.com' }), ['ida@example.com', true])
  assert.deepEqual(said({ email_verified: true }, { email: 'root@example.com' }), ['root@example.com', false])
  assert.deepEqual(said({ email: 'root@example.com' }, { email_verified: true }), ['root@example.com', false])
})
