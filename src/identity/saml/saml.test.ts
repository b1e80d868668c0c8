import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import { openScene } from '../../../test/scene.ts'
import { ConfigError } from '../../platform/config.ts'
import { Secret } from '../../platform/secret.ts'
import { password } from '../oauth/scene.ts'
import { parseProviders } from '../providers/file.ts'
import { Browser, providersFile } from '../providers/kinds/scene.ts'
import { type Answering, bring, openSamlProvider, type SamlProvider, signInBySaml } from './scene.ts'
import { makePair } from './scene_pair.ts'

const people: SamlProvider['people'] = {}
const company = await openSamlProvider(people)
const strict = await openSamlProvider(people, { requestsSigned: true })
const ours = makePair()
const entry = (name: string, { issuer, ssoUrl, pair }: SamlProvider, { settings = {}, ...rules }: Record<string, unknown> = {}) => ({
  name,
  label: `The ${name}`,
  kind: 'saml',
  private_address: true,
  settings: { entity_id: issuer, sso_url: ssoUrl, certificate: pair.certificate, ...(settings as object) },
  allow_single_sign_on: true,
  block_auto_created_users: false,
  ...rules,
})
const scene = await openScene({
  settings: {
    providersFile: await providersFile([
      entry('company', company, {
        auto_link_user: true,
        trust_second_factor: true,
        admin_groups: ['chiefs'],
        external_groups: ['guests'],
        roles: [{ group: 'builders', path: 'works', access_level: 'developer' }],
      }),
      entry('open', strict, {
        settings: {
          idp_initiated: true,
          uid_attribute: 'employee',
          attributes: { name: ['called'] },
          signing_key: ours.key,
          signing_certificate: ours.certificate,
          sign_out_url: 'http://127.0.0.1:9/out',
        },
      }),
    ]),
  },
})
for (const [name, idp] of [
  ['company', company],
  ['open', strict],
] as const)
  idp.meet((await scene.anonymous.get(`${scene.url}/users/auth/${name}/metadata`)).body)
const { group: works } = await scene.group({ path: 'works' })

let number = 0
/** A person of the company. */
function employee(attributes: SamlProvider['people'][string] = {}): string {
  const login = `employee-${++number}`
  people[login] = { username: login, email: `${login}@company.example`, givenName: 'Person', sn: `No. ${number}`, ...attributes }
  return login
}
const levelOf = async (id: unknown): Promise<number | undefined> => (await scene.root.get(`${works.url}/members/${id}`)).body.access_level

test('a first sign-in makes an account, and the next one finds it, wherever the person wanted to go', async () => {
  const login = employee()
  const browser = new Browser(scene)

  const answer = await bring(browser, 'company', await company.answer(await browser.leave('company', '/explore?a=1'), login))

  assert.equal(answer.status, 303)
  assert.equal(answer.headers.location, '/explore?a=1')
  const user = await browser.user()
  assert.equal(user.username, login)
  assert.equal(user.name, `Person ${people[login]?.sn}`)
  assert.equal(user.email, `${login}@company.example`)
  assert.notEqual(user.confirmed_at, null)
  assert.deepEqual(user.identities, [{ provider: 'company', extern_uid: login }])
  for (const signs of ['answer', 'both'] as const) {
    const again = new Browser(scene)
    await signInBySaml(again, 'company', company, login, { signs })
    assert.equal((await again.user()).id, user.id, signs)
  }
})

test('the domains that the instance takes hold for accounts that a sign-in makes, and not for those that there are', async () => {
  const [known, late] = [employee(), employee()]
  await signInBySaml(new Browser(scene), 'company', company, known)
  assert.equal((await scene.root.put('/application/settings', { domain_allowlist: ['elsewhere.example'] })).status, 200)

  const browser = new Browser(scene)
  const refused = await bring(browser, 'company', await company.answer(await browser.leave('company'), late))

  assert.match(refused.body, /No account can be made with the name and address that the provider gives/)
  assert.deepEqual((await scene.root.get('/users', { username: late })).body, [])
  await signInBySaml(new Browser(scene), 'company', company, known)
  await scene.root.put('/application/settings', { domain_allowlist: [] })
  await signInBySaml(new Browser(scene), 'company', company, late)
})

test('roles, administrators and external users follow the groups at each sign-in', async () => {
  const login = employee({ groups: ['builders', 'chiefs'] })
  const signIn = async () => {
    const browser = new Browser(scene)
    await signInBySaml(browser, 'company', company, login)
    return browser.user()
  }
  const { id, is_admin } = await signIn()
  assert.equal(await levelOf(id), 30)
  assert.equal(is_admin, true)

  people[login] = { ...people[login], groups: 'guests' }
  const { external, ...user } = await signIn()
  assert.equal(user.is_admin, undefined)
  assert.equal(external, true)
  assert.equal(await levelOf(id), undefined)
  people[login] = { email: `${login}@company.example` }
  assert.equal((await signIn()).external, false)
})

test('a person links their account, and unlinks it', async () => {
  const user = await scene.user({ password })
  const login = employee()
  const browser = new Browser(scene)
  await browser.send('/users/sign_in', '/users/sign_in', { login: user.username, password })
  const left = await browser.send('/-/profile/identities', '/-/profile/identities/company/link')
  const address = new URL(/url=(.+)$/.exec(left.headers.refresh ?? '')?.[1] ?? '')

  await bring(browser, 'company', await company.answer(address, login))

  const identities = async () => (await scene.root.get(`/users/${user.id}`)).body.identities
  assert.deepEqual(await identities(), [{ provider: 'company', extern_uid: login }])
  const other = new Browser(scene)
  await signInBySaml(other, 'company', company, login)
  assert.equal((await other.user()).id, user.id)
  assert.equal((await user.delete('/user/identities/company')).status, 204)
  assert.deepEqual(await identities(), [])
})

test('the second factor of the provider counts where the file says so, and only then', async () => {
  const login = employee()
  const first = new Browser(scene)
  await signInBySaml(first, 'company', company, login)
  const { id } = await first.user()
  const { db } = scene.deps.database
  await db
    .updateTable('users')
    .set({ two_factor_enabled: true })
    .where('id', '=', id as number)
    .execute()

  const weak = await signInBySaml(new Browser(scene), 'company', company, login)
  const proven = new Browser(scene)
  await signInBySaml(proven, 'company', company, login, { context: 'https://refeds.org/profile/mfa' })

  assert.match(weak.headers.location ?? '', /^\/users\/two_factor/)
  assert.equal((await proven.user()).id, id)
})

test('requests are signed where there is a key, and say what they are for', async () => {
  const address = await new Browser(scene).leave('open')
  const xml = inflateRawSync(Buffer.from(address.searchParams.get('SAMLRequest') ?? '', 'base64')).toString()

  assert.equal(address.searchParams.get('SigAlg'), 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256')
  assert.match(xml, new RegExp(`AssertionConsumerServiceURL="${scene.url}/users/auth/open/callback"`))
  assert.match(xml, /Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"/)
  assert.match(xml, new RegExp(`Issuer[^>]*>${scene.url}/users/auth/open/metadata<`))
  // The provider checks the signature.
  const login = employee({ employee: '7' })
  assert.ok(await strict.answer(address, login))
  address.searchParams.set('RelayState', 'changed')
  await assert.rejects(strict.answer(address, login))
})

test('the metadata of this server are XML, and other kinds of provider have none', async () => {
  const { headers, body } = await scene.anonymous.get(`${scene.url}/users/auth/open/metadata`)

  assert.equal(headers['content-type'], 'application/samlmetadata+xml')
  assert.match(body, /AuthnRequestsSigned="true"/)
  assert.match(body, /WantAssertionsSigned="true"/)
  assert.equal((await scene.anonymous.get(`${scene.url}/users/auth/none/metadata`)).status, 404)
})

test('who comes from the provider by themselves is let in where the file says so, and led nowhere else', async () => {
  const login = employee({ employee: 'E-1', called: 'Ada of the mill' })
  const led = async (relayState: string) => {
    const browser = new Browser(scene)
    const answer = await bring(browser, 'open', await strict.unasked(login, relayState))
    return { location: answer.headers.location, user: await browser.user() }
  }

  const { location, user } = await led('/explore')
  assert.equal(location, '/explore')
  assert.equal(user.name, 'Ada of the mill')
  assert.deepEqual(user.identities, [{ provider: 'open', extern_uid: 'E-1' }])
  for (const elsewhere of ['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)', '/.//evil.example'])
    assert.equal((await led(elsewhere)).location, '/', elsewhere)
  const closed = new Browser(scene)
  const refused = await bring(closed, 'company', await company.unasked(login, '/'))
  assert.match(refused.body, /this server does not take people whom The company sends by itself/)
  assert.equal((await closed.user()).id, undefined)
})

test('signing out leads to the provider that the session was begun by', async () => {
  const browser = new Browser(scene)
  await signInBySaml(browser, 'open', strict, employee({ employee: 'E-2' }))

  const left = await browser.send('/', '/users/sign_out')

  assert.match(left.headers.refresh ?? '', /url=http:\/\/127\.0\.0\.1:9\/out$/)
})

/** Signs in with an answer that is changed on its way; nobody may be signed in. */
async function refused(login: string, other: Answering, change: (xml: string) => string = xml => xml): Promise<string> {
  const browser = new Browser(scene)
  const sent = await company.answer(await browser.leave('company'), login, other)
  const SAMLResponse = Buffer.from(change(Buffer.from(sent.SAMLResponse, 'base64').toString())).toString('base64')
  const answer = await bring(browser, 'company', { ...sent, SAMLResponse })
  assert.equal((await browser.user()).id, undefined)
  assert.equal(answer.status, 401)
  return answer.body
}
const UNFIT = /has sent an answer that cannot be used/
const victim = employee()
await signInBySaml(new Browser(scene), 'company', company, victim)
const evil = employee()

const wrong: Readonly<Record<string, Answering>> = {
  'another issuer': { issuer: 'https://id.example.com' },
  'another audience': { audience: 'https://other.example.com' },
  'another destination': { destination: 'https://other.example.com/callback' },
  'another recipient': { recipient: 'https://other.example.com/callback' },
  'an end that has passed': { from: -600, until: -120 },
  'a beginning that is to come': { from: 120 },
  'another key': { by: makePair() },
  'a name for one session': { format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' },
  'no name': { nameId: '' },
  'a character that XML does not have': { nameId: 'a&#0;b' },
  'a signature of SHA-1': { hash: 'sha1' },
  'no audience': { said: xml => xml.replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, '') },
  'this audience in one restriction, and another in the next': {
    said: xml =>
      xml.replace(
        '</saml:Conditions>',
        `<saml:AudienceRestriction><saml:Audience>other</saml:Audience></saml:AudienceRestriction></saml:Conditions>`,
      ),
  },
  'no conditions': { said: xml => xml.replace(/<saml:Conditions.*<\/saml:Conditions>/, '') },
  'a status of failure': { said: xml => xml.replace('status:Success', 'status:Requester') },
  'a holder of a key in place of a bearer': { said: xml => xml.replace('cm:bearer', 'cm:holder-of-key') },
  'a statement of nobody': { said: xml => xml.replace(/<saml:AuthnStatement.*<\/saml:AuthnStatement>/, '') },
  'an end after all times': { until: (8.64e15 - Date.now()) / 1000 - 1_000 },
}
for (const [what, other] of Object.entries(wrong))
  test(`an answer with ${what} signs nobody in`, async () => {
    for (const signs of ['assertion', 'answer'] as const)
      assert.match(
        await refused(victim, { signs, ...other }),
        what.includes('name') ? /does not say who you are in a way that lasts/ : UNFIT,
      )
  })

test('clocks may differ a little', async () => {
  const browser = new Browser(scene)
  await signInBySaml(browser, 'company', company, victim, { from: 20, until: 300 })
  assert.equal((await browser.user()).username, victim)
})

test('an answer to another request signs nobody in, nor does one in another browser', async () => {
  assert.match(await refused(victim, { inResponseTo: '_another' }), /was not begun in this browser/)
  const unasked = (xml: string) => xml.replaceAll(/ InResponseTo="[^"]*"/g, '')
  await refused(victim, { said: unasked })

  const [mine, theirs] = [new Browser(scene), new Browser(scene)]
  await theirs.leave('company')
  await bring(theirs, 'company', await company.answer(await mine.leave('company'), victim))
  assert.equal((await theirs.user()).id, undefined)
})

test('an answer counts once, and so does an assertion', async () => {
  const browser = new Browser(scene)
  const sent = await company.answer(await browser.leave('company'), victim, { assertionId: '_once' })
  assert.equal((await bring(browser, 'company', sent)).status, 303)

  const again = await bring(new Browser(scene), 'company', sent)
  assert.match(again.body, /This sign-in was used before/)
  assert.match(await refused(victim, { assertionId: '_once' }), /This sign-in was used before/)
  // Of many at the same time one wins.
  const raced = new Browser(scene)
  const race = await company.answer(await raced.leave('company'), victim)
  const answers = await Promise.all(Array.from({ length: 5 }, () => raced.post('/users/auth/company/callback', { ...race })))
  assert.equal(answers.filter(({ status }) => status === 303).length, 1)
  // And so does the link that follows.
  const [{ headers }] = answers.filter(({ status }) => status === 303) as [(typeof answers)[number]]
  const taken = await Promise.all([1, 2, 3].map(() => raced.get(headers.location as string)))
  assert.equal(taken.filter(({ status }) => status === 303).length, 1)
})

const assertionOf = (xml: string) => /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)?.[0] ?? assert.fail('there is an assertion')
const signatureOf = (xml: string) => /<ds:Signature.*?<\/ds:Signature>/s.exec(xml)?.[0] ?? assert.fail('there is a signature')
/** The assertion with the victim's name and, unless it keeps it, another id. */
const forged = (xml: string, id = '_forged') =>
  assertionOf(xml)
    .replace(`>${evil}</saml:NameID>`, `>${victim}</saml:NameID>`)
    .replace(/ ID="[^"]*"/, ` ID="${id}"`)
const unsigned = (xml: string) => xml.replace(/<ds:Signature.*?<\/ds:Signature>/s, '')

const wrapped: Readonly<Record<string, (xml: string) => string>> = {
  'no signature': unsigned,
  'a changed name': xml => xml.replace(`>${evil}</saml:NameID>`, `>${victim}</saml:NameID>`),
  'a forged assertion before the signed one': xml => xml.replace('<saml:Assertion', `${unsigned(forged(xml))}<saml:Assertion`),
  'a forged assertion after the signed one': xml => xml.replace('</samlp:Response>', `${unsigned(forged(xml))}</samlp:Response>`),
  'the signed assertion inside a forged one': xml =>
    xml.replace(assertionOf(xml), unsigned(forged(xml)).replace('<saml:Subject>', `${assertionOf(xml)}<saml:Subject>`)),
  'the signed assertion in the signature of a forged one': xml =>
    xml.replace(
      assertionOf(xml),
      unsigned(forged(xml)).replace(
        '<saml:Subject>',
        `${signatureOf(xml).replace('</ds:Signature>', `<ds:Object>${unsigned(assertionOf(xml))}</ds:Object></ds:Signature>`)}<saml:Subject>`,
      ),
    ),
  'the signed assertion among extensions': xml =>
    xml.replace(assertionOf(xml), `<samlp:Extensions>${assertionOf(xml)}</samlp:Extensions>${unsigned(forged(xml))}`),
  'a forged assertion with the id and signature of the signed one, which stands elsewhere': xml => {
    const id = / ID="([^"]*)"/.exec(assertionOf(xml))?.[1] ?? ''
    return xml.replace(assertionOf(xml), `${forged(xml, id)}<samlp:Extensions>${unsigned(assertionOf(xml))}</samlp:Extensions>`)
  },
  'a signed answer inside a forged one': xml =>
    xml
      .replace(/<samlp:Response ([^>]*) ID="[^"]*"/, '<samlp:Response $1 ID="_outer"')
      .replace(assertionOf(xml), `${unsigned(forged(xml))}<samlp:Extensions>${xml.replace(/^<\?xml[^>]*>/, '')}</samlp:Extensions>`),
  'a document type': xml => `<!DOCTYPE samlp:Response>${xml}`,
  'a file in an entity': xml =>
    `<!DOCTYPE r [<!ENTITY file SYSTEM "file:///etc/passwd">]>${xml.replace(`>${evil}</saml:NameID>`, '>&file;</saml:NameID>')}`,
  'entities that grow': xml =>
    `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>${xml.replace(`>${evil}</saml:NameID>`, '>&b;</saml:NameID>')}`,
  'no XML': () => 'SAMLResponse',
  'a thousand elements in each other': () => '<a>'.repeat(20_000),
}
for (const [what, change] of Object.entries(wrapped))
  test(`an answer with ${what} signs nobody in`, async () => {
    for (const signs of ['assertion', 'answer'] as const) assert.match(await refused(evil, { signs }, change), UNFIT, signs)
  })

test('a comment in a name does not shorten it', async () => {
  const browser = new Browser(scene)
  const login = employee()
  await signInBySaml(browser, 'company', company, login, { nameId: `${victim}<!-- -->.evil` })

  const user = await browser.user()
  assert.deepEqual(user.identities, [{ provider: 'company', extern_uid: `${victim}.evil` }])
  // Added after the signature.
  const other = new Browser(scene)
  const sent = await company.answer(await other.leave('company'), victim, { nameId: `${victim}.evil` })
  const xml = Buffer.from(sent.SAMLResponse, 'base64').toString().replace(`>${victim}.evil<`, `>${victim}<!-- -->.evil<`)
  await bring(other, 'company', { ...sent, SAMLResponse: Buffer.from(xml).toString('base64') })
  assert.notEqual((await other.user()).username, victim)
})

test('an answer for one provider is none for another', async () => {
  const browser = new Browser(scene)
  const sent = await strict.unasked(victim, '/')

  const answer = await bring(browser, 'company', sent)

  assert.match(answer.body, UNFIT)
  assert.equal(
    (await scene.anonymous.post(`${scene.url}/users/auth/none/callback`, new URLSearchParams({ SAMLResponse: 'a' }))).status,
    404,
  )
})

const saml = entry('company', company)
const wrongFiles: Readonly<Record<string, readonly [object, RegExp]>> = {
  'no certificate': [{ certificate: 'MIIB' }, /certificate must be a certificate as PEM/],
  'a certificate that is none': [
    { certificate: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----' },
    /certificate must be a certificate as PEM/,
  ],
  'a key alone': [{ signing_key: 'a secret' }, /signing_key and signing_certificate belong together/],
  'an address that is none': [{ sso_url: 'ftp://id.example.com' }, /settings.sso_url must be an address/],
  'a format that is none': [{ name_id_format: 'kerberos' }, /name_id_format must be/],
}
for (const [what, [settings, message]] of Object.entries(wrongFiles))
  test(`a file with ${what} is refused`, () => {
    const file = new Secret(JSON.stringify({ providers: [{ ...saml, settings: { ...saml.settings, ...settings } }] }))
    assert.throws(
      () => parseProviders(file),
      error => error instanceof ConfigError && message.test(error.message) && !/a secret/.test(error.message),
    )
  })
