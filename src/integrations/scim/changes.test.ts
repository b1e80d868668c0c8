/** Changing, deactivating, bringing back and removing users: document 1 "States and transitions", PATCH; decision 20. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { errorOf, openProvider, type Provider, scimUser } from './scene.ts'

const scene = await openScene()

/** A user whom the provider has created. */
async function provisioned(provider: Provider, attributes: object = {}) {
  const person = scimUser(attributes)
  const { body } = await provider.post(person)
  const [account] = (await scene.root.get('/users', { username: body.userName })).body
  return { ...person, uid: person.externalId, accountId: account.id as number }
}

const isMember = async (provider: Provider, accountId: number) =>
  (await scene.root.get(`${provider.group.url}/members/${accountId}`)).status === 200

const account = async (id: number) => (await scene.root.get(`/users/${id}`)).body

test('PATCH answers 204 without a body and changes name, email and username of the account (document 1, mapping table)', async () => {
  const provider = await openProvider(scene)
  const { uid, accountId } = await provisioned(provider)

  const answer = await provider.change(
    uid,
    { op: 'Replace', path: 'name.formatted', value: 'Ida Changed' },
    { op: 'Replace', path: 'emails[type eq "work"].value', value: 'ida.changed@example.com' },
    { op: 'Add', path: 'userName', value: 'ida.changed' },
  )

  assert.deepEqual(answer, { status: 204, body: undefined })
  const { body } = await provider.get(`/Users/${uid}`)
  assert.equal(body['name.formatted'], 'Ida Changed')
  assert.equal(body.userName, 'ida.changed')
  assert.deepEqual(body.emails, [{ type: 'work', value: 'ida.changed@example.com', primary: true }])
  const { name, username, email, confirmed_at } = await account(accountId)
  assert.deepEqual(
    { name, username, email, confirmed_at },
    { name: 'Ida Changed', username: 'ida.changed', email: 'ida.changed@example.com', confirmed_at: null },
  )
  assert.equal((await provider.find('userName eq "ida.changed"')).body.totalResults, 1)
})

for (const path of ['id', 'externalId']) {
  test(`PATCH of ${path} changes the extern_uid: the user is found under the new one alone`, async () => {
    const provider = await openProvider(scene)
    const { uid } = await provisioned(provider)
    assert.equal((await provider.change(uid, { op: 'Replace', path, value: `new-${uid}` })).status, 204)
    assert.equal((await provider.get(`/Users/${uid}`)).status, 404)
    assert.equal((await provider.get(`/Users/new-${uid}`)).body.id, `new-${uid}`)
  })
}

test('a value of another user is 409 with scimType uniqueness, and nothing is changed', async () => {
  const provider = await openProvider(scene)
  const other = await provisioned(provider)
  const { uid } = await provisioned(provider)
  const before = (await provider.get(`/Users/${uid}`)).body
  const person = await scene.user()
  for (const [path, value] of [
    ['externalId', other.uid],
    ['userName', person.username],
    ['emails[type eq "work"].value', person.email.toUpperCase()],
  ] as const) {
    const answer = await provider.change(uid, { op: 'replace', path: 'name.formatted', value: 'Not kept' }, { op: 'replace', path, value })
    assert.deepEqual([answer.status, answer.body.scimType], [409, 'uniqueness'], path)
    assert.deepEqual((await provider.get(`/Users/${uid}`)).body, before, path)
  }
})

test('a username that got a number keeps it while the provider repeats the name without', async () => {
  const provider = await openProvider(scene)
  const { username } = await scene.user()
  const { uid } = await provisioned(provider, { userName: username })
  assert.equal((await provider.change(uid, { op: 'replace', path: 'userName', value: username })).status, 204)
  assert.equal((await provider.get(`/Users/${uid}`)).body.userName, `${username}1`)
})

test('an account that became an administrator is not the provider’s to change, also afterwards', async () => {
  const provider = await openProvider(scene)
  const { uid } = await provisioned(provider)
  const { id } = (await provider.get(`/Users/${uid}`)).body
  const link = await scene.deps.database.db
    .selectFrom('scim_identities')
    .select('user_id')
    .where('extern_uid', '=', id)
    .executeTakeFirstOrThrow()
  const account = `/users/${link.user_id}`
  await scene.root.put(account, { admin: true, skip_reconfirmation: true })
  const before = (await scene.root.get(account)).body
  const changes = [
    { op: 'replace', path: 'userName', value: 'renamed-root' },
    { op: 'replace', path: 'emails[type eq "work"].value', value: 'taken-over@example.com' },
    { op: 'replace', path: 'name.formatted', value: 'Not an administrator' },
  ]

  for (const change of changes) assert.equal((await provider.change(uid, change)).status, 403, change.path)
  const { username, email, name, confirmed_at } = (await scene.root.get(account)).body
  assert.deepEqual(
    { username, email, name, confirmed_at },
    {
      username: before.username,
      email: before.email,
      name: before.name,
      confirmed_at: before.confirmed_at,
    },
  )
  await scene.root.put(account, { admin: false })
  for (const change of changes) assert.equal((await provider.change(uid, change)).status, 403, change.path)
})

test('an account that becomes an administrator shows no address that it loses, which another user may confirm then', async () => {
  const provider = await openProvider(scene)
  const { uid } = await provisioned(provider)
  const { user_id } = await scene.deps.database.db
    .selectFrom('scim_identities')
    .select('user_id')
    .where('extern_uid', '=', uid)
    .executeTakeFirstOrThrow()
  const account = `/users/${user_id}`
  const email = `further.${uid}@example.com`
  assert.equal((await scene.root.post(`${account}/emails`, { email, skip_confirmation: true })).status, 201)
  const shown = { public_email: email.toUpperCase(), commit_email: email }
  assert.equal((await scene.root.put(account, shown)).body.public_email, shown.public_email)

  await scene.root.put(account, { admin: true })
  const { public_email, commit_email } = (await scene.root.get(account)).body
  assert.deepEqual([public_email, commit_email === email], ['', false])
  const other = await scene.user()
  assert.equal((await scene.root.post(`/users/${other.id}/emails`, { email, skip_confirmation: true })).status, 201)
})

test('an unknown path is 400 and nothing is changed', async () => {
  const provider = await openProvider(scene)
  const { uid } = await provisioned(provider)
  const before = (await provider.get(`/Users/${uid}`)).body
  const answer = await provider.change(
    uid,
    { op: 'replace', path: 'name.formatted', value: 'Not kept' },
    { op: 'replace', path: 'title', value: 'Tester' },
  )
  assert.deepEqual([answer.status, answer.body.scimType], [400, 'invalidPath'])
  assert.deepEqual((await provider.get(`/Users/${uid}`)).body, before)
})

for (const [what, body] of [
  ['no operations', { schemas: [] }],
  ['an empty list of operations', { Operations: [] }],
  ['operations that are no list', { Operations: { op: 'replace' } }],
  ['an operation that is a text', { Operations: ['replace'] }],
  ['an operation without op', { Operations: [{ path: 'active', value: true }] }],
  ['op that is a list', { Operations: [{ op: ['replace'], path: 'active', value: true }] }],
  ['a path that is an object', { Operations: [{ op: 'replace', path: {}, value: true }] }],
  [
    'more operations than anybody needs',
    { Operations: Array.from({ length: 101 }, () => ({ op: 'replace', path: 'active', value: true })) },
  ],
] as const) {
  test(`PATCH with ${what} is 400`, async () => {
    const provider = await openProvider(scene)
    const { uid } = await provisioned(provider)
    const answer = await provider.patch(uid, body)
    assert.deepEqual([answer.status, answer.body.scimType], [400, 'invalidValue'])
  })
}

test('active: false removes the identity and keeps account and membership; GET is then 404 (decision 20)', async () => {
  const provider = await openProvider(scene)
  const { uid, accountId } = await provisioned(provider)

  assert.equal((await provider.change(uid, { op: 'Replace', path: 'active', value: 'False' })).status, 204)

  assert.deepEqual(errorOf(await provider.get(`/Users/${uid}`)), {
    status: 404,
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status_text: '404',
    scimType: undefined,
  })
  assert.equal((await provider.find(`externalId eq "${uid}"`)).body.totalResults, 0)
  assert.equal((await provider.get('/Users')).body.totalResults, 0)
  assert.equal(await isMember(provider, accountId), true)
  assert.equal((await account(accountId)).state, 'active')
  assert.equal((await provider.change(uid, { op: 'replace', path: 'active', value: false })).status, 404)
  assert.equal((await provider.change(uid, { op: 'replace', path: 'name.formatted', value: 'X' })).status, 404)
})

test('PATCH active: true brings the identity back, and with it a membership that was ended meanwhile', async () => {
  const provider = await openProvider(scene)
  const { uid, accountId } = await provisioned(provider)
  await provider.change(uid, { op: 'replace', value: { active: false } })
  await scene.root.delete(`${provider.group.url}/members/${accountId}`)

  assert.equal((await provider.change(uid, { op: 'Add', path: 'active', value: 'true' })).status, 204)

  assert.equal((await provider.get(`/Users/${uid}`)).body.active, true)
  assert.equal(await isMember(provider, accountId), true)
})

test('create brings the identity back too, of the same account', async () => {
  const provider = await openProvider(scene)
  const person = await provisioned(provider)
  await provider.change(person.uid, { op: 'replace', path: 'active', value: false })
  const answer = await provider.post(scimUser({ externalId: person.uid }))
  assert.equal(answer.status, 201)
  assert.equal(answer.body.userName, person.userName)
  assert.equal((await provider.get(`/Users/${person.uid}`)).status, 200)
})

test('create under another externalId takes over the inactive identity of the account', async () => {
  const provider = await openProvider(scene)
  const person = await provisioned(provider)
  await provider.change(person.uid, { op: 'replace', path: 'active', value: false })
  const answer = await provider.post(scimUser({ externalId: `again-${person.uid}`, emails: person.emails }))
  assert.equal(answer.status, 201)
  assert.equal(answer.body.userName, person.userName)
  assert.equal((await provider.change(person.uid, { op: 'replace', path: 'active', value: true })).status, 404)
})

test('DELETE answers 204 and removes identity and membership, not the account (document 1; decision 20)', async () => {
  const provider = await openProvider(scene)
  const { uid, accountId } = await provisioned(provider)

  assert.deepEqual(await provider.delete(uid), { status: 204, body: undefined })

  assert.equal((await provider.get(`/Users/${uid}`)).status, 404)
  assert.equal(await isMember(provider, accountId), false)
  assert.equal((await account(accountId)).state, 'active')
  assert.equal((await provider.delete(uid)).status, 404)
  assert.equal((await provider.change(uid, { op: 'replace', path: 'active', value: true })).status, 404)
})

test('a deactivated user can be removed permanently', async () => {
  const provider = await openProvider(scene)
  const { uid, accountId } = await provisioned(provider)
  await provider.change(uid, { op: 'replace', path: 'active', value: false })
  assert.equal((await provider.delete(uid)).status, 204)
  assert.equal(await isMember(provider, accountId), false)
})

test('after DELETE the person can be created again, with the account that was made for them', async () => {
  const provider = await openProvider(scene)
  const person = await provisioned(provider)
  await provider.delete(person.uid)
  const { uid: _, accountId, ...same } = person
  const answer = await provider.post(same)
  assert.equal(answer.status, 201)
  assert.equal(answer.body.userName, person.userName)
  assert.equal(await isMember(provider, accountId), true)
})

test('the last owner is neither deactivated nor removed, until there is another one', async () => {
  const { group, owner } = await scene.group()
  const provider = await openProvider(scene, { top: { group, owner } })
  const emails = [{ type: 'work', value: owner.email, primary: true }]
  await provider.post(scimUser({ externalId: 'the-owner', emails }))

  const deactivated = await provider.change('the-owner', { op: 'replace', path: 'active', value: false })
  const removed = await provider.delete('the-owner')

  assert.deepEqual([deactivated.status, removed.status], [403, 403])
  assert.equal((await provider.get('/Users/the-owner')).status, 200)
  assert.equal((await owner.get(`${group.url}/members/${owner.id}`)).body.access_level, 50)
  const second = await scene.user()
  await owner.post(`${group.url}/members`, { user_id: second.id, access_level: 50 })
  assert.equal((await provider.delete('the-owner')).status, 204)
})

test('of two owners who are removed concurrently one stays', async () => {
  const provider = await openProvider(scene, { role: 50 })
  const [one, other] = [await provisioned(provider), await provisioned(provider)]
  await scene.root.delete(`${provider.group.url}/members/${provider.owner.id}`)
  const answers = await Promise.all([provider.delete(one.uid), provider.delete(other.uid)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 403])
})

test('a provider cannot rename a linked account, nor give it another email', async () => {
  const provider = await openProvider(scene)
  const admin = await scene.user({ admin: true })
  const emails = [{ type: 'work', value: admin.email, primary: true }]
  await provider.post(scimUser({ externalId: 'linked', emails }))
  const before = await account(admin.id)
  for (const operation of [
    { op: 'replace', path: 'emails[type eq "work"].value', value: 'thief@example.com' },
    { op: 'replace', path: 'userName', value: 'thief' },
    { op: 'replace', path: 'name.formatted', value: 'Thief' },
  ]) {
    assert.equal((await provider.change('linked', operation)).status, 403, operation.path)
  }
  const { updated_at: _, ...same } = await account(admin.id)
  assert.deepEqual(same, (({ updated_at: __, ...rest }) => rest)(before))
})

test('repeating to a linked account what it is called already changes nothing and is no refusal', async () => {
  const provider = await openProvider(scene)
  const ida = await scene.user()
  await provider.post(scimUser({ externalId: 'linked', emails: [{ type: 'work', value: ida.email, primary: true }] }))
  const same = {
    userName: ida.username.toUpperCase(),
    name: { formatted: ida.name },
    emails: [{ value: ida.email, type: 'work' }],
    active: true,
  }
  assert.equal((await provider.change('linked', { op: 'replace', value: same })).status, 204)
})

test('an account that another group made is not this group’s to rename', async () => {
  const maker = await openProvider(scene)
  const { accountId, emails } = await provisioned(maker)
  await scene.root.put(`/users/${accountId}`, { email: 'verified.by.admin@example.com' })
  await scene.deps.database.db.updateTable('users').set({ confirmed_at: new Date() }).where('id', '=', accountId).execute()
  const other = await openProvider(scene)
  await other.post(scimUser({ externalId: 'theirs', emails: [{ ...emails[0], value: 'verified.by.admin@example.com' }] }))
  assert.equal((await other.change('theirs', { op: 'replace', path: 'name.formatted', value: 'X' })).status, 403)
})

test('an account made in a subgroup is not the provider’s of another top-level group, where the subgroup has moved; within one, nothing changes', async () => {
  const [top, other] = [await scene.group(), await scene.group()]
  const { group: middle } = await scene.group({ parent: top.group, owner: top.owner })
  const { group: below } = await scene.group({ parent: top.group, owner: top.owner })
  const made = await provisioned(await openProvider(scene, { top, group: below }))
  const moveTo = async (to: typeof top, parent = to.group) => {
    const moved = await scene.root.post(`${below.url}/transfer`, { group_id: parent.id })
    assert.equal(moved.status, 201)
    return openProvider(scene, { top: to, group: { ...below, full_path: moved.body.full_path } })
  }
  const rename = (provider: Provider, value: string) =>
    provider.change(made.uid, { op: 'Replace', path: 'emails[type eq "work"].value', value })

  const theirs = await moveTo(other)
  const email = `thief-${made.accountId}@example.com`
  assert.equal((await rename(theirs, email)).status, 403)
  assert.equal((await account(made.accountId)).email, made.emails[0]?.value)
  assert.equal((await theirs.get(`/Users/${made.uid}`)).status, 200, 'the person is a member there')
  assert.equal((await theirs.delete(made.uid)).status, 204)
  assert.equal(
    (await theirs.post(scimUser({ externalId: made.uid, emails: made.emails }))).status,
    409,
    'an address that nobody has verified',
  )

  const own = await moveTo(top, middle)
  assert.equal((await own.post(scimUser({ externalId: made.uid, emails: made.emails }))).status, 201)
  assert.equal((await rename(own, `moved-${made.accountId}@example.com`)).status, 204)
})

test('of two concurrent changes of one user both are made', async () => {
  const provider = await openProvider(scene)
  const { uid } = await provisioned(provider)
  const answers = await Promise.all([
    provider.change(uid, { op: 'replace', path: 'name.formatted', value: 'Both Made' }),
    provider.change(uid, { op: 'replace', path: 'userName', value: 'both.made' }),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [204, 204],
  )
  const { body } = await provider.get(`/Users/${uid}`)
  assert.deepEqual([body['name.formatted'], body.userName], ['Both Made', 'both.made'])
})
