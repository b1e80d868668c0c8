/**
 * Identity providers: the requests that the large ones make, in the order and the form in which they publish them: Okta's
 * test suite for SCIM 2.0 servers (with the `externalId` that Okta itself always sends), and the samples that Microsoft
 * gives for Entra ID. No SCIM client on npm is kept up, so they are made with `fetch`.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openScene } from '../scene.ts'

const scene = await openScene()
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'

interface Reply {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the tests say what they expect
  readonly body: any
}

/** A provider as its administrator sets it up: with the address and the token that the owner of a group was given. */
async function connect(headers: Record<string, string>) {
  const { group, owner } = await scene.group()
  const { token, scim_url } = (await scene.root.post(`${group.url}/scim_token`)).body
  const send = async (method: string, path: string, body?: object, authorization = `Bearer ${token}`): Promise<Reply> => {
    const response = await fetch(`${scim_url}${path}`, {
      method,
      headers: { ...headers, authorization },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (text !== '') assert.match(response.headers.get('content-type') ?? '', /^application\/scim\+json/)
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  const members = async () =>
    (await owner.get(`${group.url}/members`)).body
      .map((member: { username: string }) => member.username)
      .filter((name: string) => name !== owner.username)
  return { send, members }
}

test('Okta: its test suite, then deactivate and reactivate', async () => {
  const { send, members } = await connect({
    accept: 'application/scim+json',
    'accept-charset': 'utf-8',
    'content-type': 'application/scim+json; charset=utf-8',
    'user-agent': 'OKTA SCIM Integration',
  })
  const email = 'Isaac.Brock@example.com'
  const person = {
    schemas: [USER],
    externalId: '00ujl29u0le5T6Aj10h7',
    userName: email,
    name: { givenName: 'Isaac', familyName: 'Brock' },
    emails: [{ primary: true, value: email, type: 'work' }],
    displayName: 'Isaac Brock',
    locale: 'en-US',
    groups: [],
    active: true,
  }
  const find = (name: string) => send('GET', `/Users?filter=${encodeURIComponent(`userName eq "${name}"`)}&startIndex=1&count=100`)

  const nobody = await find(email)
  assert.deepEqual([nobody.status, nobody.body.totalResults, nobody.body.schemas], [200, 0, [LIST]])
  const missing = await send('GET', '/Users/010101001010101011001010101011')
  assert.deepEqual([missing.status, missing.body.schemas, typeof missing.body.detail], [404, [ERROR], 'string'])

  const created = await send('POST', '/Users', person)
  assert.equal(created.status, 201)
  assert.equal(created.body.active, true)
  assert.equal(created.body.userName, 'Isaac.Brock')
  assert.equal(created.body['name.formatted'], 'Isaac Brock')
  const { id } = created.body

  const list = await send('GET', '/Users?count=1&startIndex=1')
  assert.deepEqual([list.body.schemas, list.body.totalResults, list.body.itemsPerPage, list.body.startIndex], [[LIST], 1, 1, 1])
  assert.deepEqual(list.body.Resources, [created.body])
  assert.deepEqual((await send('GET', `/Users/${id}`)).body, created.body)
  assert.equal((await send('POST', '/Users', person)).status, 409)
  assert.equal((await find(email.toUpperCase())).body.Resources[0].id, id)
  const refused = await send('GET', '/Users', undefined, 'non-token')
  assert.deepEqual([refused.status, refused.body.status, refused.body.schemas], [401, '401', [ERROR]])

  const setActive = (active: boolean) =>
    send('PATCH', `/Users/${id}`, { schemas: [PATCH], Operations: [{ op: 'replace', value: { active } }] })
  assert.equal((await setActive(false)).status, 204)
  assert.equal((await find(email)).body.totalResults, 0)
  assert.equal((await setActive(true)).status, 204)
  assert.equal((await find(email)).body.totalResults, 1)
  assert.deepEqual(await members(), ['Isaac.Brock'])
})

test('Entra ID: search before create, update, deactivate, reactivate, delete', async () => {
  const { send, members } = await connect({ 'content-type': 'application/scim+json' })
  const externalId = randomUUID()
  const principal = 'Test_User_dfeef4c5@testuser.example.com'
  const filter = (expression: string) => send('GET', `/Users?filter=${encodeURIComponent(expression).replaceAll('%20', '+')}`)
  const change = (...Operations: object[]) => send('PATCH', `/Users/${externalId}`, { schemas: [PATCH], Operations })

  // The connection is tested with a user who cannot exist.
  const probe = await filter(`userName eq "${randomUUID()}"`)
  assert.deepEqual([probe.status, probe.body.totalResults, probe.body.Resources], [200, 0, []])

  assert.equal((await filter(`externalId eq "${externalId}"`)).body.totalResults, 0)
  assert.equal((await filter(`userName eq "${principal}"`)).body.totalResults, 0)
  const created = await send('POST', '/Users', {
    schemas: [USER, ENTERPRISE],
    externalId,
    userName: principal,
    active: true,
    displayName: 'lennay',
    emails: [{ primary: true, type: 'work', value: 'Test_User_fd0ea19b@testuser.example.com' }],
    meta: { resourceType: 'User' },
    name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
    roles: [],
    title: 'tester',
    [ENTERPRISE]: { department: 'bob' },
  })
  assert.equal(created.status, 201)
  assert.equal(created.body.id, externalId)

  assert.deepEqual((await send('GET', `/Users/${externalId}`)).body, created.body)
  assert.deepEqual((await filter(`userName eq "${principal}"`)).body.Resources, [created.body])

  const updated = await change(
    { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@testuser.example.com' },
    { op: 'Add', path: 'name.formatted', value: 'updatedGivenName updatedFamilyName' },
  )
  assert.equal(updated.status, 204)
  assert.equal((await change({ op: 'Replace', path: 'userName', value: '5b50642d-79fc@testuser.example.com' })).status, 204)
  const { body } = await send('GET', `/Users/${externalId}`)
  assert.equal(body.emails[0].value, 'updatedEmail@testuser.example.com')
  assert.equal(body['name.formatted'], 'updatedGivenName updatedFamilyName')
  assert.equal(body.userName, '5b50642d-79fc')
  assert.equal((await filter('userName eq "5b50642d-79fc@testuser.example.com"')).body.totalResults, 1)

  // Booleans as texts, as Entra ID sends them to applications that were connected before its conformance update.
  assert.equal((await change({ op: 'Replace', path: 'active', value: 'False' })).status, 204)
  assert.equal((await filter(`externalId eq "${externalId}"`)).body.totalResults, 0)
  assert.deepEqual(await members(), ['5b50642d-79fc'])
  assert.equal((await change({ op: 'Add', path: 'active', value: 'True' })).status, 204)
  assert.equal((await filter(`externalId eq "${externalId}"`)).body.Resources[0].active, true)

  // Thirty days after a person was deactivated they are deleted.
  assert.equal((await change({ op: 'replace', path: 'active', value: false })).status, 204)
  assert.equal((await send('DELETE', `/Users/${externalId}`)).status, 204)
  assert.deepEqual(await members(), [])
  assert.equal((await send('GET', `/Users/${externalId}`)).status, 404)
})
