import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()
const ids = (answer: { body: { id: number }[] }) => answer.body.map(row => row.id)
const newcomer = (username: string) => ({
  name: `Name of ${username}`,
  username,
  email: `${username}@example.com`,
  password: 'a-long-password',
})

test('an administrator creates a user, who immediately has a namespace', async () => {
  const made = await scene.root.post('/users', { ...newcomer('ida'), admin: false, bio: 'Builds things', projects_limit: 3 })

  assert.equal(made.status, 201)
  assert.deepEqual(
    [made.body.username, made.body.email, made.body.state, made.body.is_admin, made.body.bio, made.body.projects_limit, made.body.bot],
    ['ida', 'ida@example.com', 'active', false, 'Builds things', 3, false],
  )
  const namespace = (await scene.root.get(`/namespaces/${made.body.namespace_id}`)).body
  assert.deepEqual([namespace.kind, namespace.full_path], ['user', 'ida'])
})

test('parameters of POST may sit in the query string (clients.md 0.2)', async () => {
  const { name, username, email, password } = newcomer('query-string')
  const made = await scene.root.request('POST', '/users', { query: { name, username, email, password }, body: {} })
  assert.deepEqual([made.status, made.body.username], [201, 'query-string'])
})

test('a password is required unless a random one is requested, and has eight characters at least', async () => {
  const { password: _, ...rest } = newcomer('no-password')

  assert.deepEqual((await scene.root.post('/users', rest)).body, { message: { password: ["can't be blank"] } })
  assert.deepEqual((await scene.root.post('/users', { ...rest, password: 'short' })).body, {
    message: { password: ['is too short (minimum is 8 characters)'] },
  })
  assert.equal((await scene.root.post('/users', { ...rest, force_random_password: true })).status, 201)
})

test('an email or username that is taken, in any case of letters, is a conflict (decision 13)', async () => {
  const person = await scene.user()
  const { group } = await scene.group()
  const conflictWith = async (changes: object) => (await scene.root.post('/users', { ...newcomer('conflicting'), ...changes })).body.message

  assert.equal(await conflictWith({ email: person.email.toUpperCase() }), 'Email has already been taken')
  assert.equal(await conflictWith({ username: person.username.toUpperCase() }), 'Username has already been taken')
  assert.equal(await conflictWith({ username: group.path }), 'Username has already been taken', 'groups and people share one space')
  await scene.root.post(`/users/${person.id}/emails`, { email: 'second@example.com', skip_confirmation: true })
  assert.equal(await conflictWith({ email: 'second@example.com' }), 'Email has already been taken')
})

test('malformed emails and usernames are refused, both in one answer', async () => {
  const answer = await scene.root.post('/users', { ...newcomer('x'), email: 'nowhere', username: 'not a name', public_email: 'x' })
  assert.equal(answer.status, 400)
  assert.deepEqual(Object.keys(answer.body.message).sort(), ['email', 'public_email', 'username'])
})

test('a profile shows no private data to others, all of it to administrators, and one’s own to oneself', async () => {
  const person = await scene.user({ note: 'Pays late' })
  const other = await scene.user()

  const profile = (await other.get(`/users/${person.id}`)).body
  for (const field of ['email', 'is_admin', 'note', 'last_sign_in_ip', 'identities']) assert.ok(!(field in profile), field)
  const full = (await scene.root.get(`/users/${person.id}`)).body
  assert.deepEqual([full.email, full.note, full.is_admin], [person.email, 'Pays late', false])
  const self = (await person.get('/user')).body
  assert.equal(self.email, person.email)
  assert.ok(!('is_admin' in self) && !('note' in self))
  assert.equal((await scene.root.get('/user')).body.is_admin, true)
})

test('an unknown user is 404, and so is a name in place of the id', async () => {
  assert.deepEqual(await scene.root.get('/users/999999'), { status: 404, body: { message: '404 User Not Found' } })
  assert.equal((await scene.root.get('/users/nobody')).status, 404)
})

test('a search by an address does not find an account that only waits with it', async () => {
  const email = 'waits.with@example.com'
  const other = await scene.user()
  const password = 'correct horse battery'
  const made = await scene.root.post('/users', { email, username: 'waits', name: 'Waits', password, skip_confirmation: false })
  assert.equal(made.status, 201)
  const found = async () => [
    ids(await other.get('/users', { search: email })),
    ids(await other.get('/search', { scope: 'users', search: email })),
    ids(await scene.root.get('/users', { search: email })),
  ]

  assert.deepEqual(await found(), [[], [], [made.body.id]])
  await scene.deps.database.db.updateTable('users').set({ confirmed_at: new Date() }).where('id', '=', made.body.id).execute()
  assert.deepEqual(await found(), [[made.body.id], [made.body.id], [made.body.id]])
})

test('a search finds parts of names and usernames and whole emails; parts of emails for administrators alone', async () => {
  const person = await scene.user({ username: 'seek-me', name: 'Søren Seeker', email: 'hidden.address@example.com' })
  const other = await scene.user()

  for (const search of ['SEEK-M', 'ren Seek', 'Hidden.Address@example.com'])
    assert.deepEqual(ids(await other.get('/users', { search })), [person.id])
  assert.deepEqual(ids(await other.get('/users', { search: 'hidden.addr' })), [])
  assert.deepEqual(ids(await scene.root.get('/users', { search: 'hidden.addr' })), [person.id])
  assert.deepEqual(ids(await other.get('/users', { username: 'SEEK-ME' })), [person.id])
  assert.deepEqual(ids(await other.get('/users', { username: 'seek' })), [])
})

test('the filters of administrators are ignored for others', async () => {
  const admin = await scene.user({ admin: true, name: 'Filtered admin' })
  const plain = await scene.user({ name: 'Filtered plain', external: true })

  assert.deepEqual(ids(await scene.root.get('/users', { search: 'Filtered', admins: true })), [admin.id])
  assert.deepEqual(ids(await scene.root.get('/users', { search: 'Filtered', external: true })), [plain.id])
  assert.deepEqual(ids(await scene.root.get('/users', { search: 'Filtered', order_by: 'name', sort: 'asc' })), [admin.id, plain.id])
  assert.deepEqual(ids(await plain.get('/users', { search: 'Filtered', admins: true })), [plain.id, admin.id])
})

test('users are filtered by state and by having no projects', async () => {
  const blocked = await scene.user({ name: 'Stateful blocked' })
  const { owner } = await scene.project({ owner: await scene.user({ name: 'Stateful owner' }) })
  await scene.root.post(`/users/${blocked.id}/block`)
  const list = async (query: object) => ids(await scene.root.get('/users', { search: 'Stateful', ...query }))

  assert.deepEqual(await list({ blocked: true }), [blocked.id])
  assert.deepEqual(await list({ active: true }), [owner.id])
  assert.deepEqual(await list({ without_projects: true }), [blocked.id])
  const { project } = await scene.project()
  await scene.root.post(`${project.url}/members`, { user_id: blocked.id, access_level: 20 })
  assert.deepEqual(await list({ without_projects: true }), [])
  const ended = scene.deps.database.db.updateTable('members').set({ expires_at: '2020-01-01' }).where('user_id', '=', blocked.id)
  await ended.execute()
  assert.deepEqual(await list({ without_projects: true }), [blocked.id])
})

test('an update changes only the given attributes, and a new username moves the user’s projects', async () => {
  const person = await scene.user({ username: 'old-name', bio: 'Stays' })
  const { project } = await scene.project({ owner: person, path: 'thing' })

  const changed = await scene.root.put(`/users/${person.id}`, { username: 'new-name', name: 'New', location: 'Here' })

  assert.deepEqual([changed.status, changed.body.username, changed.body.bio, changed.body.location], [200, 'new-name', 'Stays', 'Here'])
  assert.equal((await person.get(project.url)).body.path_with_namespace, 'new-name/thing')
  assert.equal((await scene.root.put(`/users/${person.id}`, { username: 'root' })).status, 409)
})

test('an additional address that becomes the primary one is no longer additional', async () => {
  const person = await scene.user()
  await person.post('/user/emails', { email: 'promoted@example.com' })

  assert.equal((await scene.root.put(`/users/${person.id}`, { email: 'Promoted@example.com' })).body.email, 'Promoted@example.com')
  assert.deepEqual((await person.get('/user/emails')).body, [])
})

test('only administrators create, change, block and delete users', async () => {
  const [person, other] = [await scene.user(), await scene.user()]
  const path = `/users/${other.id}`

  assert.equal((await person.post('/users', newcomer('by-nobody'))).status, 403)
  assert.equal((await person.put(path, { bio: 'x' })).status, 403)
  assert.equal((await person.post(`${path}/block`)).status, 403)
  assert.equal((await person.delete(path)).status, 403)
})

test('a blocked user’s tokens open nothing until they are unblocked', async () => {
  const person = await scene.user()

  assert.deepEqual(await scene.root.post(`/users/${person.id}/block`), { status: 201, body: true })
  assert.equal((await person.get('/user')).status, 403)
  assert.equal((await scene.root.get(`/users/${person.id}`)).body.state, 'blocked')
  assert.deepEqual(await scene.root.post(`/users/${person.id}/block`), { status: 201, body: null })
  assert.deepEqual(await scene.root.post(`/users/${person.id}/unblock`), { status: 201, body: true })
  assert.deepEqual(await scene.root.post(`/users/${person.id}/unblock`), { status: 201, body: false })
  assert.equal((await person.get('/user')).status, 200)
})

test('an impossible state transition is forbidden, and users cannot block themselves', async () => {
  const person = await scene.user()

  assert.equal((await scene.root.post(`/users/${person.id}/ban`)).status, 201)
  assert.equal((await scene.root.post(`/users/${person.id}/unblock`)).status, 403)
  assert.equal((await scene.root.post(`/users/${person.id}/block`)).status, 403)
  assert.equal((await scene.root.post(`/users/${person.id}/unban`)).status, 201)
  assert.equal((await scene.root.post(`/users/${person.id}/deactivate`)).status, 201)
  assert.equal((await scene.root.post(`/users/${person.id}/activate`)).status, 201)
  assert.equal((await scene.root.post(`/users/${scene.root.id}/block`)).status, 403)
})

test('deleting a user deletes their projects, keeps their other contributions, and frees the name', async () => {
  const person = await scene.user()
  const { project: own } = await scene.project({ owner: person })
  const { group } = await scene.group()
  await scene.root.post(`${group.url}/members`, { user_id: person.id, access_level: 40 })
  const { project: theirs } = await scene.project({ owner: person, group })

  assert.deepEqual(await scene.root.delete(`/users/${person.id}`), { status: 204, body: undefined })

  assert.equal((await scene.root.get(own.url)).status, 404)
  assert.deepEqual((await scene.root.get(theirs.url)).body.creator_id, null)
  assert.equal((await scene.root.get(`/users/${person.id}`)).status, 404)
  assert.equal((await scene.root.post('/users', newcomer(person.username))).status, 201)
})

test('the only owner of a group cannot be deleted, unless the group is deleted too', async () => {
  const { group, owner } = await scene.group()

  assert.equal((await scene.root.delete(`/users/${owner.id}`)).status, 409)
  assert.equal((await scene.root.delete(`/users/${owner.id}`, { hard_delete: true })).status, 204)
  assert.equal((await scene.root.get(group.url)).status, 404)
})

test('an inherited owner counts as another owner', async () => {
  const { group, owner } = await scene.group()
  const { group: below } = await scene.group({ parent: group, owner })
  const other = await scene.user()
  await owner.post(`${below.url}/members`, { user_id: other.id, access_level: 50 })

  assert.equal((await scene.root.delete(`/users/${other.id}`)).status, 204)
  assert.equal((await scene.root.get(below.url)).status, 200)
})

test('administrators list the last activity of users, the longest absent first', async () => {
  const [early, late] = [await scene.user(), await scene.user()]
  const setActivity = (id: number, day: string) =>
    scene.deps.database.db.updateTable('users').set({ last_activity_on: day }).where('id', '=', id).execute()
  await setActivity(early.id, '2021-03-01')
  await setActivity(late.id, '2021-05-01')

  const listed = (await scene.root.get('/user/activities', { from: '2021-02-01', per_page: 2 })).body
  assert.deepEqual(listed, [
    { username: early.username, last_activity_on: '2021-03-01', last_activity_at: '2021-03-01' },
    { username: late.username, last_activity_on: '2021-05-01', last_activity_at: '2021-05-01' },
  ])
  const recent = (await scene.root.get('/user/activities', { per_page: 100 })).body.map((row: { username: string }) => row.username)
  assert.ok(!recent.includes(early.username), 'the last six months unless said otherwise')
  assert.equal((await late.get('/user/activities')).status, 403)
})

test('an administrator says who a user is at a provider, once for each provider', async () => {
  const identity = { provider: 'saml', extern_uid: 'uid-of-by-provider' }
  const { status, body } = await scene.root.post('/users', { ...newcomer('by-provider'), ...identity })
  assert.deepEqual([status, body.identities], [201, [identity]])
  assert.deepEqual(ids(await scene.root.get('/users', identity)), [body.id])

  const changed = { ...identity, extern_uid: `${identity.extern_uid}-b` }
  assert.deepEqual((await scene.root.put(`/users/${body.id}`, changed)).body.identities, [changed])
  assert.deepEqual(ids(await scene.root.get('/users', identity)), [])
  assert.deepEqual(await scene.root.post('/users', { ...newcomer('same-uid'), ...changed }), {
    status: 400,
    body: { message: { 'identities.extern_uid': ['has already been taken'] } },
  })
  assert.deepEqual((await scene.root.get('/users', { username: 'same-uid' })).body, [])
  const half = await scene.root.put(`/users/${body.id}`, { provider: 'github' })
  assert.deepEqual([half.status, Object.keys(half.body.message)], [400, ['extern_uid']])
})

test('an administrator removes an identity at a provider', async () => {
  const person = await scene.user()
  await scene.deps.database.db.insertInto('identities').values({ user_id: person.id, provider: 'saml', extern_uid: 'uid-1' }).execute()
  assert.deepEqual(ids(await scene.root.get('/users', { provider: 'saml', extern_uid: 'uid-1' })), [person.id])
  assert.deepEqual((await person.get('/user')).body.identities, [{ provider: 'saml', extern_uid: 'uid-1' }])

  assert.equal((await scene.root.delete(`/users/${person.id}/identities/saml`)).status, 204)
  assert.deepEqual((await person.get('/user')).body.identities, [])
  assert.equal((await scene.root.delete(`/users/${person.id}/identities/saml`)).status, 404)
})

test('a bot cannot become an administrator or get a password, whatever the role of the caller', async () => {
  const { project } = await scene.project()
  const { body: token } = await scene.root.post(`${project.url}/access_tokens`, { name: 'ci', scopes: ['api'], access_level: 40 })
  const bot = `/users/${token.user_id}`

  assert.equal((await scene.root.put(bot, { admin: true })).status, 403)
  assert.equal((await scene.root.put(bot, { password: 'correct horse battery' })).status, 403)
  assert.equal((await scene.root.get(bot)).body.is_admin, false)
  assert.equal((await scene.root.put(bot, { name: 'Renamed' })).status, 200)
})
