/** Answers of an OpenID Connect provider that are wrong in one way each: none of them signs anybody in. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { Browser, CLIENT, openFaultyProvider, providersFile } from './scene.ts'

const faulty = await openFaultyProvider()
const entry = {
  ...{ name: 'faulty', label: 'The faulty', kind: 'openid_connect', private_address: true },
  ...{ settings: { issuer: faulty.issuer, ...CLIENT }, allow_single_sign_on: true, block_auto_created_users: false },
}
const scene = await openScene({ settings: { providersFile: await providersFile([entry]) } })

test('answers that cannot be trusted sign nobody in', async () => {
  const cases = {
    'another issuer': { issuer: 'https://other.example' },
    'another audience': { audience: 'another client' },
    'another nonce': { nonce: 'a nonce of another attempt' },
    'no signature': { signature: 'none' },
    'the signature of another key': { signature: 'other' },
    'userinfo of another subject': { subject: 'another' },
    'an id token that has ended': { claims: { exp: 1_000_000 } },
    'several audiences, and no party that it was issued to': { audience: [CLIENT.client_id, 'another client'] },
    'another party that it was issued to': { audience: [CLIENT.client_id, 'another client'], claims: { azp: 'another client' } },
    'another party with this audience alone': { claims: { azp: 'another client' } },
    'no audience': { audience: [] },
    'no nonce': { claims: { nonce: undefined } },
    'a nonce in a list': { claims: { nonce: ['a', 'b'] } },
    'an end that is no number': { claims: { exp: '9999999999' } },
    'no end': { claims: { exp: undefined } },
    'no subject': { claims: { sub: undefined } },
    'a subject that is a number': { claims: { sub: 12 } },
    'no issuer': { claims: { iss: undefined } },
    'a signature by the public key as a secret': { signature: 'public' },
    'a signature by the secret of the client': { signature: 'secret' },
    'a signature of no kind, by another name': { signature: 'none', header: { alg: 'None' } },
    'a key that the provider does not have': { header: { kid: 'unknown' } },
    'a key in its header': { signature: 'other', header: { jwk: { kty: 'RSA', n: 'AQAB', e: 'AQAB' } } },
    'a header that must be understood': { header: { crit: ['unknown'], unknown: true } },
  } as const
  for (const [name, faults] of Object.entries(cases)) {
    faulty.faults = faults
    const browser = new Browser(scene)
    const answer = await browser.signIn('faulty', '')
    assert.equal(answer.status, 401, name)
    assert.match(answer.body, /gave an answer that cannot be trusted/, name)
    assert.equal(browser.cookies.has('_service_session'), false, name)
  }
})

test('the answer of a provider names its issuer, so that another one cannot be taken for it', async () => {
  faulty.faults = {}
  for (const change of [
    (url: URL) => url.searchParams.set('iss', 'https://company.example'),
    (url: URL) => url.searchParams.delete('iss'),
  ]) {
    const browser = new Browser(scene)
    const back = new URL(await browser.visit(await browser.leave('faulty'), ''))
    change(back)
    assert.match((await browser.get(back.href)).body, /gave an answer that cannot be trusted/)
  }
})

test('a provider may change its key: the new one is fetched, and what the former one signs counts no more', async () => {
  faulty.faults = { claims: { email: 'rotated@company.example', email_verified: true } }
  const before = new Browser(scene)
  assert.equal((await before.signIn('faulty', '')).status, 303)
  faulty.rotate()
  // What the provider says of itself, its keys too, is kept for ten minutes; a key that is not among them is looked for once a minute.
  scene.setTime(new Date(Date.now() + 11 * 60_000).toISOString())
  const after = await new Browser(scene).signIn('faulty', '')
  assert.equal(after.status, 303, after.body)
  faulty.faults = { header: { kid: 'one' } }
  assert.match((await new Browser(scene).signIn('faulty', '')).body, /gave an answer that cannot be trusted/)
  scene.setTime(undefined)
})
