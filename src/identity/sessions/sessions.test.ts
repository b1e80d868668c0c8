import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()
const password = 'a very long pass phrase'
const page = (path: string) => `${scene.url}${path}`

const settings = (changes: Record<string, number>) => scene.root.put('/application/settings', changes)

const signIn = (login: string, options: { password?: string; redirect?: string; headers?: Record<string, string> } = {}) =>
  scene.anonymous.post(
    page('/users/sign_in'),
    new URLSearchParams({ login, password: options.password ?? password, redirect: options.redirect ?? '/' }),
    options.headers,
  )

/** The session's cookie as a browser would send it back. */
function cookieOf(answer: { headers: Readonly<Record<string, string>> }): string {
  const header = answer.headers['set-cookie']
  assert.ok(header, 'the answer sets a cookie')
  return String(header).split(';')[0] as string
}

async function signedIn() {
  const person = await scene.user({ password })
  const cookie = cookieOf(await signIn(person.username))
  return { person, cookie, browser: scene.as({ cookie }) }
}

const csrfOf = (html: string) => /<meta name="csrf-token" content="([^"]+)">/.exec(html)?.[1] ?? assert.fail('the page has a CSRF token')

test('the browser keeps a session after its own end where the person wants to stay signed in', async () => {
  const { username } = await scene.user({ password })
  const { max_session_lifetime } = (await scene.root.get('/application/settings')).body
  const form = (fields: Record<string, string>) =>
    scene.anonymous.post(`${scene.url}/users/sign_in`, new URLSearchParams({ login: username, password, ...fields }))

  const staying = await form({ remember_me: '1' })

  assert.match(String(staying.headers['set-cookie']), new RegExp(`; SameSite=Lax; Max-Age=${max_session_lifetime * 86_400}$`))
  assert.doesNotMatch(String((await form({})).headers['set-cookie']), /Max-Age/)
  // What was chosen stays after a wrong password.
  assert.match((await form({ remember_me: '1', password: 'wrong' })).body, /name="remember_me" value="1" checked/)
})

test('a sign-in with username and password redirects with a session cookie, which the API accepts', async () => {
  const person = await scene.user({ password })

  const answer = await signIn(person.username, { redirect: '/-/docs?a=1#b' })

  assert.equal(answer.status, 303)
  assert.equal(answer.headers.location, '/-/docs?a=1#b')
  assert.match(String(answer.headers['set-cookie']), /^_service_session=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Lax$/)
  const self = await scene.as({ cookie: cookieOf(answer) }).get('/user')
  assert.equal(self.body.username, person.username)
})

test('an email address in any case of letters signs in as well', async () => {
  const person = await scene.user({ password })
  assert.equal((await signIn(person.email.toUpperCase())).status, 303)
})

test('a wrong password shows the form again with 401, the login kept and escaped', async () => {
  const answer = await signIn('"><script>alert(1)</script>', { password: 'wrong' })

  assert.equal(answer.status, 401)
  assert.match(answer.body, /role="alert">.*Wrong username, email or password\./)
  assert.match(answer.body, /value="&quot;&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt;"/)
  assert.equal(answer.headers['set-cookie'], undefined)
})

test('the state of an account is shown only with the right password', async () => {
  const person = await scene.user({ password })
  await scene.root.post(`/users/${person.id}/block`)

  const right = await signIn(person.username)
  const wrong = await signIn(person.username, { password: 'wrong' })

  assert.equal(right.status, 401)
  assert.match(right.body, /Your account has been blocked\./)
  assert.doesNotMatch(wrong.body, /blocked/)
})

test('signing in reactivates a deactivated account and says so', async () => {
  const person = await scene.user({ password })
  await scene.root.post(`/users/${person.id}/deactivate`)

  const answer = await signIn(person.username)

  assert.equal(answer.status, 200)
  assert.match(answer.body, /is active again/)
  assert.equal((await scene.as({ cookie: cookieOf(answer) }).get('/user')).body.state, 'active')
})

test('sign-ins are counted, and the one before the current is the last', async () => {
  const person = await scene.user({ password })
  await signIn(person.username)
  const first = (await scene.root.get(`/users/${person.id}`)).body
  await signIn(person.username)
  const second = (await scene.root.get(`/users/${person.id}`)).body

  assert.equal(first.last_sign_in_at, first.current_sign_in_at)
  assert.equal(second.last_sign_in_at, first.current_sign_in_at)
  assert.ok(second.current_sign_in_at > first.current_sign_in_at)
  const row = await scene.deps.database.db.selectFrom('users').selectAll().where('id', '=', person.id).executeTakeFirstOrThrow()
  assert.equal(row.sign_in_count, 2)
  assert.equal(row.current_sign_in_ip, '127.0.0.1')
})

test('a sign-in begins a new session and ends the one that the browser had', async () => {
  const { person, cookie } = await signedIn()

  const answer = await signIn(person.username, { headers: { cookie } })

  assert.notEqual(cookieOf(answer), cookie)
  assert.equal((await scene.as({ cookie }).get('/user')).status, 401)
})

test('a made-up session id is never adopted', async () => {
  const person = await scene.user({ password })
  const planted = `_service_session=${'a'.repeat(64)}`

  const answer = await signIn(person.username, { headers: { cookie: planted } })

  assert.notEqual(cookieOf(answer), planted)
  assert.equal((await scene.as({ cookie: planted }).get('/user')).status, 401)
})

test('only the digest of a session is kept', async () => {
  const { cookie } = await signedIn()
  const rows = await scene.deps.database.db.selectFrom('sessions').selectAll().execute()
  assert.ok(!JSON.stringify(rows).includes(cookie.split('=')[1] as string))
})

for (const target of [
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '\\\\evil.example/',
  '/\t/evil.example/',
  '/.//evil.example/',
  '/%2e//evil.example/',
  '/a/..//evil.example/',
  'javascript:alert(1)',
  'evil.example',
  'http:evil.example',
  '/\n/evil.example',
]) {
  test(`a sign-in never redirects to ${JSON.stringify(target)}`, async () => {
    const person = await scene.user({ password })
    const answer = await signIn(person.username, { redirect: target })
    assert.equal(answer.status, 303)
    assert.equal(answer.headers.location, '/')
  })
}

test('the sign-in page keeps only return paths inside this server', async () => {
  const inside = await scene.anonymous.get(page('/users/sign_in'), { redirect: '/groups?a="b"' })
  const outside = await scene.anonymous.get(page('/users/sign_in'), { redirect: '//evil.example' })

  assert.match(inside.body, /name="redirect" value="\/groups\?a=%22b%22"/)
  assert.match(outside.body, /name="redirect" value="\/"/)
})

test('a form of another site cannot sign a user in (login CSRF)', async () => {
  const person = await scene.user({ password })
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
  for (const headers of foreign) {
    const answer = await signIn(person.username, { headers })
    assert.equal(answer.status, 403)
    assert.equal(answer.headers['set-cookie'], undefined)
  }
  assert.equal((await signIn(person.username, { headers: { origin: scene.url } })).status, 303)
  assert.equal((await signIn(person.username, { headers: { 'sec-fetch-site': 'same-origin', origin: scene.url } })).status, 303)
})

test('the home page redirects an anonymous visitor to sign in and back, and shows a signed-in user their account', async () => {
  const { person, browser } = await signedIn()

  const stranger = await scene.anonymous.get(page('/'))
  const home = await browser.get(page('/'))

  assert.equal(stranger.status, 302)
  assert.equal(stranger.headers.location, '/users/sign_in?redirect=%2F')
  const deep = '/of/a/group/-/issues/1?a=b%2Fc'
  const { body } = await scene.anonymous.get(page(deep))
  assert.ok(body.includes(`href="/users/sign_in?${new URLSearchParams({ redirect: deep })}"`), 'back to the address as it was asked for')
  assert.equal(home.status, 200)
  assert.match(home.body, new RegExp(`@${person.username}`))
})

test('a page is not opened by a token, only by a session', async () => {
  assert.equal((await scene.root.get(page('/'))).status, 302)
})

test('pages run no scripts but our files, and are not framed and not stored', async () => {
  for (const path of ['/users/sign_in', '/']) {
    const { headers } = await scene.anonymous.get(page(path))
    assert.match(
      headers['content-security-policy'] ?? '',
      /^default-src 'none'; script-src 'self'; style-src 'self' 'sha256-[^']+'; .*frame-ancestors 'none'; form-action 'self'$/,
    )
    assert.equal(headers['x-frame-options'], 'DENY')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['referrer-policy'], 'same-origin')
    assert.equal(headers['cache-control'], 'no-store')
  }
  const { body } = await scene.anonymous.get(page('/users/sign_in'))
  const style = await scene.anonymous.get(
    page(/href="(\/-\/assets\/main-[^"]+\.css)"/.exec(body)?.[1] ?? assert.fail('the page names its style sheet')),
  )
  assert.equal(style.headers['content-type'], 'text/css; charset=utf-8')
})

test('a write to the API by cookie needs the CSRF token of that session', async () => {
  const { browser, cookie } = await signedIn()
  const other = await signedIn()
  const write = (headers: Record<string, string>) =>
    browser.post('/groups', { name: 'G', path: `g-${Math.random().toString(36).slice(2)}` }, headers)
  const token = csrfOf((await browser.get(page('/'))).body)

  assert.equal((await write({})).status, 401)
  assert.equal((await write({ 'x-csrf-token': 'x' })).status, 401)
  assert.equal((await write({ 'x-csrf-token': csrfOf((await other.browser.get(page('/'))).body) })).status, 401)
  assert.equal((await write({ cookie, 'x-csrf-token': token })).status, 201)
})

test('signing out by the form or by DELETE needs the CSRF token and ends the session on the server', async () => {
  for (const method of ['POST', 'DELETE']) {
    const { browser } = await signedIn()
    const token = csrfOf((await browser.get(page('/'))).body)

    const forged = await browser.request(method, page('/users/sign_out'))
    assert.equal(forged.status, 403)
    assert.equal((await browser.get('/user')).status, 200)

    const headers = { 'x-csrf-token': token }
    const answer = await browser.request(
      method,
      page('/users/sign_out'),
      method === 'POST' ? { body: new URLSearchParams({ authenticity_token: token }) } : { headers },
    )
    assert.equal(answer.status, 303)
    assert.match(String(answer.headers['set-cookie']), /^_service_session=; .*Max-Age=0$/)
    assert.equal((await browser.get('/user')).status, 401)
  }
})

test('a link or a picture on a page cannot sign a user out, a typed address can', async () => {
  const { browser } = await signedIn()

  const foreign = await browser.get(page('/users/sign_out'), {}, { 'sec-fetch-site': 'cross-site' })
  assert.equal(foreign.status, 200)
  // By the browser itself: a way on to a provider is answered in place, which Turbo does not show.
  assert.match(foreign.body, /<form method="post" action="\/users\/sign_out" data-turbo="false">/)
  assert.equal((await browser.get('/user')).status, 200)
  // What users write is on pages of ours: `![](/users/sign_out)`.
  const ours: Record<string, string>[] = [{ 'sec-fetch-site': 'same-origin' }, { referer: 'http://127.0.0.1/a/b' }]
  for (const headers of ours) assert.equal((await browser.get(page('/users/sign_out'), {}, headers)).status, 200)
  assert.equal((await browser.get('/user')).status, 200)

  assert.equal((await browser.get(page('/users/sign_out'), {}, { 'sec-fetch-site': 'none' })).status, 303)
  assert.equal((await browser.get('/user')).status, 401)
})

test('a blocked user is signed out everywhere', async () => {
  const { person, browser } = await signedIn()
  await scene.root.post(`/users/${person.id}/block`)
  assert.equal((await browser.get('/user')).status, 401)
  assert.equal((await browser.get(page('/'))).status, 302)
})

test('a session ends seven days after its last use', async () => {
  const day = 24 * 60 * 60 * 1000
  const begin = Date.now()
  const { browser } = await signedIn()
  const statusAfter = async (days: number) => {
    scene.setTime(new Date(begin + days * day).toISOString())
    return (await browser.get('/user')).status
  }
  try {
    assert.equal(await statusAfter(6), 200)
    assert.equal(await statusAfter(12), 200)
    assert.equal(await statusAfter(19.1), 401)
  } finally {
    scene.setTime(undefined)
  }
})

test('a session ends thirty days after it began, however often it was used', async () => {
  const begin = Date.now()
  const { browser } = await signedIn()
  try {
    for (const days of [6, 12, 18, 24, 29.9]) {
      scene.setTime(new Date(begin + days * 86_400_000).toISOString())
      assert.equal((await browser.get('/user')).status, 200, `after ${days} days`)
    }
    scene.setTime(new Date(begin + 30.1 * 86_400_000).toISOString())
    assert.equal((await browser.get('/user')).status, 401)
  } finally {
    scene.setTime(undefined)
  }
})

test('the lifetimes of sessions are settings, which apply to existing sessions', async () => {
  const begin = Date.now()
  const { browser } = await signedIn()
  const statusAfter = async (minutes: number) => {
    scene.setTime(new Date(begin + minutes * 60_000).toISOString())
    return (await browser.get('/user')).status
  }
  try {
    await settings({ session_expire_delay: 30 })
    assert.deepEqual([await statusAfter(1), await statusAfter(29), await statusAfter(58), await statusAfter(90)], [200, 200, 200, 401])
  } finally {
    scene.setTime(undefined)
    await settings({ session_expire_delay: 10_080 })
  }
})

test('a user who must confirm an email address cannot sign in before, by any password interface', async () => {
  const person = { name: 'Not yet', username: 'not-yet', email: 'not-yet@example.com', password, skip_confirmation: false }
  const { id } = (await scene.root.post('/users', person)).body
  const { project } = await scene.project({ visibility: 'private' })
  await scene.root.post(`${project.url}/members`, { user_id: id, access_level: 30 })
  const byGit = () =>
    scene.anonymous.get(
      page(`/${project.full_path}.git/info/refs`),
      { service: 'git-upload-pack' },
      { authorization: `Basic ${Buffer.from(`not-yet:${password}`).toString('base64')}` },
    )
  const byOAuth = () =>
    scene.anonymous.post(page('/oauth/token'), new URLSearchParams({ grant_type: 'password', username: 'not-yet', password }))

  const refused = await signIn('not-yet')
  assert.equal(refused.status, 401)
  assert.match(refused.body, /You have to confirm your email address before continuing\./)
  assert.doesNotMatch((await signIn('not-yet', { password: 'wrong' })).body, /You have to confirm/)
  assert.equal((await byOAuth()).body.error, 'invalid_grant')
  const git = await byGit()
  assert.equal(git.status, 403)
  assert.match(String(git.body), /You have to confirm your email address/)

  const confirmed = await scene.root.put(`/users/${id}`, { skip_reconfirmation: true })
  assert.ok(confirmed.body.confirmed_at)
  assert.deepEqual([(await signIn('not-yet')).status, (await byOAuth()).status, (await byGit()).status], [303, 200, 200])
})

test('an account created without the confirmation parameter can sign in immediately', async () => {
  await scene.root.post('/users', { name: 'Ready', username: 'ready', email: 'ready@example.com', password })
  assert.equal((await signIn('ready')).status, 303)
})
