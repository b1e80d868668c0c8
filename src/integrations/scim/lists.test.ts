/** Finding users: document 1, List rules 1 to 4; decisions 21 and 22. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { openProvider, scimUser } from './scene.ts'

const scene = await openScene()

/** A provider that has brought three people, in this order. */
async function three() {
  const provider = await openProvider(scene)
  const people = [scimUser(), scimUser(), scimUser()] as const
  for (const person of people) await provider.post(person)
  return { provider, people }
}

const seen = ({ body }: { body: { Resources: { id: string }[]; totalResults: number; itemsPerPage: number; startIndex: number } }) => ({
  total: body.totalResults,
  per: body.itemsPerPage,
  start: body.startIndex,
  ids: body.Resources.map(({ id }) => id),
})

test('the list is a SCIM list response of SCIM users (document 1 "SCIM list response")', async () => {
  const provider = await openProvider(scene)
  const person = scimUser()
  const { body: user } = await provider.post(person)
  const answer = await provider.find(`id eq "${person.externalId}"`)
  assert.deepEqual(answer, {
    status: 200,
    body: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 1,
      itemsPerPage: 1,
      startIndex: 1,
      Resources: [user],
    },
  })
  assert.equal(answer.headers['content-type'], 'application/scim+json')
})

test('without a filter the first user comes back, with the number of all (decision 21)', async () => {
  const { provider, people } = await three()
  assert.deepEqual(seen(await provider.get('/Users')), { total: 3, per: 1, start: 1, ids: [people[0].externalId] })
  assert.deepEqual(seen(await provider.get('/Users', { count: '100' })), { total: 3, per: 1, start: 1, ids: [people[0].externalId] })
})

test('startIndex is from 1, and less is read as 1 (document 1, List rule 3)', async () => {
  const { provider, people } = await three()
  for (const startIndex of ['1', '0', '-5'])
    assert.deepEqual(seen(await provider.get('/Users', { startIndex })), { total: 3, per: 1, start: 1, ids: [people[0].externalId] })
  assert.deepEqual(seen(await provider.get('/Users', { startIndex: '3' })), { total: 3, per: 1, start: 3, ids: [people[2].externalId] })
  assert.deepEqual(seen(await provider.get('/Users', { startIndex: '4' })), { total: 3, per: 0, start: 4, ids: [] })
})

test('count=0 gives nobody and the right total; less than 0 is 0 (RFC 7644 section 3.4.2.4)', async () => {
  const { provider, people } = await three()
  for (const count of ['0', '-1']) assert.deepEqual(seen(await provider.get('/Users', { count })), { total: 3, per: 0, start: 1, ids: [] })
  const filter = `externalId eq "${people[1].externalId}"`
  assert.deepEqual(seen(await provider.get('/Users', { filter, count: '0' })), { total: 1, per: 0, start: 1, ids: [] })
})

test('a user is found by id, externalId, userName and email (document 1, List rule 2)', async () => {
  const { provider, people } = await three()
  const { externalId, userName, emails } = people[1]
  for (const filter of [
    `id eq "${externalId}"`,
    `EXTERNALID EQ "${externalId}"`,
    `userName eq "${userName.toUpperCase()}"`,
    `username eq "${userName}"`,
    `Emails.Value eq "${emails[0]?.value.toUpperCase()}"`,
  ])
    assert.deepEqual(seen(await provider.find(filter)), { total: 1, per: 1, start: 1, ids: [externalId] }, filter)
})

test('ids count in the case they have', async () => {
  const { provider, people } = await three()
  assert.equal((await provider.find(`id eq "${people[0].externalId.toUpperCase()}"`)).body.totalResults, 0)
})

test('whom no provider has brought is not found, members of the group included', async () => {
  const { group, owner, developer } = await scene.group({ members: ['developer'] })
  const provider = await openProvider(scene, { top: { group, owner } })
  assert.equal((await provider.find(`userName eq "${developer.username}"`)).body.totalResults, 0)
  assert.equal((await provider.find('userName eq "nobody@example.com"')).body.totalResults, 0)
  assert.deepEqual(seen(await provider.get('/Users')), { total: 0, per: 0, start: 1, ids: [] })
})

for (const filter of ['userName ne "a"', 'userName co "a"', 'displayName eq "a"', 'id eq "a" and userName eq "b"', 'nonsense', '']) {
  test(`the filter ${JSON.stringify(filter)} is 400 with scimType invalidFilter`, async () => {
    const provider = await openProvider(scene)
    const { status, body } = await provider.find(filter)
    assert.deepEqual([status, body.scimType, body.status], [400, 'invalidFilter', '400'])
  })
}

const wrongQueries: readonly Record<string, string>[] = [
  { startIndex: 'first' },
  { count: 'all' },
  { startIndex: '99999999999999999999' },
  { filter: `id eq "${'x'.repeat(2_000)}"` },
]

for (const query of wrongQueries) {
  test(`the query ${JSON.stringify(query).slice(0, 60)} is 400`, async () => {
    const provider = await openProvider(scene)
    const { status, body } = await provider.get('/Users', query)
    assert.deepEqual([status, body.scimType], [400, 'invalidValue'])
  })
}
