/** The SAML provider of a group: its settings, signing in by it, and members who have to. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type SceneGroup } from '../../../test/scene.ts'
import { oauthScene, password } from '../../identity/oauth/scene.ts'
import { Browser } from '../../identity/providers/kinds/scene.ts'
import { openSamlProvider, type SamlProvider } from '../../identity/saml/scene.ts'
import { groupSamlScene } from './scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const { company, providerOf, signedIn, signOn } = groupSamlScene(scene)

const levelOf = async (group: SceneGroup, id: unknown) => (await scene.root.get(`${group.url}/members/${id}`)).body.access_level

test('an owner sets a provider up on the page, which says what the provider has to know', async () => {
  const owner = await surfer({ admin: true })
  const { group } = await scene.group({ owner: owner.person })
  const idp = await openSamlProvider({} as SamlProvider['people'])
  const page = `/groups/${group.full_path}/-/saml`
  assert.match((await owner.get(page)).body, /No SAML provider/)
  const wrong = await owner.submit(`${page}/edit`, { issuer: idp.issuer, sso_url: idp.ssoUrl, certificate: 'none' })
  assert.match(wrong.body, /must be a certificate as PEM/)

  const saved = await owner.submit(`${page}/edit`, {
    issuer: idp.issuer,
    sso_url: idp.ssoUrl,
    certificate: idp.pair.certificate,
    default_membership_role: '30',
    enabled: 'true',
    enforced: 'true',
  })

  assert.equal(saved.status, 303)
  const shown = (await owner.get(page)).body
  assert.match(shown, /users\/auth\/group_saml\.[0-9a-f]{24}\/callback/)
  assert.match(shown, /Developer/)
  assert.match(shown, /Always in the browser/)
  const entries = (await owner.person.get(`${group.url}/audit_events`)).body
  assert.ok(entries.some((one: { details: { custom_message?: string } }) => one.details.custom_message === 'SAML provider set up'))
  assert.equal((await owner.submit(`${page}/remove`, {})).status, 303)
  assert.match((await owner.get(page)).body, /No SAML provider/)
  const { group: below } = await scene.group({ owner: owner.person, parent: group })
  const inner = { issuer: 'a', sso_url: idp.ssoUrl, certificate: idp.pair.certificate }
  assert.equal((await owner.person.put(`${below.url}/saml_provider`, inner)).status, 400)
})

test('a person with an account links it, is a member from then on, and no more once they unlink it', async () => {
  const made = await company({ default_membership_role: 20 })
  const person = await scene.user({ password })
  const browser = await signedIn(person)

  const answer = await signOn(browser, made, 'ada')

  assert.equal(answer.headers.location, `/${made.group.full_path}`)
  assert.equal(await levelOf(made.group, person.id), 20)
  const identities = async () => (await scene.root.get(`/users/${person.id}`)).body.identities
  assert.deepEqual(await identities(), [{ provider: 'group_saml', extern_uid: 'ada', saml_provider_id: made.provider.id }])
  // Another account cannot take the same person's place.
  const other = await scene.user({ password })
  await signOn(await signedIn(other), made, 'ada')
  assert.equal(await levelOf(made.group, other.id), undefined)
  assert.equal((await person.delete(`/user/identities/${made.name}`)).status, 204)
  assert.deepEqual(await identities(), [])
  assert.equal(await levelOf(made.group, person.id), undefined)
})

test('the provider of a group opens the accounts that its SCIM has made, and no others', async () => {
  const made = await company()
  const { body: scim } = await scene.root.post(`${made.group.url}/scim_token`, { default_membership_role: 30 })
  const machine = scene.as({ authorization: `Bearer ${scim.token}`, 'content-type': 'application/scim+json' })
  const { body: added, status } = await machine.post(`${scim.scim_url}/Users`, {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    externalId: 'ben',
    userName: `ben.${made.group.path}`,
    name: { formatted: 'Ben' },
    emails: [{ type: 'work', value: `ben@${made.group.path}.example`, primary: true }],
    active: true,
  })
  assert.equal(status, 201)
  const [user] = (await scene.root.get('/users', { username: added.userName })).body

  assert.match((await signOn(new Browser(scene), made, 'ben')).body, /confirm your email address/)
  const { db } = scene.deps.database
  await db.updateTable('users').set({ confirmed_at: new Date() }).where('id', '=', user.id).execute()

  const browser = new Browser(scene)
  const { body: said } = await signOn(browser, made, 'ben')

  assert.equal((await browser.user()).id, user.id, said)
  assert.equal(await levelOf(made.group, user.id), 30)
  // The account of another person, linked or not, is never opened by the provider of a group.
  const person = await scene.user({ password })
  await signOn(await signedIn(person), made, 'ada')
  const thief = new Browser(scene)
  assert.match((await signOn(thief, made, 'ada')).body, /Sign in to your account first/)
  assert.equal((await thief.user()).id, undefined)
  // Who is deactivated by SCIM does not come in again; who is removed has no role either.
  const gone = await machine.patch(`${scim.scim_url}/Users/ben`, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'replace', path: 'active', value: false }],
  })
  assert.ok(gone.status === 200 || gone.status === 204)
  assert.equal((await browser.user()).id, undefined, 'the session that the provider began has ended')
  assert.equal(await levelOf(made.group, user.id), 30, 'the membership stays (document 1, SCIM)')
  const late = new Browser(scene)
  assert.match((await signOn(late, made, 'ben')).body, /Sign in to your account first/)
  assert.equal((await late.user()).id, undefined)
  await machine.patch(`${scim.scim_url}/Users/ben`, { Operations: [{ op: 'replace', path: 'active', value: true }] })
  assert.equal((await machine.delete(`${scim.scim_url}/Users/ben`)).status, 204)
  assert.equal(await levelOf(made.group, user.id), undefined)
})

test('the owner of a subgroup that moved to the top signs in as nobody whom the group above has made there, also once it is back', async () => {
  const { group: above } = await scene.group({ visibility: 'private' })
  const owner = await scene.user({ password })
  const { group } = await scene.group({ parent: above, owner: scene.root, visibility: 'private' })
  assert.equal((await scene.root.post(`${group.url}/members`, { user_id: owner.id, access_level: 50 })).status, 201)
  const { body: scim } = await scene.root.post(`${above.url}/scim_token`, {})
  const machine = scene.as({ authorization: `Bearer ${scim.token}`, 'content-type': 'application/scim+json' })
  const { body: added } = await machine.post(`${scene.url}/api/scim/v2/groups/${group.full_path}/Users`, {
    externalId: 'ben',
    userName: `ben.${group.path}`,
    name: { formatted: 'Ben' },
    emails: [{ type: 'work', value: `ben@${group.path}.example`, primary: true }],
  })
  const [user] = (await scene.root.get('/users', { username: added.userName })).body
  await scene.deps.database.db.updateTable('users').set({ confirmed_at: new Date() }).where('id', '=', user.id).execute()
  const moved = async (by: typeof owner, to: object) => {
    const { status, body } = await by.post(`${group.url}/transfer`, to)
    assert.equal(status, 201)
    return { ...group, full_path: body.full_path as string }
  }

  const made = await providerOf(owner, await moved(owner, {}))

  const signsInAsNobody = async (place: SceneGroup) => {
    const browser = new Browser(scene)
    assert.match((await signOn(browser, { ...made, group: place }, 'ben')).body, /Sign in to your account first/)
    assert.equal((await browser.user()).id, undefined)
  }
  await signsInAsNobody(made.group)
  await signsInAsNobody(await moved(scene.root, { group_id: above.id }))
})

test('SCIM that takes out a person with an account of their own ends what they have by the provider, and nothing else', async () => {
  const made = await company({ enforced: true, default_membership_role: 30 })
  await scene.root.put('/application/settings', { scim_existing_users: 'verified' })
  const { body: scim } = await scene.root.post(`${made.group.url}/scim_token`, {})
  const machine = scene.as({ authorization: `Bearer ${scim.token}`, 'content-type': 'application/scim+json' })
  const person = await scene.user({ password })
  const browser = await signedIn(person)
  await signOn(browser, made, 'ada')
  const emails = [{ type: 'work', value: person.email, primary: true }]
  const added = await machine.post(`${scim.scim_url}/Users`, { externalId: 'ada', userName: 'ada', name: { formatted: 'Ada' }, emails })
  assert.equal(added.status, 201)
  const page = `/${made.group.full_path}`
  assert.equal((await browser.get(page)).status, 200)
  const identities = async () => (await scene.root.get(`/users/${person.id}`)).body.identities

  const Operations = [{ op: 'replace', path: 'active', value: false }]
  assert.equal((await machine.patch(`${scim.scim_url}/Users/ada`, { Operations })).status, 204)

  assert.equal((await browser.user()).id, person.id, 'the session was begun by a password')
  assert.equal((await browser.get(page)).status, 302, 'it has signed in to the group no more')
  assert.deepEqual(await identities(), [])
  assert.equal(await levelOf(made.group, person.id), 30)
  await signOn(browser, made, 'ada')
  assert.equal((await browser.get(page)).status, 200, 'the provider decides who comes back')
  await machine.patch(`${scim.scim_url}/Users/ada`, { Operations: [{ op: 'replace', path: 'active', value: true }] })
  assert.equal((await machine.delete(`${scim.scim_url}/Users/ada`)).status, 204)
  assert.deepEqual(await identities(), [])
  assert.equal(await levelOf(made.group, person.id), undefined)
  assert.equal((await browser.get(page)).status, 404)
})

test('the assertions of one group are none in another, and who has no token finds no provider', async () => {
  const [one, other] = [await company(), await company()]
  const browser = await signedIn(await scene.user({ password }))
  const left = await browser.send(
    `/groups/${one.group.full_path}/-/saml/sso?token=${one.name}`,
    `/groups/${one.group.full_path}/-/saml/sso?token=${one.name}`,
  )
  const [, address = ''] = /^0; url=(.+)$/.exec(left.headers.refresh ?? '') ?? []
  const sent = await one.idp.answer(new URL(address), 'ada')

  const answer = await browser.post(`/users/auth/${other.name}/callback`, { ...sent })

  assert.match(answer.body, /has sent an answer that cannot be used/)
  for (const token of ['', `?token=${other.name}`])
    assert.equal((await scene.anonymous.get(`${scene.url}/groups/${one.group.full_path}/-/saml/sso${token}`)).status, 404, token)
})

test('members reach a group that asks for it by a session that has signed in, tokens go on, and owners do without', async () => {
  const made = await company({ enforced: true, default_membership_role: 30 })
  const { group, owner, name } = made
  const { project } = await scene.project({ group })
  const person = await scene.user({ password })
  await scene.root.post(`${group.url}/members`, { user_id: person.id, access_level: 30 })
  const browser = await signedIn(person)
  const pages = [
    `/${group.full_path}`,
    `/groups/${group.full_path}/-/group_members`,
    `/${project.full_path}`,
    `/${project.full_path}/-/issues`,
  ]

  for (const page of pages) {
    const { status, headers } = await browser.get(page)
    assert.equal(status, 302, page)
    assert.match(headers.location ?? '', new RegExp(`^/groups/${group.full_path}/-/saml/sso\\?redirect=`))
  }
  assert.equal((await browser.get(`${scene.url}/api/v4/projects/${project.id}`)).status, 403)
  assert.equal((await person.get(project.url)).status, 200)
  assert.equal((await (await signedIn(owner)).get(`/${group.full_path}`)).status, 200)
  await signOn(browser, made, 'ada')
  for (const page of pages) assert.equal((await browser.get(page)).status, 200, page)

  const { db } = scene.deps.database
  await db
    .updateTable('session_sign_ons')
    .set({ signed_on_at: new Date(Date.now() - 25 * 3600_000) })
    .execute()
  assert.equal((await browser.get(`/${group.full_path}`)).status, 302, 'a day later')
  await owner.put(`${group.url}/saml_provider`, {
    issuer: made.idp.issuer,
    sso_url: made.idp.ssoUrl,
    certificate: made.idp.pair.certificate,
    enforced: false,
  })
  assert.equal((await browser.get(`/${group.full_path}`)).status, 200, name)
})
