import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { contentOf } from '../../../platform/mail/outbox.ts'
import type { Surfer } from '../../oauth/scene.ts'
import { codesOn, twoFactorScene } from '../scene.ts'
import { authenticatorFor, optionsOn } from './scene.ts'

const scene = await openScene()
const { db } = scene.deps.database
const { surfer, firstStep } = twoFactorScene(scene)
const url = (path: string) => `${scene.url}${path}`

const SETTINGS = '/-/profile/two_factor'

/** Adds a key of a person. */
async function added(one: Surfer, kind: 'security_keys' | 'passkeys', name = 'Blue key') {
  const authenticator = authenticatorFor(scene.url)
  const page = `${SETTINGS}/${kind}/new`
  const answer = await one.submit(page, { name, response: authenticator.make(optionsOn(await one.get(page))) })
  assert.ok(answer.status < 400, `${answer.status} ${answer.body}`)
  return { authenticator, answer }
}

const sessionOf = (answer: { headers: Record<string, unknown> }) =>
  /_service_session=[0-9a-f]{64}/.test(String(answer.headers['set-cookie']))

const askPasskey = async () => optionsOn(await scene.anonymous.get(url('/users/passkeys')))
const byPasskey = (response: string) => scene.anonymous.post(url('/users/passkeys'), new URLSearchParams({ response }))
const askKey = async (cookie: string) => optionsOn(await scene.as({ cookie }).get(url('/users/two_factor')))
const byKey = (cookie: string, response: string) =>
  scene.anonymous.post(url('/users/two_factor/key'), new URLSearchParams({ response }), { cookie })

test('a security key turns two factors on and answers in place of a code', async () => {
  const one = await surfer()
  const { authenticator, answer } = await added(one, 'security_keys')
  assert.equal(codesOn(answer).length, 10)
  assert.equal((await one.person.get('/user')).body.two_factor_enabled, true)

  const { cookie } = await firstStep(one.person.username)
  const entered = await byKey(cookie, authenticator.answer(await askKey(cookie)))

  assert.deepEqual([entered.status, sessionOf(entered)], [303, true])
  const { body } = await one.get(SETTINGS)
  assert.match(body, /Blue key/)
  assert.match(body, /last used/)
  const { id } = await db.selectFrom('webauthn_credentials').select('id').where('user_id', '=', one.person.id).executeTakeFirstOrThrow()
  const other = await surfer()
  assert.equal((await other.submit(`${SETTINGS}/keys/remove`, { key_id: String(id) })).status, 404)
  assert.equal((await one.submit(`${SETTINGS}/keys/remove`, { key_id: String(id) })).status, 303)
  assert.equal((await one.person.get('/user')).body.two_factor_enabled, false)
})

test('the mail about another password names the passkeys, which go on signing in', async () => {
  const one = await surfer()
  const written = async ({ person }: Surfer) => {
    assert.equal((await scene.root.put(`/users/${person.id}`, { password: 'another very long phrase' })).status, 200)
    const row = await db.selectFrom('mails').selectAll().where('user_id', '=', person.id).orderBy('id', 'desc').executeTakeFirstOrThrow()
    return contentOf(row, scene.deps.secrets).text
  }
  assert.doesNotMatch(await written(one), /passkeys/)
  const two = await surfer()
  await added(two, 'security_keys', 'Second step')
  await added(two, 'passkeys', 'Phone: blue')

  const text = await written(two)

  assert.match(text, /These passkeys go on signing in to it\.[\s\S]*^Phone: blue: made on \d{1,2} [A-Z][a-z]+ \d{4}$/m)
  assert.doesNotMatch(text, /Second step/)
})

test('a passkey signs in without a password and a second step', async () => {
  const one = await surfer()
  const { authenticator } = await added(one, 'passkeys')
  assert.equal((await one.person.get('/user')).body.two_factor_enabled, false, 'the password still opens the account by itself')
  const entered = await byPasskey(authenticator.answer(await askPasskey()))
  assert.deepEqual([entered.status, sessionOf(entered)], [303, true])

  await added(one, 'security_keys')
  assert.ok(sessionOf(await byPasskey(authenticator.answer(await askPasskey()))), 'it is two factors by itself')
  await scene.root.post(`/users/${one.person.id}/block`)
  assert.ok(!sessionOf(await byPasskey(authenticator.answer(await askPasskey()))))
})

test('an answer that was given before, or of long ago, is refused, and of a race one wins', async () => {
  const one = await surfer()
  const { authenticator } = await added(one, 'passkeys')
  const response = authenticator.answer(await askPasskey())
  const raced = await Promise.all([byPasskey(response), byPasskey(response)])
  assert.deepEqual(raced.map(({ status }) => status).toSorted(), [303, 401])
  assert.equal((await byPasskey(response)).status, 401)
  const options = await askPasskey()
  assert.equal((await byPasskey(authenticator.answer(options))).status, 303)
  assert.equal((await byPasskey(authenticator.answer(options))).status, 401, 'a challenge is answered once, whatever the counter')
  const old = authenticator.answer(await askPasskey())
  scene.setTime(new Date(Date.now() + 5 * 60_000 + 1_000).toISOString())
  assert.equal((await byPasskey(old)).status, 401)
  scene.setTime(undefined)
})

test('an answer for another site, without its user verified, with a counter that went back, or to no challenge of ours is refused', async () => {
  const one = await surfer()
  const { authenticator } = await added(one, 'passkeys')
  assert.equal((await byPasskey(authenticator.answer(await askPasskey(), { counter: 9 }))).status, 303)
  const wrongs = [
    ...[{ origin: 'https://ingot.example.net' }, { origin: `${scene.url}.example.net` }, { rpId: 'ingot.example.net' }],
    ...[{ isVerified: false }, { isPresent: false }, { type: 'webauthn.create' }, { counter: 9 }, { counter: 2 }],
  ]
  for (const wrong of wrongs)
    assert.equal((await byPasskey(authenticator.answer(await askPasskey(), { counter: 20, ...wrong }))).status, 401, JSON.stringify(wrong))
  assert.equal(
    (await byPasskey(authenticator.answer({ challenge: Buffer.from('x.y.z').toString('base64url') }, { counter: 30 }))).status,
    401,
  )
  for (const text of ['', '{}', '[]', 'null', '{"id":"x"}']) assert.ok((await byPasskey(text)).status >= 400)
  assert.equal((await byPasskey(authenticator.answer(await askPasskey(), { counter: 31 }))).status, 303)
})

test('a key of another user is no second factor, and a security key no passkey', async () => {
  const [one, other] = [await surfer(), await surfer()]
  const own = await added(one, 'security_keys')
  const foreign = await added(other, 'security_keys')
  const { cookie } = await firstStep(one.person.username)
  assert.equal((await byKey(cookie, foreign.authenticator.answer(await askKey(cookie)))).status, 401)
  assert.equal((await byKey(cookie, own.authenticator.answer(await askPasskey()))).status, 401, 'a challenge for another purpose')
  assert.equal((await byPasskey(own.authenticator.answer(await askPasskey()))).status, 401)
  assert.equal((await byKey(cookie, own.authenticator.answer(await askKey(cookie)))).status, 303)
})

test('a key is added to the account that was asked, once, and for this site', async () => {
  const [one, other] = [await surfer(), await surfer()]
  const page = `${SETTINGS}/passkeys/new`
  const authenticator = authenticatorFor(scene.url)
  const options = optionsOn(await one.get(page))
  const response = authenticator.make(options)
  assert.equal((await other.submit(page, { name: 'Key', response })).status, 422)
  assert.equal(
    (await one.submit(page, { name: 'Key', response: authenticator.make(options, { origin: 'https://ingot.example.net' }) })).status,
    422,
  )
  assert.equal((await one.submit(page, { name: 'Key', response: authenticator.make(options, { isVerified: false }) })).status, 422)
  assert.equal((await one.submit(page, { name: 'Key', response })).status, 303)
  assert.equal((await one.submit(page, { name: 'Key', response })).status, 422)
  const again = authenticator.make(optionsOn(await other.get(page)))
  assert.equal((await other.submit(page, { name: 'Key', response: again })).status, 422, 'an authenticator’s key is of one account')
})

test('what an authenticator says of its maker is not read: no certificate of it is checked, and nobody is asked about one', async () => {
  const one = await surfer()
  const page = `${SETTINGS}/passkeys/new`
  for (const format of ['packed', 'apple', 'android-key', 'android-safetynet', 'tpm', 'fido-u2f', 'other']) {
    // A statement with a certificate that is none.
    const statement = { format, cbor: Buffer.from('a16378356381414a', 'hex') }
    const authenticator = authenticatorFor(scene.url)
    const response = authenticator.make(optionsOn(await one.get(page)), { statement })
    assert.equal((await one.submit(page, { name: format, response })).status, 303, format)
    assert.equal((await byPasskey(authenticator.answer(await askPasskey()))).status, 303, format)
  }
  for (const wrong of [{ rpId: 'ingot.example.net' }, { isPresent: false }, { type: 'webauthn.get' }])
    assert.equal(
      (await one.submit(page, { name: 'Key', response: authenticatorFor(scene.url).make(optionsOn(await one.get(page)), wrong) })).status,
      422,
      JSON.stringify(wrong),
    )
})

test('an answer with texts that no browser sends is wrong, and no failure of the server', async () => {
  const one = await surfer()
  const page = `${SETTINGS}/passkeys/new`
  for (const id of ['\0', 'x'.repeat(60_000)]) assert.equal((await byPasskey(JSON.stringify({ id }))).status, 401)
  const { challenge } = optionsOn(await one.get(page))
  const odd = authenticatorFor(scene.url).make({ challenge: `${challenge}\0` })
  assert.equal((await one.submit(page, { name: 'Key', response: odd })).status, 422, 'not the challenge as it was given')

  const saids: unknown[] = [['\0'], 'usb', [{ length: 1 }], [['usb'], ['usb', 'nfc']], null]
  for (const transports of [...saids, ['usb', 'usb', 'nfc', 'by pigeon']]) {
    const made = JSON.parse(authenticatorFor(scene.url).make(optionsOn(await one.get(page))))
    const response = JSON.stringify({ ...made, response: { ...made.response, transports } })
    assert.equal((await one.submit(page, { name: 'Key', response })).status, 303, JSON.stringify(transports))
  }
  const kept = await db.selectFrom('webauthn_credentials').select('transports').where('user_id', '=', one.person.id).orderBy('id').execute()
  assert.deepEqual(
    kept.map(({ transports }) => transports),
    [...saids.map(() => []), ['usb', 'nfc']],
  )
})
