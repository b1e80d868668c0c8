import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { isDomainIn } from './domains.ts'

const scene = await openScene({ settings: { rateLimit: 'sign_in=40' } })

const password = 'a very long pass phrase'
const address = (path: string) => `${scene.url}${path}`
const signUp = (fields: Record<string, string> = {}) =>
  scene.anonymous.post(
    address('/users/sign_up'),
    new URLSearchParams({ name: 'Nia New', username: 'nia', email: 'nia@example.com', password, ...fields }),
  )
const signIn = (login: string) => scene.anonymous.post(address('/users/sign_in'), new URLSearchParams({ login, password }))
const set = (settings: Record<string, unknown>) => scene.root.put('/application/settings', settings)

test('an account waits for an approval, which confirms its address, and can then be used', async () => {
  const form = await scene.anonymous.get(address('/users/sign_up'))
  assert.match(form.body, /An administrator approves new accounts/)
  assert.match((await scene.anonymous.get(address('/users/sign_in'))).body, /href="\/users\/sign_up"/)

  const made = await signUp()
  assert.equal(made.status, 303)
  assert.equal(made.headers.location, '/users/sign_in')
  assert.match((await signIn('nia')).body, /approv/)
  const [user] = (await scene.root.get('/users', { username: 'nia' })).body
  assert.equal(user.state, 'blocked_pending_approval')
  assert.equal(user.confirmed_at, null)
  assert.equal(user.is_admin, false)

  assert.equal((await scene.root.post(`/users/${user.id}/approve`)).status, 201)
  assert.equal((await signIn('nia')).status, 303)
  const approved = (await scene.root.get(`/users/${user.id}`)).body
  assert.equal(approved.state, 'active')
  assert.notEqual(approved.confirmed_at, null)
})

test('an address that waits with an account is nobody’s: who confirms it has it, and the account cannot be approved with it', async () => {
  const owner = await scene.user()
  const [added, changed, created, second] = [
    'added@owned.example',
    'changed@owned.example',
    'created@owned.example',
    'second@owned.example',
  ] as const
  for (const [index, email] of [added, changed, created, second].entries())
    assert.equal((await signUp({ username: `squatter${index}`, email })).status, 303)

  assert.equal((await owner.post('/user/emails', { email: added })).status, 201, 'unconfirmed, as anybody may')
  const other = await scene.user()
  assert.equal((await scene.root.post(`/users/${other.id}/emails`, { email: added, skip_confirmation: true })).status, 201)
  assert.equal((await scene.root.put(`/users/${owner.id}`, { email: changed })).status, 200)
  const made = { name: 'Own', username: 'own', email: created, password, skip_confirmation: true }
  assert.equal((await scene.root.post('/users', made)).status, 201)
  assert.equal((await signUp({ username: 'rightful', email: second })).status, 303)

  const idOf = async (username: string) => (await scene.root.get('/users', { username })).body[0].id
  assert.equal((await scene.root.post(`/users/${await idOf('rightful')}/approve`)).status, 201)
  for (const squatter of ['squatter0', 'squatter1', 'squatter2', 'squatter3']) {
    assert.equal((await scene.root.post(`/users/${await idOf(squatter)}/approve`)).status, 409, squatter)
    assert.equal((await scene.root.get(`/users/${await idOf(squatter)}`)).body.state, 'blocked_pending_approval')
    assert.equal((await scene.root.put(`/users/${await idOf(squatter)}`, { skip_reconfirmation: true })).status, 409, squatter)
  }
  assert.equal((await signIn(created)).status, 303, 'the confirmed account signs in under the address')
})

test('what cannot be taken is said at its field, and what was typed is kept', async () => {
  await scene.root.post('/users', { name: 'Taken', username: 'taken', email: 'taken@example.com', password })
  for (const [fields, said] of [
    [{ username: 'taken', email: 'nora@example.com' }, /id="field-username-wrong">Username has already been taken/],
    [{ username: 'nora', email: 'taken@example.com' }, /id="field-email-wrong">Email has already been taken/],
    [{ username: 'nora', email: 'nobody' }, /id="field-email-wrong">Email is invalid/],
    [{ username: 'nora', email: 'nora@example.com', password: 'short' }, /id="field-password-wrong">Password /],
    [{ username: 'admin', email: 'nora@example.com' }, /id="field-username-wrong">Username /],
  ] as const) {
    const refused = await signUp(fields)
    assert.equal(refused.status, 422, JSON.stringify(fields))
    assert.match(refused.body, said)
    assert.match(refused.body, /value="Nia New"/)
    assert.ok(!refused.body.includes(password), 'a password is not sent back')
  }
  // Attributes that the form does not have are not taken from it.
  await signUp({ username: 'mallory', email: 'mallory@example.com', admin: 'true', state: 'active', confirmed: 'true' })
  const [mallory] = (await scene.root.get('/users', { username: 'mallory' })).body
  assert.deepEqual([mallory?.is_admin ?? false, mallory?.state ?? 'blocked_pending_approval'], [false, 'blocked_pending_approval'])
})

test('the instance says who may sign up', async () => {
  assert.equal((await set({ require_admin_approval_after_user_signup: false })).status, 200)
  assert.equal((await signUp({ username: 'otto', email: 'otto@example.com' })).status, 303)
  assert.equal((await signIn('otto')).status, 303)

  await set({ domain_allowlist: 'example.com,*.example.org' })
  assert.match((await signUp({ username: 'paul', email: 'paul@example.net' })).body, /of a domain that this server does not take/)
  assert.equal((await signUp({ username: 'paul', email: 'paul@mail.example.org' })).status, 303)
  await set({ domain_allowlist: '', domain_denylist: 'example.com', domain_denylist_enabled: true })
  assert.equal((await signUp({ username: 'quin', email: 'quin@EXAMPLE.com' })).status, 422)

  await set({ signup_enabled: false, domain_denylist_enabled: false })
  assert.equal((await scene.anonymous.get(address('/users/sign_up'))).status, 404)
  assert.equal((await signUp({ username: 'rita', email: 'rita@example.com' })).status, 404)
  assert.deepEqual((await scene.root.get('/users', { username: 'rita' })).body, [])
  assert.doesNotMatch((await scene.anonymous.get(address('/users/sign_in'))).body, /sign_up/)
  await set({ signup_enabled: true, require_admin_approval_after_user_signup: true })
})

test('one address makes so many accounts in a minute', async () => {
  let last = await signUp({ username: 'n0', email: 'n0@example.com' })
  for (let number = 1; last.status === 303 && number < 60; number++)
    last = await signUp({ username: `n${number}`, email: `n${number}@example.com` })
  assert.equal(last.status, 429)
  assert.ok(Number(last.headers['retry-after']) > 0)
})

test('domains are compared with their wildcards', () => {
  for (const [list, domain, isIn] of [
    [['example.com'], 'Example.COM', true],
    [['example.com'], 'mail.example.com', false],
    [['*.example.com'], 'mail.example.com', true],
    [['*.example.com'], 'example.com', false],
    [['a*b*c'], 'a-b-c', true],
    [['a*b*c'], 'ac', false],
    [['ab*ba'], 'aba', false],
    [['*'], 'anything', true],
    [[], 'anything', false],
    [['bücher.example'], 'xn--bcher-kva.example', true],
    [['*.xn--bcher-kva.example'], 'mail.BÜCHER.example', true],
  ] as const)
    assert.equal(isDomainIn(list, domain), isIn, `${list} ${domain}`)
})
