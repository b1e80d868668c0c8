/**
 * People who must get no more than another caller does: accounts that are not active or not ready, and former members. Each is tried at every
 * endpoint of the private place and compared with that other one. Who gets what is in access.test.ts, bots, keys and jobs are in
 * callers_of_machines.test.ts.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { password } from '../../src/identity/oauth/scene.ts'
import { feedTokenOf } from '../../src/identity/users/activity/feed_tokens.ts'
import { csrfTokenFor } from '../../src/platform/kernel/csrf.ts'
import type { Endpoint } from '../../src/platform/kernel/declaration/endpoint.ts'
import { digestOf, hashPassword } from '../../src/platform/kernel/secrets.ts'
import { endpoints } from '../../src/server/endpoints.ts'
import { asking, assertNone, type Headers, headersFor, isOfPlaces, readsTokens, refused, sending } from './callers.ts'
import { openWorld, requestFor } from './world.ts'

const world = await openWorld()
const { scene, places } = world
const { db } = scene.deps.database
const ask = asking(world)

/** An account with a role in the group of the private place. */
async function member(username: string, access_level: number, expires_at?: string) {
  const person = await scene.user({ username, email: `${username}@example.com` })
  const joined = await scene.root.post(`${places.private.group.url}/members`, { user_id: person.id, access_level })
  assert.equal(joined.status, 201)
  if (expires_at !== undefined) await db.updateTable('members').set({ expires_at }).where('user_id', '=', person.id).execute()
  return person
}

/** A session of an account, as a browser sends it with what its pages have. */
async function sessionOf({ id: user_id }: { readonly id: number }): Promise<Headers> {
  const session = `session-of-${user_id}`
  const expires_at = new Date(Date.now() + 86_400_000)
  const { id } = await db
    .insertInto('sessions')
    .values({ user_id, digest: digestOf(session), expires_at, created_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { cookie: `_service_session=${session}`, 'x-csrf-token': csrfTokenFor(String(id), scene.deps.secrets) }
}

/** What a browser asks for with a session. */
const takesSessions = ({ dialect }: Endpoint) =>
  dialect.name !== 'incoming_mail' && (dialect.name === 'pages' || (dialect.credentials?.includes('session') ?? false))
const readsSessions = (endpoint: Endpoint) => endpoint.method === 'GET' && takesSessions(endpoint)
const takesPasswords = ({ dialect }: Endpoint) => dialect.name !== 'oauth' && (dialect.credentials?.includes('basic') ?? false)

/** The answer to a caller with these headers and no others. */
async function answerWith(endpoint: Endpoint, headers: Headers) {
  const request = requestFor(world, endpoint, 'anonymous', 'private')
  return world.send('anonymous', { ...request, headers: { ...request.headers, ...headers } })
}

/** Pages of places, and what of them is read by a token: enough to see a caller change. */
const readsPages = (endpoint: Endpoint) => readsSessions(endpoint) && /^\/(:project_path|groups)\b/.test(endpoint.path)
const readsPlaces = (endpoint: Endpoint) =>
  isOfPlaces(endpoint) && (endpoint.method === 'GET' || endpoint.dialect.credentials?.includes('basic') === true)

/** A way of asking. */
interface Asking {
  readonly which: (endpoint: Endpoint) => boolean
  readonly headers: (endpoint: Endpoint) => Headers
}

/** The statuses of what is asked for in one way, by route. */
async function statusesWith({ which, headers }: Asking): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {}
  for (const endpoint of endpoints.filter(which)) statuses[endpoint.route] = (await answerWith(endpoint, headers(endpoint))).status
  assert.ok(Object.keys(statuses).length > 10)
  return statuses
}

const byPassword = ({ username }: { readonly username: string }): Headers => ({
  authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
})

/** What an account can be other than active, as its row has it. */
const STATES = {
  blocked: { state: 'blocked' },
  deactivated: { state: 'deactivated' },
  banned: { state: 'banned' },
  'waiting for approval': { state: 'blocked_pending_approval' },
} as const

for (const [name, columns] of Object.entries(STATES))
  test(`an owner whose account is ${name} is refused everywhere, with the reason`, async () => {
    const person = await member(`${name.replaceAll(' ', '-')}-owner`, 50)
    const headers = sending(person.token)
    assert.equal((await scene.person(person).get('/user')).status, 200, 'the token works before')
    await db.updateTable('users').set(columns).where('id', '=', person.id).execute()

    await assertNone(
      endpoint => readsTokens(endpoint) && endpoint.dialect.name !== 'oauth',
      async endpoint => {
        const status = await ask(endpoint, 'anonymous', headers)
        return status === 403 ? undefined : `${status} instead of 403`
      },
      'an account that is not active must be refused before anything else',
    )
  })

test('the session, the OAuth token and the feed token of a blocked owner are no credentials', async () => {
  const person = await member('signed-in-owner', 50)
  const [session, oauth, feed] = [await sessionOf(person), 'granted-before', await feedTokenOf(db, scene.deps.secrets, person.id)]
  await db
    .insertInto('oauth_access_tokens')
    .values({ user_id: person.id, digest: digestOf(oauth), scopes: ['api'] })
    .execute()
  const bearer = { authorization: `Bearer ${oauth}` }
  const user = { ...requestFor(world, endpoints.find(({ route }) => route === 'GET /user') as Endpoint, 'anonymous', 'private') }
  for (const headers of [session, bearer])
    assert.equal((await world.send('anonymous', { ...user, headers })).status, 200, 'it works before')
  await db.updateTable('users').set({ state: 'blocked' }).where('id', '=', person.id).execute()

  const ways = {
    session: { which: readsSessions, headers: session, query: {} },
    'OAuth token': { which: ({ dialect }: Endpoint) => dialect.credentials?.includes('bearer') ?? false, headers: bearer, query: {} },
    'feed token': { which: ({ dialect }: Endpoint) => dialect.name === 'atom_feeds', headers: {}, query: { feed_token: feed } },
  }
  const found: string[] = []
  for (const [name, { which, headers, query }] of Object.entries(ways)) {
    const tried = endpoints.filter(which)
    assert.ok(tried.length > 5, name)
    for (const endpoint of tried) {
      const request = requestFor(world, endpoint, 'anonymous', 'private')
      const sent = { ...request, headers: { ...request.headers, ...headers }, query: { ...request.query, ...query } }
      const { status } = await world.send('anonymous', sent)
      if (refused.has(status)) continue
      // A page is what it is for those who are not signed in.
      const isAsForAnyone = name === 'session' && status === (await world.send('anonymous', request)).status
      if (!isAsForAnyone) found.push(`${endpoint.route}: ${status} by the ${name}`)
    }
  }
  assert.deepEqual(found, [])
})

/** What closes the ways of a password alone, as the row of an account has it. */
const lasting = {
  unconfirmed: () => ({ confirmed_at: null }),
  locked: () => ({ locked_until: new Date(Date.now() + 3_600_000) }),
}

test('the password of an owner whose address is not confirmed, or whose account is locked, opens nothing', async () => {
  const [waiting, ready, locked] = [await member('waiting-owner', 50), await member('ready-owner', 50), await member('locked-owner', 50)]
  const columns = { password_digest: await hashPassword(password) }
  await db.updateTable('users').set(columns).where('id', 'in', [waiting.id, ready.id, locked.id]).execute()
  await db.updateTable('users').set(lasting.locked()).where('id', '=', locked.id).execute()
  await db.updateTable('users').set(lasting.unconfirmed()).where('id', '=', waiting.id).execute()
  const tried = endpoints.filter(takesPasswords)
  assert.ok(tried.length > 10)
  let able = 0
  for (const endpoint of tried) {
    const [theirs, others] = [await ask(endpoint, 'anonymous', byPassword(waiting)), await ask(endpoint, 'anonymous', byPassword(ready))]
    assert.equal(theirs, 403, `${endpoint.route}: an address that is not confirmed must be refused before anything else`)
    if (others !== 403) able++
    const ofLocked = await ask(endpoint, 'anonymous', byPassword(locked))
    assert.equal(ofLocked, 429, `${endpoint.route}: a locked account must be refused before its password is looked at`)
  }
  assert.ok(able > 3, 'the same password opens them where the address is confirmed')
  for (const { username } of [waiting, locked]) {
    const signIn = await scene.anonymous.post(`${scene.url}/users/sign_in`, new URLSearchParams({ login: username, password }))
    assert.ok([401, 429].includes(signIn.status), `${username}: ${signIn.status}`)
    assert.equal(signIn.headers['set-cookie'], undefined, username)
  }
})

test('what an owner has begun goes on where the address is to be confirmed or the account is locked: pages, the API and git', async () => {
  const person = await member('later-owner', 50)
  const [session, token] = [await sessionOf(person), sending(person.token)]
  const statuses = async () => [
    await statusesWith({ which: readsPages, headers: () => session }),
    await statusesWith({ which: readsPlaces, headers: endpoint => headersFor(endpoint, token) }),
  ]
  const before = await statuses()
  await db
    .updateTable('users')
    .set({ ...lasting.unconfirmed(), ...lasting.locked() })
    .where('id', '=', person.id)
    .execute()
  assert.deepEqual(await statuses(), before, 'a password that is guessed at, or an address that is to be confirmed, ends nothing')
})

/** Where a session gets that must set up two factors first: to where that is done, and out. */
const REACHED: readonly string[] = [
  'DELETE /users/sign_out',
  'GET /-/profile/two_factor',
  'GET /-/profile/two_factor/app',
  'GET /-/profile/two_factor/passkeys/new',
  'GET /-/profile/two_factor/security_keys/new',
  'GET /users/sign_out',
  'POST /-/profile/two_factor/app',
  'POST /-/profile/two_factor/app/remove',
  'POST /-/profile/two_factor/groups/leave',
  'POST /-/profile/two_factor/keys/remove',
  'POST /-/profile/two_factor/passkeys/new',
  'POST /-/profile/two_factor/recovery_codes',
  'POST /-/profile/two_factor/security_keys/new',
  'POST /users/sign_out',
]

test('an owner who must have a second factor has the time for it; then sessions reach only where it is set up, and passwords nothing', async () => {
  const person = await member('unguarded-owner', 50)
  await db
    .updateTable('users')
    .set({ password_digest: await hashPassword(password) })
    .where('id', '=', person.id)
    .execute()
  const session = await sessionOf(person)
  const require = async (hours: number) => {
    const required = { require_two_factor_authentication: true, two_factor_grace_period: hours }
    assert.equal((await scene.root.put(places.private.group.url, required)).status, 200)
  }
  const [pages, git] = [
    { which: readsPages, headers: () => session },
    { which: takesPasswords, headers: () => byPassword(person) },
  ]
  const tokens = { which: readsPlaces, headers: (endpoint: Endpoint) => headersFor(endpoint, sending(person.token)) }
  const before = { pages: await statusesWith(pages), git: await statusesWith(git), tokens: await statusesWith(tokens) }
  try {
    await require(2)
    assert.deepEqual([await statusesWith(pages), await statusesWith(git)], [before.pages, before.git], 'within the time nothing is closed')

    await require(0)
    const reached: string[] = []
    for (const endpoint of endpoints.filter(takesSessions)) {
      const { status, headers } = await answerWith(endpoint, session)
      const isLed = status === 302 && headers.location === '/-/profile/two_factor'
      if (!isLed && status !== 401 && status !== 403) reached.push(endpoint.route)
    }
    assert.deepEqual(reached.toSorted(), REACHED)
    for (const [route, status] of Object.entries(await statusesWith(git)))
      assert.ok(refused.has(status), `${route}: ${status} by a password`)
    assert.deepEqual(await statusesWith(tokens), before.tokens, 'tokens go on, in the API and in git')
  } finally {
    await scene.root.put(places.private.group.url, { require_two_factor_authentication: false })
  }
})

test('a token that has expired opens nothing', async () => {
  const person = await member('expired-token', 50)
  const headers = sending(await scene.token(person, { expiresAt: '2020-01-01' }))

  await assertNone(
    endpoint => readsTokens(endpoint) && endpoint.dialect.name !== 'oauth',
    async endpoint => {
      const status = await ask(endpoint, 'anonymous', headers)
      return status === 401 ? undefined : `${status} instead of 401`
    },
    'a token that has ended must be refused before anything else',
  )
})

test('an OAuth token that has expired opens nothing', async () => {
  const person = await member('expired-grant', 50)
  const token = 'granted-long-ago'
  await db
    .insertInto('oauth_access_tokens')
    .values({ user_id: person.id, digest: digestOf(token), scopes: ['api'], created_at: '2020-01-01', expires_at: '2020-01-02' })
    .execute()
  const headers = { authorization: `Bearer ${token}` }

  await assertNone(
    ({ dialect }) => !['oauth', 'incoming_mail'].includes(dialect.name) && (dialect.credentials?.includes('bearer') ?? false),
    async endpoint => {
      const { status } = await answerWith(endpoint, headers)
      return status === 401 ? undefined : `${status} instead of 401`
    },
    'a grant that has ended must be refused before anything else',
  )
})

test('an owner whose membership has expired is an outsider', async () => {
  const person = await member('former-owner', 50, '2020-01-01')
  const headers = sending(person.token)

  await assertNone(
    isOfPlaces,
    async endpoint => {
      const [theirs, outsiders] = [await ask(endpoint, 'outsider', headers), await ask(endpoint, 'outsider')]
      return theirs === outsiders ? undefined : `${theirs} instead of ${outsiders}`
    },
    'a membership that has ended gives nothing',
  )
})
