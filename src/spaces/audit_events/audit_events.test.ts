import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { openProvider, scimUser } from '../../integrations/scim/scene.ts'

const scene = await openScene()

interface Event {
  id: number
  author_id: number | null
  event_name: string
  created_at: string
  details: { author_name: string; custom_message?: string; change?: string; from?: string; to?: string; target_details: string }
}

/** The SCIM events among all events of a group. */
const ofSCIM = (events: Event[]) => events.filter(({ event_name }) => event_name.startsWith('scim_'))

const summaryOf = (events: Event[]) =>
  ofSCIM(events).map(({ details: { custom_message, change, from, to } }) => custom_message ?? `${change}: ${from} → ${to}`)

test('every change by SCIM is an audit event of the group, the latest first', async () => {
  const provider = await openProvider(scene)
  const person = scimUser()
  const uid = person.externalId
  await provider.post(person)
  await provider.change(uid, { op: 'replace', value: { userName: 'audited', name: { formatted: 'Audited' } } })
  await provider.change(uid, { op: 'replace', path: 'externalId', value: 'audited-uid' })
  await provider.change('audited-uid', { op: 'replace', path: 'active', value: false })
  await provider.change('audited-uid', { op: 'replace', path: 'active', value: true })
  await provider.delete('audited-uid')
  const linked = await scene.user()
  await provider.post(scimUser({ emails: [{ value: linked.email }] }))
  await provider.owner.post(`${provider.group.url}/scim_token`)
  await provider.owner.delete(`${provider.group.url}/scim_token`)

  const { body } = await provider.owner.get(`${provider.group.url}/audit_events`)

  assert.deepEqual(summaryOf(body), [
    'SCIM token deleted',
    'SCIM token rotated',
    'User linked by SCIM',
    'User removed by SCIM',
    'User reactivated by SCIM',
    'User deactivated by SCIM',
    `extern_uid: ${uid} → audited-uid`,
    `username: ${person.userName} → audited`,
    `name: ${person.name.formatted} → Audited`,
    'User created by SCIM',
    'SCIM token created',
  ])
})

test('an event says who did what to whom, when and from where', async () => {
  const provider = await openProvider(scene)
  const { group, owner } = provider
  const { body: user } = await provider.post(scimUser())
  const [account] = (await scene.root.get('/users', { username: user.userName })).body

  const [bySCIM, byOwner] = ofSCIM((await owner.get(`${group.url}/audit_events`)).body) as [Event, Event]

  const { id: _, created_at, ...event } = bySCIM
  assert.ok(!Number.isNaN(Date.parse(created_at)))
  assert.deepEqual(event, {
    author_id: null,
    entity_id: group.id,
    entity_type: 'Group',
    event_name: 'scim_user.changed',
    details: {
      custom_message: 'User created by SCIM',
      author_name: `SCIM of ${group.full_path}`,
      target_id: account.id,
      target_type: 'User',
      target_details: user.userName,
      ip_address: '127.0.0.1',
      entity_path: group.full_path,
      user_agent: '',
      credential: 'scim_token',
      acting_as: null,
      occurrences: 1,
    },
  })
  assert.equal(byOwner.author_id, owner.id)
  assert.equal(byOwner.details.author_name, owner.name)
})

test('a refused request, and one that changes nothing, are no events', async () => {
  const provider = await openProvider(scene)
  const person = scimUser()
  await provider.post(person)
  const count = async () => (await provider.owner.get(`${provider.group.url}/audit_events`)).body.length
  const before = await count()
  assert.equal((await provider.post(person)).status, 409)
  assert.equal((await provider.change(person.externalId, { op: 'replace', path: 'title', value: 'x' })).status, 400)
  await provider.change(person.externalId, { op: 'replace', value: { userName: person.userName, active: true } })
  assert.equal(await count(), before)
})

test('an event is found by its id only in its own group', async () => {
  const [one, other] = [await openProvider(scene), await openProvider(scene)]
  const [event] = (await one.owner.get(`${one.group.url}/audit_events`)).body
  assert.deepEqual((await one.owner.get(`${one.group.url}/audit_events/${event.id}`)).body, event)
  assert.equal((await other.owner.get(`${other.group.url}/audit_events/${event.id}`)).status, 404)
  assert.deepEqual((await scene.root.get(`/audit_events/${event.id}`)).body, event)
  assert.equal((await scene.root.get('/audit_events/999999')).status, 404)
})

test('lists end and begin at an instant, both included (decision 41)', async () => {
  const { group, owner } = await scene.group()
  for (const instant of ['2021-01-01T00:00:00.000Z', '2021-01-02T00:00:00.000Z', '2021-01-03T00:00:00.000Z']) {
    scene.setTime(instant)
    await owner.post(`${group.url}/scim_token`)
  }
  scene.setTime(undefined)
  const days = async (query: Record<string, string>) =>
    ofSCIM((await owner.get(`${group.url}/audit_events`, query)).body).map(event => event.created_at.slice(8, 10))
  assert.deepEqual(await days({ created_after: '2021-01-02T00:00:00Z' }), ['03', '02'])
  assert.deepEqual(await days({ created_before: '2021-01-02T00:00:00Z' }), ['02', '01'])
  assert.deepEqual(await days({ created_after: '2021-01-02T00:00:00Z', created_before: '2021-01-02T00:00:00Z' }), ['02'])
  assert.equal((await owner.get(`${group.url}/audit_events`, { created_after: 'yesterday' })).status, 400)
})

test('administrators see all events, by type and id of their entity', async () => {
  const { group } = await openProvider(scene)
  const events = (await scene.root.get('/audit_events', { entity_type: 'Group', entity_id: group.id })).body
  assert.deepEqual(summaryOf(events), ['SCIM token created'])
  assert.deepEqual((await scene.root.get('/audit_events', { entity_type: 'Project' })).body, [])
  assert.deepEqual(await scene.root.get('/audit_events', { entity_id: group.id }), {
    status: 400,
    body: { message: { entity_id: ['needs entity_type to be given'] } },
  })
})

test('the author of an event with sudo is the administrator', async () => {
  const { group, owner } = await scene.group()
  await scene.root.post(`${group.url}/scim_token`, undefined, { sudo: owner.username })
  const [event] = (await owner.get(`${group.url}/audit_events`)).body
  assert.equal(event.author_id, scene.root.id)
})
