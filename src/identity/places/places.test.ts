import assert from 'node:assert/strict'
import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { testFolder } from '../../../test/folder.ts'
import { openScene } from '../../../test/scene.ts'
import { contentOf } from '../../platform/mail/outbox.ts'
import { password } from '../oauth/scene.ts'
import { located, placeOf, placeText } from './places.ts'
import { writePlaces } from './scene.ts'

const folder = await testFolder()
const file = await writePlaces(join(folder, 'places.mmdb'), {
  '203.0.113.0/24': { city: { names: { en: 'Munich', de: 'München' } }, country: { iso_code: 'DE' } },
  '198.51.100.0/25': { country: { iso_code: 'FR' } },
  '198.51.100.128/25': { country_code: 'JP' },
  '2001:db8:7::/48': { registered_country: { iso_code: 'PT' } },
  '192.0.2.0/24': { country: { iso_code: '<b>' }, city: 'none' },
})
const scene = await openScene({ settings: { placesFile: file, rateLimit: 'off', trustedProxies: '127.0.0.1' } })

const saysOf = async (address: string, language: 'en' | 'de' | 'fr' = 'en') =>
  placeText(await placeOf(file, address), language, 'this network')

test('an address is in a city or country, in the language of the reader', async () => {
  const addresses = [
    '203.0.113.9',
    '::ffff:203.0.113.9',
    '198.51.100.1',
    '198.51.100.200',
    '2001:db8:7::1',
    '2001:db8:8::1',
    '9.9.9.9',
    'x',
  ]
  assert.deepEqual(await Promise.all(addresses.map(address => saysOf(address))), [
    ...['Munich, Germany', 'Munich, Germany', 'France', 'Japan', 'Portugal'],
    ...[undefined, undefined, undefined],
  ])
  assert.equal(await saysOf('203.0.113.9', 'de'), 'München, Deutschland')
  assert.equal(await saysOf('203.0.113.9', 'fr'), 'Munich, Allemagne')
  assert.equal(await saysOf('192.0.2.1'), undefined, 'what is no code is not shown')
})

test('addresses that are not of the internet are of this network, with a file and without one', async () => {
  for (const address of [
    '127.0.0.1',
    '::1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.0.1',
    'fe80::1',
    'fd00::1',
    '::ffff:10.0.0.1',
  ]) {
    assert.equal(await saysOf(address), 'this network', address)
    assert.equal(await placeOf(undefined, address), 'here', address)
  }
  assert.equal(await placeOf(undefined, '203.0.113.9'), undefined)
})

test('a file is read again when it has changed, and one that is damaged or absent says nothing', async () => {
  const other = join(folder, 'other.mmdb')
  const says = async () =>
    (await located({ config: { ...scene.deps.config, placesFile: other }, log: scene.deps.log }, '203.0.113.9')).place
  assert.equal(await says(), undefined)
  await writePlaces(other, { '203.0.113.0/24': { country: { iso_code: 'SE' } } })
  assert.deepEqual(await says(), { city: undefined, country: 'SE' })
  await writePlaces(other, { '203.0.113.0/24': { country: { iso_code: 'NO' }, city: { names: { en: 'Oslo' } } } })
  assert.deepEqual(await says(), { city: { en: 'Oslo' }, country: 'NO' })
  await truncate(other, 300)
  assert.equal(await says(), undefined)
  await writeFile(other, '')
  assert.equal(await says(), undefined)
})

test('the list of sessions and the mail about a sign-in name the place', async () => {
  const person = await scene.user({ password })
  const signIn = (from: string) =>
    scene
      .as({ 'x-forwarded-for': from, 'user-agent': 'Lynx' })
      .post(`${scene.url}/users/sign_in`, new URLSearchParams({ login: person.username, password }))
  const cookies = []
  for (const from of ['192.0.2.77', '203.0.113.9', '10.0.0.7']) cookies.push((await signIn(from)).headers['set-cookie']?.split(';')[0])

  const { body } = await scene.as({ cookie: cookies[2] ?? '' }).get(`${scene.url}/-/profile/active_sessions`)
  for (const shown of ['>192.0.2.77<', '>203.0.113.9 (Munich, Germany)<', '>10.0.0.7 (this network)<'])
    assert.ok(body.includes(shown), shown)
  assert.ok(!body.includes('INGOT_PLACES_FILE'))
  const { db } = scene.deps.database
  const rows = await db.selectFrom('mails').selectAll().where('user_id', '=', person.id).orderBy('id').execute()
  const texts = rows.map(row => contentOf(row, scene.deps.secrets).text)
  assert.match(texts[0] ?? '', /^From: 203\.0\.113\.9 \(Munich, Germany\)$/m)
  assert.match(texts[1] ?? '', /^From: 10\.0\.0\.7 \(this network\)$/m)
})
