/** A confirmation is asked for before what is dangerous: the password, a code of the app or a passkey. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../../test/client.ts'
import { openScene } from '../../../test/scene.ts'
import { password, type Surfer } from '../../identity/oauth/scene.ts'
import { twoFactorScene } from '../../identity/two_factor/scene.ts'
import { authenticatorFor, optionsOn } from '../../identity/two_factor/webauthn/scene.ts'
import { TOKENS_PAGE } from './tokens_view.ts'

const scene = await openScene()
const { surfer, guarded } = twoFactorScene(scene)
const { db } = scene.deps.database

/** Makes the last password of a person this old. */
async function confirmedAgo({ person }: Surfer, minutes: number): Promise<void> {
  const confirmed_at = new Date(Date.now() - minutes * 60_000)
  await db.updateTable('sessions').set({ confirmed_at }).where('user_id', '=', person.id).execute()
}

/** The hidden fields of the form that is shown. */
const hidden = ({ body }: Answer): Record<string, string> =>
  Object.fromEntries([...body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(([, name, value]) => [name, value]))

const tokensOf = async ({ person }: Surfer): Promise<string[]> =>
  (await scene.root.get('/personal_access_tokens', { user_id: person.id })).body.map(({ name }: { name: string }) => name)

const messagesOf = async ({ person }: Surfer): Promise<unknown[]> =>
  (await scene.root.get('/audit_events', { entity_type: 'User', entity_id: person.id })).body.map(
    ({ details }: { details: { custom_message?: string; failed_login?: string } }) => details.custom_message ?? details.failed_login,
  )

const form = { name: '<b>"backup"</b>', 'scopes[]': 'read_api', expires_at: '2999-12-31' }

test('a form that is dangerous asks for the password, keeps what was typed, and is carried out', async () => {
  const one = await surfer()
  await confirmedAgo(one, 61)

  const asked = await one.submit(TOKENS_PAGE, form)

  assert.equal(asked.status, 403)
  assert.match(asked.body, /Confirm that it is you/)
  assert.match(asked.body, new RegExp(`action="${TOKENS_PAGE}"`))
  const { authenticity_token, ...kept } = hidden(asked)
  assert.deepEqual(kept, { name: '&lt;b&gt;&quot;backup&quot;&lt;/b&gt;', 'scopes[]': 'read_api', expires_at: '2999-12-31' })
  assert.ok(authenticity_token)
  assert.ok(!(await tokensOf(one)).includes(form.name))

  const wrong = await one.submit(TOKENS_PAGE, { ...form, confirmation_password: 'not this one' })
  assert.equal(wrong.status, 403)
  assert.match(wrong.body, /The password is wrong/)
  assert.equal(hidden(wrong).name, kept.name)
  assert.ok(!wrong.body.includes('not this one'))

  const confirmed = await one.submit(TOKENS_PAGE, { ...form, confirmation_password: password })
  assert.deepEqual([confirmed.status, confirmed.headers.location], [307, TOKENS_PAGE])
  assert.equal((await one.submit(TOKENS_PAGE, { ...form, confirmation_password: password })).status, 200)
  assert.ok((await tokensOf(one)).includes(form.name))
  assert.deepEqual((await messagesOf(one)).filter(said => said === 'Confirmed the password' || said === 'confirmation').toSorted(), [
    'Confirmed the password',
    'confirmation',
  ])

  await confirmedAgo(one, 59)
  assert.equal((await one.submit(TOKENS_PAGE, form)).status, 200, 'it counts for an hour')
})

test('mistakes are shown before a password is asked for, and a forged form never is', async () => {
  const one = await surfer()
  await confirmedAgo(one, 61)
  assert.equal((await one.submit('/-/profile/keys/new', { title: 'Laptop' })).status, 422)
  const forged = await one.submit(TOKENS_PAGE, { ...form, authenticity_token: 'x', confirmation_password: password })
  assert.equal(forged.status, 403)
  assert.doesNotMatch(forged.body, /Confirm that it is you/)
  assert.equal((await one.submit(`${TOKENS_PAGE}/1/revoke`, {})).status, 404, 'a token of another user is not there')
})

test('a program with a token is not asked, and neither is a form that is harmless', async () => {
  const one = await surfer()
  await confirmedAgo(one, 61)
  const by = scene.as({ 'private-token': one.person.token })
  assert.equal((await by.post('/user/emails', { email: `more-${one.person.id}@example.com` })).status, 201)
  assert.equal((await one.submit('/-/profile', { name: 'Another Name' })).status, 303)
})

test('a session does not get around the question by the API', async () => {
  const one = await surfer()
  const { authenticity_token: token } = hidden(await one.get('/-/profile/keys/new'))
  const add = (email: string) => one.client.post(`${scene.url}/api/v4/user/emails`, { email }, { 'x-csrf-token': token as string })
  await confirmedAgo(one, 61)
  const refused = await add(`around-${one.person.id}@example.com`)
  assert.deepEqual([refused.status, refused.body], [403, { message: '403 Forbidden - Confirm first that it is you' }])
  assert.equal((await one.client.get(`${scene.url}/api/v4/user`)).status, 200)
  await confirmedAgo(one, 59)
  assert.equal((await add(`around-${one.person.id}@example.com`)).status, 201)
})

test('an administrator who acts as another user gives their own password', async () => {
  const [admin, other] = [await surfer({ admin: true }), await surfer()]
  await confirmedAgo(admin, 61)
  const act = `/admin/users/${other.person.id}/impersonate`
  assert.match((await admin.submit(act, {})).body, /Confirm that it is you/)
  await db.updateTable('users').set({ password_digest: null }).where('id', '=', other.person.id).execute()
  assert.equal((await admin.submit(act, { confirmation_password: password })).status, 307)
  assert.equal((await admin.submit(act, {})).status, 303)
  const authenticity_token = hidden(await admin.get('/explore')).authenticity_token as string

  await confirmedAgo(admin, 61)
  const email = { email: `other-${other.person.id}@example.com` }
  // No credential is made while one acts as another user, but an address can be removed.
  const { body } = await scene.root.post(`/users/${other.person.id}/emails`, { ...email, skip_confirmation: true })
  const removal = `/-/profile/emails/${body.id}/remove`
  const asked = await admin.submit(removal, { authenticity_token })
  assert.match(asked.body, /id="confirmation-password"/)
  assert.equal((await admin.submit(removal, { authenticity_token, confirmation_password: password })).status, 307)
  assert.equal((await admin.submit(removal, { authenticity_token })).status, 303)
})

/** What companies sign in has no password here. */
const takePassword = ({ person }: Surfer) => db.updateTable('users').set({ password_digest: null }).where('id', '=', person.id).execute()

test('an account without anything to confirm with learns how to go on', async () => {
  const one = await surfer()
  await confirmedAgo(one, 61)
  await takePassword(one)
  const asked = await one.submit(TOKENS_PAGE, { ...form, confirmation_password: '' })
  assert.equal(asked.status, 403)
  assert.match(asked.body, /your account has none/)
  assert.ok(!asked.body.includes('confirmation-password'))
  for (const name of ['confirmation_password', 'confirmation_code', 'confirmation_key'])
    assert.equal((await one.submit(TOKENS_PAGE, { ...form, [name]: '123456' })).status, 403)
})

test('an account confirms by a code of its app, with a password or without; a code counts once, and a recovery code does not', async () => {
  const [one, other] = [await guarded(), await guarded()]
  await confirmedAgo(one, 61)
  const by = (confirmation_code: string) => one.submit(TOKENS_PAGE, { ...form, confirmation_code })
  const both = (await one.submit(TOKENS_PAGE, form)).body
  assert.match(both, /id="confirmation-password"[\s\S]*Or a code of your app/)
  await takePassword(one)
  const asked = await one.submit(TOKENS_PAGE, form)
  assert.ok(asked.body.includes('confirmation-code') && !asked.body.includes('confirmation-password'))

  for (const wrong of [other.app.code(), one.app.code(-1), one.codes[0] ?? '', 'x'])
    assert.match((await by(wrong)).body, /The code is wrong, was used before, or has ended/, wrong)
  const code = one.app.code()
  const raced = await Promise.all([by(code), by(code)])
  assert.ok(raced.map(({ status }) => status).includes(307))
  assert.equal((await one.submit(TOKENS_PAGE, form)).status, 200)
  await confirmedAgo(one, 61)
  assert.equal((await by(code)).status, 403, 'it was used')
  assert.equal((await messagesOf(one)).filter(said => said === 'Confirmed by a code').length, 1)
})

test('an account confirms by a passkey: its own, once, for the session that asks, with its user verified', async () => {
  const [one, other] = [await surfer(), await surfer()]
  const added = async (person: Surfer, kind: 'passkeys' | 'security_keys') => {
    const page = `/-/profile/two_factor/${kind}/new`
    const authenticator = authenticatorFor(scene.url)
    const response = authenticator.make(optionsOn(await person.get(page)))
    assert.ok((await person.submit(page, { name: 'Key', response })).status < 400)
    return authenticator
  }
  const [own, foreign, touched] = [await added(one, 'passkeys'), await added(other, 'passkeys'), await added(one, 'security_keys')]
  for (const person of [one, other]) {
    await confirmedAgo(person, 61)
    await takePassword(person)
  }
  const asked = async (person = one) => optionsOn(await person.submit(TOKENS_PAGE, form))
  const by = (confirmation_key: string) => one.submit(TOKENS_PAGE, { ...form, confirmation_key })
  const wrongs = [
    foreign.answer(await asked()),
    own.answer(await asked(other)),
    touched.answer(await asked()),
    own.answer(await asked(), { isVerified: false }),
    own.answer(await asked(), { origin: 'https://ingot.example.net' }),
    own.answer(optionsOn(await scene.anonymous.get(`${scene.url}/users/passkeys`))),
    '{}',
  ]
  for (const [index, wrong] of wrongs.entries()) assert.equal((await by(wrong)).status, 403, `wrong answer ${index}`)
  assert.ok(!(await tokensOf(one)).includes(form.name))

  const right = own.answer(await asked())
  assert.equal((await by(right)).status, 307)
  assert.equal((await one.submit(TOKENS_PAGE, form)).status, 200)
  await confirmedAgo(one, 61)
  assert.equal((await by(right)).status, 403, 'it was used')
  assert.equal((await messagesOf(one)).filter(said => said === 'Confirmed by a passkey').length, 1)
})

test('guesses at codes are limited', async () => {
  const limited = await openScene({ settings: { rateLimit: 'sign_in=6' } })
  const scenes = twoFactorScene(limited)
  const one = await scenes.turnOn(await scenes.surfer())
  await limited.deps.database.db
    .updateTable('sessions')
    .set({ confirmed_at: new Date(0) })
    .where('user_id', '=', one.person.id)
    .execute()
  const guess = (confirmation_code: string) => one.submit(TOKENS_PAGE, { ...form, confirmation_code })
  const statuses: number[] = []
  while (statuses.at(-1) !== 429 && statuses.length < 20) statuses.push((await guess('000000')).status)
  assert.equal(statuses.at(-1), 429)
  assert.equal((await guess(one.app.code())).status, 429)
})

test('guesses are limited like those of a sign-in', async () => {
  const limited = await openScene({ settings: { rateLimit: 'sign_in=3' } })
  const one = await twoFactorScene(limited).surfer()
  await limited.deps.database.db
    .updateTable('sessions')
    .set({ confirmed_at: new Date(0) })
    .where('user_id', '=', one.person.id)
    .execute()
  const statuses: number[] = []
  for (const guess of ['first guess', 'second guess', 'third guess'])
    statuses.push((await one.submit(TOKENS_PAGE, { ...form, confirmation_password: guess })).status)
  assert.deepEqual(statuses, [403, 403, 429])
  const right = await one.submit(TOKENS_PAGE, { ...form, confirmation_password: password })
  assert.equal(right.status, 429)
  assert.match(right.body, /Too many attempts/)
  assert.equal(hidden(right)['scopes[]'], 'read_api')
})
