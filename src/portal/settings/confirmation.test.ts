/** A password is asked for before what is dangerous. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../../test/client.ts'
import { openScene } from '../../../test/scene.ts'
import { oauthScene, password, type Surfer } from '../../identity/oauth/scene.ts'
import { TOKENS_PAGE } from './tokens_view.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
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
  assert.match(asked.body, /Confirm your password/)
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
  assert.doesNotMatch(forged.body, /Confirm your password/)
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
  assert.deepEqual([refused.status, refused.body], [403, { message: '403 Forbidden - Your password is needed first' }])
  assert.equal((await one.client.get(`${scene.url}/api/v4/user`)).status, 200)
  await confirmedAgo(one, 59)
  assert.equal((await add(`around-${one.person.id}@example.com`)).status, 201)
})

test('an administrator who acts as another user gives their own password', async () => {
  const [admin, other] = [await surfer({ admin: true }), await surfer()]
  await confirmedAgo(admin, 61)
  const act = `/admin/users/${other.person.id}/impersonate`
  assert.match((await admin.submit(act, {})).body, /Confirm your password/)
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

test('an account without a password is not asked for one', async () => {
  const one = await surfer()
  await confirmedAgo(one, 61)
  await db.updateTable('users').set({ password_digest: null }).where('id', '=', one.person.id).execute()
  const asked = await one.submit(TOKENS_PAGE, { ...form, confirmation_password: '' })
  assert.equal(asked.status, 403)
  assert.match(asked.body, /your account has none/)
  assert.ok(!asked.body.includes('confirmation-password'))
  assert.equal((await one.submit(TOKENS_PAGE, { ...form, confirmation_password: 'x' })).status, 403)
})

test('guesses are limited like those of a sign-in', async () => {
  const limited = await openScene({ settings: { rateLimit: 'sign_in=3' } })
  const one = await oauthScene(limited).surfer()
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
