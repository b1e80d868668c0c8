/** Bringing people into a group: document 1 "SCIM endpoints" and "States and transitions". */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { errorOf, openProvider, scimUser } from './scene.ts'

const scene = await openScene()
const { db } = scene.deps.database

const scimError = (status: number, scimType: string | undefined) => ({
  status,
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status_text: String(status),
  scimType,
})
const emailOf = (person: { email: string }) => [{ type: 'work', value: person.email, primary: true }]

test('create makes an account, an identity and a membership, and answers 201 with the user (document 1, create; decision 20)', async () => {
  const provider = await openProvider(scene)
  const person = scimUser({ externalId: 'Case/Sensitive 1' })

  const answer = await provider.post(person)

  assert.deepEqual(answer, {
    status: 201,
    body: {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id: 'Case/Sensitive 1',
      active: true,
      'name.formatted': person.name.formatted,
      userName: person.userName,
      meta: { resourceType: 'User' },
      emails: person.emails,
    },
  })
  assert.equal(answer.headers['content-type'], 'application/scim+json')
  const { location } = answer.headers
  assert.ok(location?.endsWith(`/groups/${provider.group.path}/Users/Case%2FSensitive%201`), location)
  const [account] = (await scene.root.get('/users', { username: person.userName })).body
  assert.equal(account.name, person.name.formatted)
  assert.equal(account.email, person.emails[0]?.value)
  assert.equal((await scene.root.get(`${provider.group.url}/members/${account.id}`)).body.access_level, 10)
  assert.deepEqual((await provider.get('/Users/Case%2FSensitive%201')).body, answer.body)
  assert.equal((await provider.get('/Users/case%2Fsensitive%201')).status, 404)
})

test('a new account has no password and an email that nobody has verified: no provider can create one that another user would be matched with', async () => {
  const provider = await openProvider(scene)
  const person = scimUser()
  await provider.post(person)

  const row = await db.selectFrom('users').selectAll().where('username', '=', person.userName).executeTakeFirstOrThrow()
  assert.equal(row.password_digest, null)
  assert.equal(row.confirmed_at, null)

  const other = await openProvider(scene)
  assert.deepEqual(errorOf(await other.post(person)), scimError(409, 'uniqueness'))
})

test('the role of new members is the one that the owner chose with the token', async () => {
  const provider = await openProvider(scene, { role: 30 })
  const person = scimUser()
  await provider.post(person)
  const members = (await scene.root.get(`${provider.group.url}/members`, { query: person.userName })).body
  assert.deepEqual(
    members.map((member: { access_level: number }) => member.access_level),
    [30],
  )
})

test('an account that exists is linked by its verified email, in any case of letters, and keeps what it has', async () => {
  const provider = await openProvider(scene)
  const ida = await scene.user()

  const answer = await provider.post(scimUser({ emails: emailOf({ email: ida.email.toUpperCase() }), userName: 'another-name' }))

  assert.equal(answer.status, 201)
  assert.equal(answer.body.userName, ida.username)
  assert.equal(answer.body['name.formatted'], ida.name)
  assert.deepEqual(answer.body.emails, emailOf(ida))
  assert.equal((await scene.root.get(`${provider.group.url}/members/${ida.id}`)).status, 200)
})

test('an additional address links when it is verified, and is nobody’s before', async () => {
  const provider = await openProvider(scene)
  const ida = await scene.user()
  const add = (email: string, skip_confirmation: boolean) => scene.root.post(`/users/${ida.id}/emails`, { email, skip_confirmation })
  await add('ida.unverified@example.com', false)
  await add('ida.verified@example.com', true)

  const made = await provider.post(scimUser({ emails: emailOf({ email: 'ida.unverified@example.com' }) }))
  const linked = await provider.post(scimUser({ emails: emailOf({ email: 'ida.verified@example.com' }) }))

  assert.equal(made.status, 201)
  assert.notEqual(made.body.userName, ida.username, 'an account of its own')
  assert.equal(linked.status, 201)
  assert.equal(linked.body.userName, ida.username)
})

test('who is a member already stays what they are', async () => {
  const { group, owner, developer } = await scene.group({ members: ['developer'] })
  const provider = await openProvider(scene, { top: { group, owner } })
  assert.equal((await provider.post(scimUser({ emails: emailOf(developer) }))).status, 201)
  assert.equal((await scene.root.get(`${group.url}/members/${developer.id}`)).body.access_level, 30)
})

test('a username that another user has gets a number', async () => {
  const provider = await openProvider(scene)
  const { username } = await scene.user()
  const first = await provider.post(scimUser({ userName: username }))
  const second = await provider.post(scimUser({ userName: username.toUpperCase() }))
  const { group } = await scene.group()
  const third = await provider.post(scimUser({ userName: group.path }))
  assert.deepEqual([first.status, second.status, third.status], [201, 201, 201])
  assert.equal(first.body.userName, `${username}1`)
  assert.equal(second.body.userName, `${username.toUpperCase()}2`)
  assert.equal(third.body.userName, `${group.path}1`)
})

for (const [userName, username] of [
  ['grace.hopper@navy.example.com', 'grace.hopper'],
  ['CORP\\hopper', 'corp-hopper'],
  ['Renée Zoë', 'renee-zoe'],
  ['用户', 'person'],
  ['admin', 'person-admin'],
  ['@only.domain', 'person1'],
  ['odd+tag@example.com', 'odd-tag'],
  ['ends.git', 'ends'],
] as const) {
  test(`an account for the userName ${userName} is called ${username}, and found by both`, async () => {
    const provider = await openProvider(scene)
    const created = await provider.post(scimUser({ userName }))
    assert.equal(created.status, 201)
    assert.match(created.body.userName, new RegExp(`^${username.replace(/\d+$/, '')}\\d*$`))
    for (const name of [userName, created.body.userName])
      assert.equal((await provider.find(`userName eq ${JSON.stringify(name)}`)).body.totalResults, 1, name)
  })
}

test('the same externalId twice is 409 with scimType uniqueness', async () => {
  const provider = await openProvider(scene)
  const person = scimUser()
  await provider.post(person)
  assert.deepEqual(errorOf(await provider.post(person)), scimError(409, 'uniqueness'))
  assert.deepEqual(errorOf(await provider.post(scimUser({ externalId: person.externalId }))), scimError(409, 'uniqueness'))
})

test('an account has one identity in a group: another externalId for its email is 409', async () => {
  const provider = await openProvider(scene)
  const person = scimUser()
  await provider.post(person)
  assert.deepEqual(errorOf(await provider.post(scimUser({ emails: person.emails }))), scimError(409, 'uniqueness'))
})

test('groups share nothing: the same externalId is another user in another group', async () => {
  const [one, other] = [await openProvider(scene), await openProvider(scene)]
  const person = scimUser()
  await one.post(person)
  assert.equal((await other.get(`/Users/${person.externalId}`)).status, 404)
  assert.equal((await other.post(scimUser({ externalId: person.externalId }))).status, 201)
  assert.equal((await other.delete(person.externalId)).status, 204)
  assert.equal((await one.get(`/Users/${person.externalId}`)).status, 200)
})

test('of two concurrent creates for one externalId one creates the user and the other is 409', async () => {
  const provider = await openProvider(scene)
  const rounds = Array.from({ length: 5 }, () => scimUser())
  for (const person of rounds) {
    const answers = await Promise.all([
      provider.post(person),
      provider.post(person),
      provider.post({ ...person, ...scimUser(), externalId: person.externalId }),
    ])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409])
    for (const answer of answers.filter(({ status }) => status === 409)) assert.equal(answer.body.scimType, 'uniqueness')
  }
})

test('two concurrent creates for one userName both succeed, with two names', async () => {
  const provider = await openProvider(scene)
  const answers = await Promise.all([1, 2, 3].map(() => provider.post(scimUser({ userName: 'wanted.by.all' }))))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201],
  )
  assert.deepEqual(answers.map(({ body }) => body.userName).sort(), ['wanted.by.all', 'wanted.by.all1', 'wanted.by.all2'])
})

test('a create that is refused leaves nothing behind: all of it is one transaction', async () => {
  const provider = await openProvider(scene)
  const counts = () =>
    Promise.all(
      (['users', 'namespaces', 'routes', 'members', 'scim_identities', 'provisioned_users', 'audit_events'] as const).map(async table => {
        const { rows } = await db
          .selectFrom(table)
          .select(({ fn }) => fn.countAll<number>().as('rows'))
          .executeTakeFirstOrThrow()
        return [table, rows]
      }),
    )
  const taken = scimUser()
  await provider.post(taken)
  const before = await counts()
  assert.equal((await provider.post(scimUser({ externalId: taken.externalId }))).status, 409)
  assert.equal((await provider.post(scimUser({ emails: taken.emails }))).status, 409)
  assert.equal((await provider.post(scimUser({ name: {} }))).status, 400)
  assert.deepEqual(await counts(), before)
})

test('a name may come in parts, and active as a text or null', async () => {
  const provider = await openProvider(scene)
  const inParts = await provider.post(scimUser({ name: { givenName: 'Ida', familyName: 'Example' } }))
  assert.equal(inParts.body['name.formatted'], 'Ida Example')
  assert.equal((await provider.post(scimUser({ active: 'True' }))).body.active, true)
  assert.equal((await provider.post(scimUser({ active: null }))).body.active, true)
})

test('a user who is created inactive has an account and no membership until they are activated', async () => {
  const provider = await openProvider(scene)
  const person = scimUser({ active: false })
  const created = await provider.post(person)
  assert.equal(created.status, 201)
  assert.equal(created.body.active, false)
  const members = async () => (await scene.root.get(`${provider.group.url}/members`, { query: person.userName })).body.length
  assert.equal(await members(), 0)
  assert.equal((await provider.get(`/Users/${person.externalId}`)).status, 404)
  assert.equal((await provider.change(person.externalId, { op: 'replace', path: 'active', value: true })).status, 204)
  assert.equal(await members(), 1)
})

test('names of attributes count in any case of letters (decision 22; RFC 7643 section 2.1)', async () => {
  const provider = await openProvider(scene)
  const answer = await provider.post({
    EXTERNALID: 'any-case',
    username: 'any.case',
    Emails: [{ VALUE: 'any.case@example.com', Type: 'Work', Primary: 'True' }],
    NAME: { Formatted: 'Any Case' },
  })
  assert.equal(answer.status, 201)
  assert.equal(answer.body.userName, 'any.case')
  assert.equal(answer.body['name.formatted'], 'Any Case')
})

test('requests are understood as application/json too', async () => {
  const provider = await openProvider(scene)
  const client = scene.as({ authorization: `bearer ${provider.token}` })
  const answer = await client.post(`${scene.url}/api/scim/v2/groups/${provider.group.path}/Users/`, scimUser())
  assert.equal(answer.status, 201)
  assert.equal(answer.headers['content-type'], 'application/scim+json')
})

for (const field of ['externalId', 'userName', 'emails', 'name'] as const) {
  test(`create without ${field} is 400 (document 1, create body)`, async () => {
    const provider = await openProvider(scene)
    const { [field]: _, ...rest } = scimUser()
    const answer = await provider.post(rest)
    assert.deepEqual(errorOf(answer), scimError(400, 'invalidValue'))
    assert.equal(answer.body.detail, `${field} is missing`)
  })
}

for (const [what, attributes] of [
  ['an externalId that is a list', { externalId: ['a'] }],
  ['an empty externalId', { externalId: '' }],
  ['an endless externalId', { externalId: 'x'.repeat(256) }],
  ['a userName of 1 MB', { userName: 'x'.repeat(1024 * 1024) }],
  ['a userName that is an object', { userName: { a: 1 } }],
  ['a name that is a text', { name: 'Ida' }],
  ['a name of 1 MB', { name: { formatted: 'x'.repeat(1024 * 1024) } }],
  ['parts of a name that are too long together', { name: { givenName: 'x'.repeat(200), familyName: 'y'.repeat(200) } }],
  ['a name that says nothing', { name: { formatted: ' ', givenName: '' } }],
  ['emails that are a text', { emails: 'ida@example.com' }],
  ['no emails', { emails: [] }],
  ['an email without a value', { emails: [{ type: 'work' }] }],
  ['an email that is none', { emails: [{ type: 'work', value: 'not an address' }] }],
  ['an email that is too long', { emails: [{ value: `${'x'.repeat(250)}@example.com` }] }],
  ['active that is neither', { active: 'perhaps' }],
  ['half of a surrogate pair', { userName: '\ud83e' }],
  ['NUL in a name', { name: { formatted: 'a\0b' } }],
] as const) {
  test(`create with ${what} is 400`, async () => {
    const provider = await openProvider(scene)
    assert.deepEqual(errorOf(await provider.post(scimUser(attributes))), scimError(400, 'invalidValue'))
  })
}

for (const email of ['ida+tag@example.com', 'ïda@exämple.com', 'A@B', 'x_y-z@sub.sub.example.com', '用户@例子.公司']) {
  test(`${email} is an email address`, async () => {
    const provider = await openProvider(scene)
    const answer = await provider.post(scimUser({ emails: [{ value: email, type: 'work', primary: true }] }))
    assert.equal(answer.status, 201)
    assert.equal(answer.body.emails[0].value, email)
    assert.equal((await provider.find(`emails.value eq ${JSON.stringify(email)}`)).body.totalResults, 1)
  })
}

test('a body that is no JSON is 400 with scimType invalidSyntax, one of another type 415, one that is too large 413', async () => {
  const provider = await openProvider(scene)
  const client = scene.as({ authorization: `Bearer ${provider.token}` })
  const url = `${scene.url}/api/scim/v2/groups/${provider.group.path}/Users`
  assert.deepEqual(errorOf(await provider.post('{"externalId": ')), scimError(400, 'invalidSyntax'))
  assert.deepEqual(errorOf(await client.post(url, 'a,b', { 'content-type': 'text/csv' })), scimError(415, undefined))
  assert.deepEqual(errorOf(await provider.post(scimUser({ title: 'x'.repeat(11 * 1024 * 1024) }))), scimError(413, undefined))
})
