import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { oauthScene, password } from '../../oauth/scene.ts'
import { Browser, CLIENT, departureOf, listening, providersFile } from './scene.ts'

/** What a server that speaks GitHub's API says of the person. */
const github = {
  user: { id: 4711, login: 'Octo-Cat', name: null as string | null },
  emails: [
    { email: 'other@octo.example', primary: false, verified: true },
    { email: 'cat@octo.example', primary: true, verified: true },
  ],
  orgs: [{ login: 'octo' }],
  teams: [{ slug: 'builders', organization: { login: 'octo' } }],
  asked: [] as string[],
}
const githubUrl = await listening((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://github')
  const json = (body: unknown) => void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  github.asked.push(`${request.method} ${pathname} ${request.headers.authorization ?? ''}`)
  if (pathname === '/login/oauth/authorize') {
    const back = new URL(searchParams.get('redirect_uri') ?? '')
    back.search = new URLSearchParams({ code: 'code', state: searchParams.get('state') ?? '' }).toString()
    return void response.writeHead(302, { location: back.href }).end()
  }
  if (pathname === '/login/oauth/access_token') return json({ access_token: 'gho_token', token_type: 'bearer', scope: 'read:user' })
  const api: Record<string, unknown> = {
    '/api/v3/user': github.user,
    '/api/v3/user/emails': github.emails,
    '/api/v3/user/orgs': github.orgs,
    '/api/v3/user/teams': github.teams,
  }
  return api[pathname] === undefined ? void response.writeHead(404).end() : json(api[pathname])
})

const elsewhere = await openScene()
const oauth = oauthScene(elsewhere)
// Registered before the address of its client is known: changed below.
const app = await oauth.app({ redirect_uri: 'http://127.0.0.1/callback', scopes: 'read_api read_user' })

const rules = { private_address: true, allow_single_sign_on: true, block_auto_created_users: false }
const scene = await openScene({
  settings: {
    providersFile: await providersFile([
      {
        ...rules,
        name: 'elsewhere',
        label: 'Elsewhere',
        kind: 'gitlab',
        settings: { url: elsewhere.url, client_id: app.client_id, client_secret: app.secret, groups: true },
        roles: [{ group: 'makers', path: 'shop', access_level: 'reporter' }],
        external_groups: ['guests-of-it'],
      },
      {
        ...rules,
        name: 'octo',
        kind: 'github',
        settings: { url: githubUrl, ...CLIENT, groups: true },
        required_groups: ['octo/builders'],
        block_auto_created_users: true,
      },
    ]),
  },
})
const callback = `${scene.url}/users/auth/elsewhere/callback`
await elsewhere.deps.database.db.updateTable('oauth_applications').set({ redirect_uri: callback }).where('id', '=', app.id).execute()
const { group: shop } = await scene.group({ path: 'shop' })

/** Signs in by the other instance, as a person who is signed in there. */
async function signInElsewhere(surfer: Awaited<ReturnType<typeof oauth.surfer>>): Promise<Browser> {
  const browser = new Browser(scene)
  const to = await browser.leave('elsewhere')
  assert.equal(to.origin, elsewhere.url)
  assert.equal(to.searchParams.get('code_challenge_method'), 'S256')
  const code = await oauth.authorize(surfer, app, Object.fromEntries(to.searchParams))
  await browser.get(`${callback}?${code}`)
  return browser
}

test('another instance of this API signs people in, with roles by their groups there', async () => {
  const surfer = await oauth.surfer()
  const named = { username: 'wanderer', email: 'wanderer@elsewhere.example', skip_reconfirmation: true }
  assert.equal((await elsewhere.root.put(`/users/${surfer.person.id}`, named)).status, 200)
  const { group: makers } = await elsewhere.group({ path: 'makers' })
  await elsewhere.root.post(`${makers.url}/members`, { user_id: surfer.person.id, access_level: 30 })

  const user = await (await signInElsewhere(surfer)).user()

  assert.equal(user.username, 'wanderer')
  assert.deepEqual(user.identities, [{ provider: 'elsewhere', extern_uid: String(surfer.person.id) }])
  assert.equal((await scene.root.get(`${shop.url}/members/${user.id}`)).body.access_level, 20)

  await elsewhere.root.delete(`${makers.url}/members/${surfer.person.id}`)
  await signInElsewhere(surfer)
  assert.equal((await scene.root.get(`${shop.url}/members/${user.id}`)).status, 404)
})

test('a code of another attempt signs nobody in', async () => {
  const surfer = await oauth.surfer()
  const browser = new Browser(scene)
  const first = await browser.leave('elsewhere')
  const code = await oauth.authorize(surfer, app, Object.fromEntries(first.searchParams))
  // The attacker's code with the state of the victim: the verifier is another one.
  const victim = new Browser(scene)
  const second = await victim.leave('elsewhere')
  code.set('state', second.searchParams.get('state') ?? '')
  const answer = await victim.get(`${callback}?${code}`)
  assert.equal(answer.status, 401)
  assert.match(answer.body, /cannot be trusted/)
  assert.equal(victim.cookies.has('_service_session'), false)
})

test('GitHub names people by their number, and their primary address counts if it is verified', async () => {
  const answer = await new Browser(scene).signIn('octo', '')
  assert.equal(answer.status, 401)
  assert.match(answer.body, /approval/i)
  const [user] = (await scene.root.get('/users', { provider: 'octo', extern_uid: '4711' })).body
  assert.equal(user.username, 'Octo-Cat')
  assert.equal(user.email, 'cat@octo.example')
  assert.equal(user.state, 'blocked_pending_approval')
  assert.ok(github.asked.includes('GET /api/v3/user Bearer gho_token'))

  assert.equal((await scene.root.post(`/users/${user.id}/approve`)).status, 201)
  github.user.login = 'renamed'
  const browser = new Browser(scene)
  await browser.signIn('octo', '')
  assert.equal((await browser.user()).id, user.id)

  github.teams = []
  const refused = await new Browser(scene).signIn('octo', '')
  assert.match(refused.body, /in none of the groups that may/)
  github.teams = [{ slug: 'builders', organization: { login: 'octo' } }]
})

test('a code is used up at the other instance, and a wrong secret is a message', async () => {
  const stranger = await elsewhere.user({ password })
  assert.ok(stranger.id)
  const browser = new Browser(scene)
  const to = await browser.leave('elsewhere')
  const state = to.searchParams.get('state') ?? ''
  const answer = await browser.get(`${callback}?${new URLSearchParams({ code: 'none', state })}`)
  assert.equal(answer.status, 401)
  assert.match(answer.body, /role="alert"/)
})

test('a person links and unlinks an account, and not their last way in', async () => {
  const person = await scene.user({ password })
  const browser = new Browser(scene)
  await browser.post('/users/sign_in', { login: person.username, password })
  github.user = { id: 4712, login: 'second', name: 'Second' }
  const page = '/-/profile/identities'
  assert.match((await browser.get(page)).body, /aria-label="Link octo"/)

  const left = await browser.send(page, `${page}/octo/link`)

  const back = await browser.visit(departureOf(left), '')
  // A browser in which another account is signed in finishes nothing.
  const done = await browser.get(back)

  assert.equal(done.headers.location, page)
  const [identity] = (await browser.user()).identities as { provider: string }[]
  assert.equal(identity?.provider, 'octo')
  assert.match((await browser.get(page)).body, /aria-label="Unlink octo"/)
  const mails = await scene.deps.database.db.selectFrom('mails').select('kind').where('user_id', '=', person.id).execute()
  assert.ok(mails.some(({ kind }) => kind === 'identity_linked'))

  // What is another account's already is not linked.
  const other = await scene.user({ password })
  const second = new Browser(scene)
  await second.post('/users/sign_in', { login: other.username, password })
  await second.get(await second.visit(departureOf(await second.send(page, `${page}/octo/link`)), ''))
  assert.deepEqual((await second.user()).identities, [])
  assert.match((await second.get(page)).body, /linked to another account here|aria-label="Link octo"/)

  await scene.deps.database.db.updateTable('users').set({ password_digest: null }).where('id', '=', person.id).execute()
  const refused = await browser.send(page, `${page}/octo/unlink`)
  assert.equal(refused.status, 409)
  assert.match(refused.body, /your last way to sign in/)
  assert.match((await browser.get(page)).body, /your last way to sign in/)
  const key = {
    user_id: person.id,
    credential_id: 'key',
    public_key: Buffer.from('key'),
    counter: 0,
    transports: [],
    passkey: true,
    name: 'Phone',
  }
  await scene.deps.database.db.insertInto('webauthn_credentials').values(key).execute()
  assert.match((await browser.get(page)).body, /aria-label="Unlink octo"/, 'a passkey is another way in')
  const again = new Browser(scene)
  await again.signIn('octo', '')
  assert.equal((await again.send(page, `${page}/octo/unlink`)).status, 303)
  assert.deepEqual((await again.user()).identities, [])
})

test('an attempt to link ends with the session that began it', async () => {
  const person = await scene.user({ password })
  const browser = new Browser(scene)
  await browser.post('/users/sign_in', { login: person.username, password })
  github.user = { id: 4713, login: 'third', name: 'Third' }

  const back = await browser.visit(departureOf(await browser.send('/-/profile/identities', '/-/profile/identities/octo/link')), '')
  browser.cookies.delete('_service_session')
  assert.match((await browser.get(back)).body, /no longer signed in to the account/)
  assert.deepEqual((await scene.root.get('/users', { provider: 'octo', extern_uid: '4713' })).body, [])
})

test('where passwords are off the page shows the providers alone, and administrators keep their way in', async () => {
  const person = await scene.user({ password })
  const chief = await scene.user({ password, admin: true })
  assert.match((await scene.anonymous.get(`${scene.url}/users/sign_in`)).body, /name="password"/)

  await scene.root.put('/application/settings', { password_authentication_enabled_for_web: false })

  const { body } = await scene.anonymous.get(`${scene.url}/users/sign_in`)
  assert.match(body, /Sign in with Elsewhere/)
  assert.doesNotMatch(body, /name="password"/)
  const browser = new Browser(scene)
  const refused = await browser.post('/users/sign_in', { login: person.username, password })
  assert.equal(refused.status, 401)
  assert.match(refused.body, /takes no passwords/)
  const grant = (username: string) =>
    scene.anonymous.post(`${scene.url}/oauth/token`, new URLSearchParams({ grant_type: 'password', username, password }))
  assert.equal((await grant(person.username)).body.error_description, 'This server takes no passwords')
  assert.equal((await grant(chief.username)).status, 200)
  assert.match((await scene.anonymous.get(`${scene.url}/users/sign_in?by=password`)).body, /name="password"/)
  const account = { name: 'New Person', username: 'new-person', email: 'new@example.com', password }
  assert.equal((await new Browser(scene).post('/users/sign_up', account)).status, 404, 'an account with a password alone has no way in')
  assert.equal((await browser.post('/users/sign_in', { login: chief.username, password })).status, 303)
  await scene.root.put('/application/settings', { password_authentication_enabled_for_web: true })
})

test('without a provider the setting locks nobody out', async () => {
  const person = await elsewhere.user({ password })
  await elsewhere.root.put('/application/settings', { password_authentication_enabled_for_web: false })
  assert.match((await elsewhere.anonymous.get(`${elsewhere.url}/users/sign_in`)).body, /name="password"/)
  assert.equal((await new Browser(elsewhere).post('/users/sign_in', { login: person.username, password })).status, 303)
})
