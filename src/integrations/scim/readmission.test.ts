/** Users with an account of their own whom a group's provider has linked before: they come back by the rule for such accounts alone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person } from '../../../test/scene.ts'
import { errorOf, openProvider, type Provider, scimUser } from './scene.ts'

const scene = await openScene()

const setRule = (scim_existing_users: string) => scene.root.put('/application/settings', { scim_existing_users })

const active = (value: boolean) => ({ op: 'replace', path: 'active', value })

const conflict = {
  status: 409,
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status_text: '409',
  scimType: 'uniqueness',
}

test('a user who has left the group is not put back against the rule, and one of its members is reactivated', async () => {
  const provider = await openProvider(scene)
  const { group, owner } = provider
  const isMember = async ({ id }: Person) => (await owner.get(`${group.url}/members/${id}`)).status === 200
  const link = async (to: Provider, person: Person) => {
    const sent = scimUser({ emails: [{ primary: true, value: person.email }] })
    assert.equal((await to.post(sent)).status, 201)
    return sent
  }
  const [left, stays] = [await scene.user(), await scene.user()]
  const [sent, sentOfMember] = [await link(provider, left), await link(provider, stays)]
  const made = scimUser()
  assert.equal((await provider.post(made)).status, 201)
  assert.equal((await left.delete(`${group.url}/members/${left.id}`)).status, 204)
  for (const { externalId } of [sent, sentOfMember, made]) assert.equal((await provider.change(externalId, active(false))).status, 204)

  for (const rule of ['members', 'refused']) {
    await setRule(rule)
    assert.deepEqual(errorOf(await provider.change(sent.externalId, active(true))), conflict)
    assert.deepEqual(errorOf(await provider.post(sent)), conflict)
    assert.equal(await isMember(left), false)
    assert.equal((await provider.get(`/Users/${sent.externalId}`)).status, 404, 'the record stays inactive')
  }
  assert.equal((await provider.change(sentOfMember.externalId, active(true))).status, 204)
  assert.equal(await isMember(stays), true)
  const account = (await scene.root.get('/users', { search: made.emails[0]?.value })).body[0]
  assert.equal((await owner.delete(`${group.url}/members/${account.id}`)).status, 204)
  assert.equal((await provider.change(made.externalId, active(true))).status, 204, 'the provider made this account')
  assert.equal(await isMember(account), true)

  await setRule('verified')
  assert.equal((await provider.post(sent)).status, 201)
  assert.equal(await isMember(left), true)
})
