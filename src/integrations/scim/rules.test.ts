/** What keeps groups from making accounts without bound, and from taking in users who have one. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { openScene, type Person, type SceneGroup } from '../../../test/scene.ts'
import { recordStatements } from '../../platform/db/statements/statements.ts'
import { finishGroupRemoval } from '../../spaces/groups/lifecycle/removal.ts'
import { scimUser } from './scene.ts'

const scene = await openScene()
const settings = (changes: object) => scene.root.put('/application/settings', changes)

beforeEach(() =>
  settings({
    scim_provisioning: 'administrators',
    scim_accounts_per_group: 1000,
    scim_accounts_per_owner: 1000,
    scim_email_domains: [],
    scim_existing_users: 'members',
  }),
)

/** The provider of a group with the token that this person is given for it. */
async function providerFrom(person: Person, group: SceneGroup, default_membership_role = 20) {
  const { status, body } = await person.post(`${group.url}/scim_token`, { default_membership_role })
  assert.equal(status, 201)
  const client = scene.as({ authorization: `Bearer ${body.token}` })
  const users = `${scene.url}/api/scim/v2/groups/${encodeURIComponent(group.full_path)}/Users`
  return {
    list: () => client.get(users),
    create: (attributes: object = {}) => client.post(users, scimUser(attributes), { 'content-type': 'application/scim+json' }),
    change: (id: string, ...Operations: object[]) =>
      client.patch(`${users}/${id}`, { Operations }, { 'content-type': 'application/scim+json' }),
  }
}

const withEmail = (value: string) => ({ emails: [{ primary: true, type: 'work', value }] })

test('a user who makes a group does not turn on its SCIM; an administrator does, and owners renew the token', async () => {
  const { group, owner } = await scene.group()

  assert.deepEqual(await owner.post(`${group.url}/scim_token`), {
    status: 403,
    body: { message: '403 Forbidden - An administrator has to turn on the SCIM of this group' },
  })
  await scene.root.post(`${group.url}/members`, { user_id: scene.root.id, access_level: 50 })
  assert.equal((await owner.post(`${group.url}/scim_token`)).status, 403, 'an administrator who was made an owner changes nothing')
  const provider = await providerFrom(scene.root, group)
  assert.equal((await provider.create()).status, 201)
  assert.equal((await (await providerFrom(owner, group)).create()).status, 201)
})

test('the setting lets owners turn it on, and turns it off again with their tokens', async () => {
  const { group, owner } = await scene.group()
  await settings({ scim_provisioning: 'owners' })
  const provider = await providerFrom(owner, group)
  assert.equal((await provider.create()).status, 201)

  for (const scim_provisioning of ['administrators', 'disabled']) {
    await settings({ scim_provisioning })
    const refused = await provider.create()
    assert.deepEqual([refused.status, refused.body.status], [403, '403'])
    assert.equal((await provider.list()).status, 403)
  }
})

test('a group creates no more accounts than the limit, however many concurrent requests there are', async () => {
  const { group } = await scene.group()
  const { group: below } = await scene.group({ parent: group, owner: scene.root })
  const provider = await providerFrom(scene.root, group)
  await settings({ scim_accounts_per_group: 3 })

  const answers = await Promise.all(Array.from({ length: 8 }, () => provider.create()))

  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, 403, 403, 403, 403, 403])
  const { total } = await scene.deps.database.db
    .selectFrom('provisioned_users')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('group_id', 'in', [group.id, below.id])
    .executeTakeFirstOrThrow()
  assert.equal(total, 3)
})

test('an account that was deleted makes room for another one, and a higher limit does', async () => {
  const { group } = await scene.group()
  const provider = await providerFrom(scene.root, group)
  await settings({ scim_accounts_per_group: 2 })
  assert.deepEqual(await statuses(3, provider.create), [201, 201, 403])

  const { user_id } = await scene.deps.database.db
    .selectFrom('provisioned_users')
    .select('user_id')
    .where('top_group_id', '=', group.id)
    .orderBy('user_id')
    .executeTakeFirstOrThrow()
  assert.equal((await scene.root.delete(`/users/${user_id}`, { hard_delete: true })).status, 204)
  assert.deepEqual(await statuses(2, provider.create), [201, 403])
  await settings({ scim_accounts_per_group: 3 })
  assert.deepEqual(await statuses(2, provider.create), [201, 403])
  // A lower one holds for what is there.
  await settings({ scim_accounts_per_group: 1 })
  assert.deepEqual(await statuses(1, provider.create), [403])
})

test('making an account counts no others, however many there are', async () => {
  const { group } = await scene.group()
  const provider = await providerFrom(scene.root, group)
  assert.equal((await provider.create()).status, 201)

  const { statements } = await recordStatements(() => provider.create())
  assert.deepEqual(
    statements.filter(statement => /count\(\*\).*provisioned_users/s.test(statement)),
    [],
  )
})

test('accounts get addresses of the domains on the list, when they are made and later', async () => {
  const { group } = await scene.group()
  const provider = await providerFrom(scene.root, group)
  await settings({ scim_email_domains: ['corp.example'] })

  const other = await provider.create(withEmail('ida@evil.example'))
  assert.deepEqual([other.status, other.body.scimType], [400, 'invalidValue'])
  assert.equal((await provider.create(withEmail('ida@corp.example.evil.example'))).status, 400)
  const made = await provider.create(withEmail('Ida.Rules@CORP.example'))
  assert.equal(made.status, 201)
  const path = 'emails[type eq "work"].value'
  assert.equal((await provider.change(made.body.id, { op: 'Replace', path, value: 'ida@evil.example' })).status, 400)
  assert.equal((await provider.change(made.body.id, { op: 'Replace', path, value: 'ida.two@corp.example' })).status, 204)
})

test('users who have an account are not added unless the setting says so', async () => {
  const { group } = await scene.group()
  const provider = await providerFrom(scene.root, group)
  const [stranger, member] = [await scene.user(), await scene.user()]
  await scene.root.post(`${group.url}/members`, { user_id: member.id, access_level: 10 })
  const isMember = async (person: Person) => (await person.get(`${group.url}`)).status === 200

  assert.equal((await provider.create(withEmail(stranger.email))).status, 409)
  assert.equal(await isMember(stranger), false)
  assert.equal((await provider.create(withEmail(member.email))).status, 201, 'a member is linked')
  await settings({ scim_existing_users: 'refused' })
  assert.equal((await provider.create(withEmail(stranger.email))).status, 409)
  await settings({ scim_existing_users: 'verified' })
  assert.equal((await provider.create(withEmail(stranger.email))).status, 201)
  assert.equal(await isMember(stranger), true)
})

const statuses = async (count: number, create: () => Promise<{ status: number }>) => {
  const found: number[] = []
  for (let n = 0; n < count; n++) found.push((await create()).status)
  return found
}

/** Deletes a group, to the last row. */
async function deleted(person: Person, group: { readonly id: number; readonly url: string }) {
  assert.equal((await person.delete(group.url)).status, 204)
  await finishGroupRemoval(scene.deps, { group_id: group.id })
}

test('accounts made in a subgroup count for the top-level group after the subgroup is deleted or moved away', async () => {
  const { group, owner } = await scene.group()
  const provider = await providerFrom(scene.root, group)
  await settings({ scim_accounts_per_group: 3 })
  for (const leave of ['delete', 'transfer'] as const) {
    const { group: below } = await scene.group({ parent: group, owner })
    const token = (await scene.root.post(`${group.url}/scim_token`)).body.token
    const client = scene.as({ authorization: `Bearer ${token}` })
    const users = `${scene.url}/api/scim/v2/groups/${encodeURIComponent(below.full_path)}/Users`
    assert.equal((await client.post(users, scimUser(), { 'content-type': 'application/scim+json' })).status, 201)
    if (leave === 'delete') await deleted(owner, below)
    else assert.equal((await owner.post(`${below.url}/transfer`)).status, 201)
  }
  assert.equal((await provider.create()).status, 401, 'its token was replaced')
  assert.deepEqual(await statuses(3, (await providerFrom(scene.root, group)).create), [201, 403, 403])
})

test('accounts count for the owner who turned SCIM on, whichever groups they make and delete, and for nobody where an administrator did', async () => {
  await settings({ scim_provisioning: 'owners', scim_accounts_per_owner: 3 })
  const owner = await scene.user()
  const groupOf = (person: Person) => scene.group({ owner: person })
  const { group: first } = await groupOf(owner)
  assert.deepEqual(await statuses(2, (await providerFrom(owner, first)).create), [201, 201])
  await deleted(owner, first)

  const { group: second } = await groupOf(owner)
  const { group: third } = await groupOf(owner)
  const providers = [await providerFrom(owner, second), await providerFrom(owner, third)]
  const concurrent = await Promise.all(providers.flatMap(({ create }) => [create(), create()]))
  assert.deepEqual(concurrent.map(({ status }) => status).sort(), [201, 403, 403, 403])
  const made = concurrent.find(({ status }) => status === 201)!.body

  // What was made by SCIM has no count of its own.
  const { user_id } = await scene.deps.database.db
    .selectFrom('scim_identities')
    .select('user_id')
    .where('extern_uid', '=', made.id)
    .executeTakeFirstOrThrow()
  const asMade = scene.as({
    'private-token': (await scene.root.post(`/users/${user_id}/personal_access_tokens`, { name: 'x', scopes: ['api'] })).body.token,
  })
  const { body: fourth } = await asMade.post('/groups', { name: 'Fourth', path: `fourth-${user_id}` })
  const { token } = (await asMade.post(`/groups/${fourth.id}/scim_token`)).body
  const users = `${scene.url}/api/scim/v2/groups/${fourth.full_path}/Users`
  const ofMade = await scene.as({ authorization: `Bearer ${token}` }).post(users, scimUser(), { 'content-type': 'application/scim+json' })
  assert.deepEqual([ofMade.status, /3 is the limit/.test(ofMade.body.detail)], [403, true])

  assert.deepEqual(await statuses(2, (await providerFrom(scene.root, second)).create), [201, 201])
  assert.equal((await (await providerFrom(await scene.user({ admin: true }), third)).create()).status, 201)
})

test('no account is made for an owner who has left, is blocked or deleted, until another owner renews the token; others are still managed', async () => {
  await settings({ scim_provisioning: 'owners' })
  for (const end of ['block', 'leave', 'delete'] as const) {
    const { group, owner } = await scene.group()
    const other = await scene.user()
    await scene.root.post(`${group.url}/members`, { user_id: other.id, access_level: 50 })
    const provider = await providerFrom(owner, group)
    const { body: made, status } = await provider.create()
    assert.equal(status, 201, end)

    if (end === 'block') assert.equal((await scene.root.post(`/users/${owner.id}/block`)).status, 201)
    if (end === 'leave') assert.equal((await scene.root.delete(`${group.url}/members/${owner.id}`)).status, 204)
    if (end === 'delete') assert.equal((await scene.root.delete(`/users/${owner.id}`)).status, 204)

    assert.equal((await provider.create()).status, 403, end)
    assert.equal((await provider.change(made.id, { op: 'Replace', path: 'active', value: false })).status, 204, end)
    assert.equal((await (await providerFrom(other, group)).create()).status, 201, end)
  }
})

test('who made the token and has left gives nobody a role with it, and takes no account over, however SCIM was turned on', async () => {
  await settings({ scim_provisioning: 'owners', scim_existing_users: 'verified' })
  for (const end of ['demote', 'leave', 'block', 'administrator no more'] as const)
    for (const turnedOnBy of ['owner', 'administrator'] as const) {
      const { group, owner } = await scene.group()
      const [other, accomplice] = [await scene.user(), await scene.user()]
      await scene.root.post(`${group.url}/members`, { user_id: other.id, access_level: 50 })
      const issuer = end === 'administrator no more' ? await scene.user({ admin: true }) : owner
      if (turnedOnBy === 'administrator') await providerFrom(scene.root, group)
      const provider = await providerFrom(issuer, group, 50)
      const [kept, off] = [(await provider.create()).body, (await provider.create()).body]
      const setActive = (id: string, value: boolean) => provider.change(id, { op: 'Replace', path: 'active', value })
      assert.equal((await setActive(off.id, false)).status, 204)

      const member = `${group.url}/members/${issuer.id}`
      if (end === 'demote') assert.equal((await other.put(member, { access_level: 10 })).status, 200)
      if (end === 'leave') assert.equal((await other.delete(member)).status, 204)
      if (end === 'block') assert.equal((await scene.root.post(`/users/${issuer.id}/block`)).status, 201)
      if (end === 'administrator no more') assert.equal((await scene.root.put(`/users/${issuer.id}`, { admin: false })).status, 200)

      const refusals = {
        'an account is made': await provider.create(),
        'they come back': await provider.create(withEmail(issuer.email)),
        'another is let in': await provider.create(withEmail(accomplice.email)),
        'a member comes back': await setActive(off.id, true),
        'an account gets their address': await provider.change(kept.id, {
          op: 'Replace',
          path: 'emails[type eq "work"].value',
          value: 'x@y.example',
        }),
        'an account gets another identity': await provider.change(kept.id, { op: 'Replace', path: 'externalId', value: 'another' }),
        'both together': await provider.change(kept.id, { op: 'Replace', value: { active: false, externalId: 'another' } }),
      }
      for (const [what, { status }] of Object.entries(refusals)) assert.equal(status, 403, `${end}, on by ${turnedOnBy}: ${what}`)
      assert.equal((await scene.root.get(`${group.url}/members/${accomplice.id}`)).status, 404)
      assert.equal((await setActive(kept.id, false)).status, 204, 'people who leave are still switched off')
      assert.equal((await (await providerFrom(other, group)).create()).status, 201)
    }
})

test('a token of a group does not turn on its SCIM: nobody would answer for the accounts', async () => {
  await settings({ scim_provisioning: 'owners' })
  const { group, owner } = await scene.group()
  const { token } = (await owner.post(`${group.url}/access_tokens`, { name: 'x', scopes: ['api'], access_level: 50 })).body
  const bot = scene.as({ 'private-token': token })
  assert.equal((await bot.get(group.url)).status, 200)
  assert.equal((await bot.post(`${group.url}/scim_token`)).status, 403)
})
