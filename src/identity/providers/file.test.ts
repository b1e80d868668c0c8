import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from '../../platform/config.ts'
import { Secret } from '../../platform/secret.ts'
import { parseProviders } from './file.ts'
import { flagAfter } from './roles.ts'

const company = {
  name: 'company',
  kind: 'openid_connect',
  settings: { issuer: 'https://id.example.com', client_id: 'ingot', client_secret: 'very secret' },
}
const parsed = (...providers: unknown[]) => parseProviders(new Secret(JSON.stringify({ providers })))

test('a provider has safe rules unless the file says otherwise', () => {
  const [provider] = parsed(company)
  assert.deepEqual(provider?.rules, {
    allow_single_sign_on: false,
    block_auto_created_users: true,
    auto_link_user: false,
    external: false,
    trust_second_factor: false,
    required_groups: [],
    admin_groups: [],
    external_groups: [],
    roles: [],
  })
  assert.equal(provider?.label, 'company')
  assert.ok(provider?.settings.client_secret instanceof Secret)
  assert.deepEqual(provider?.settings.scopes, ['openid', 'profile', 'email'])
  assert.deepEqual(parseProviders(undefined), [])
})

const wrong: readonly (readonly [string, unknown, RegExp])[] = [
  ['no list', { a: 1 }, /must hold an object with a list "providers"/],
  ['nothing', null, /must hold an object with a list "providers"/],
  ['no name', { providers: [{ ...company, name: undefined }] }, /provider 1 must have required properties name/],
  ['a name that fits in no address', { providers: [{ ...company, name: 'a/b' }] }, /provider 1: name must match pattern/],
  ['a kind that is none', { providers: [{ ...company, kind: 'magic' }] }, /provider 1: kind must be/],
  ['an entry that is none', { providers: [{ ...company, allow_sso: true }] }, /provider 1: allow_sso is no name that is known here/],
  [
    'a setting that is none',
    { providers: [{ ...company, settings: { ...company.settings, secret: 'very secret' } }] },
    /provider "company": settings: secret is no name that is known here/,
  ],
  [
    'no TLS',
    { providers: [{ ...company, settings: { ...company.settings, issuer: 'http://id.example.com' } }] },
    /settings.issuer must be an address that begins with https:/,
  ],
  [
    'a password in an address',
    { providers: [{ ...company, settings: { ...company.settings, issuer: 'https://a:very secret@id.example.com' } }] },
    /settings.issuer must be an address/,
  ],
  [
    'a role that is none',
    { providers: [{ ...company, roles: [{ group: 'a', path: 'b', access_level: 'king' }] }] },
    /roles.0.access_level must be/,
  ],
  ['a name twice', { providers: [company, company] }, /two providers have the name "company"/],
]
for (const [name, file, message] of wrong)
  test(`a file with ${name} is refused in one line without values`, () => {
    assert.throws(
      () => parseProviders(new Secret(JSON.stringify(file))),
      (error: unknown) =>
        error instanceof ConfigError &&
        message.test(error.message) &&
        error.message.startsWith('INGOT_PROVIDERS_FILE: ') &&
        !error.message.includes('\n') &&
        !error.message.includes('very secret'),
    )
  })

test('a flag that a provider gave is taken by it, and one that was given by hand is not', () => {
  for (const [is, gave, wanted, after] of [
    [false, false, true, { is: true, gave: true }],
    [true, false, true, { is: true, gave: false }],
    [true, true, true, { is: true, gave: true }],
    [true, true, false, { is: false, gave: false }],
    [true, false, false, { is: true, gave: false }],
    [false, true, true, { is: true, gave: true }],
  ] as const)
    assert.deepEqual(flagAfter({ is, gave, wanted }), after, `${is} ${gave} ${wanted}`)
})
