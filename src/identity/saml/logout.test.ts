/** Single logout: of sessions that a provider has begun, from either side, and assertions that are encrypted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { openScene } from '../../../test/scene.ts'
import { Browser, providersFile } from '../providers/kinds/scene.ts'
import { bring, openSamlProvider, type SamlProvider, signInBySaml } from './scene.ts'
import { type LoggingOut, logoutForm, logoutLink, readByProvider, sentLogout } from './scene_logout.ts'
import { makePair } from './scene_pair.ts'

const people: SamlProvider['people'] = {}
const company = await openSamlProvider(people)
const other = await openSamlProvider(people)
const sealed = await openSamlProvider(people, { encrypts: true })
const [signing, decryption] = [makePair(), makePair()]
const OUT = 'http://127.0.0.1:9/slo'
const entry = (name: string, { issuer, ssoUrl, pair }: SamlProvider, settings: object = {}) => ({
  name,
  label: `The ${name}`,
  kind: 'saml',
  private_address: true,
  settings: { entity_id: issuer, sso_url: ssoUrl, certificate: pair.certificate, ...settings },
  allow_single_sign_on: true,
  block_auto_created_users: false,
})
const scene = await openScene({
  settings: {
    providersFile: await providersFile([
      entry('company', company, { slo_url: OUT, signing_key: signing.key, signing_certificate: signing.certificate }),
      entry('other', other, { slo_url: OUT }),
      entry('sealed', sealed, { decryption_key: decryption.key, decryption_certificate: decryption.certificate }),
    ]),
  },
})
const { db } = scene.deps.database
const metadataOf = async (name: string): Promise<string> => (await scene.anonymous.get(`${scene.url}/users/auth/${name}/metadata`)).body
const metadata = await metadataOf('company')
company.meet(metadata)
other.meet(await metadataOf('other'))
sealed.meet(await metadataOf('sealed'))
const TO = `${scene.url}/users/auth/company/logout`

let number = 0
function employee(): string {
  const login = `leaver-${++number}`
  people[login] = { username: login, email: `${login}@company.example`, name: 'Person' }
  return login
}

async function signedIn(login: string, sessionIndex?: string, [name, idp]: readonly [string, SamlProvider] = ['company', company]) {
  const browser = new Browser(scene)
  await signInBySaml(browser, name, idp, login, sessionIndex === undefined ? {} : { sessionIndex })
  assert.equal((await browser.user()).username, login)
  return browser
}
const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.user()).id !== undefined

test('who signs out at the provider is signed out here, in every browser, and the provider learns it, with a signature', async () => {
  const login = employee()
  const [one, two, colleague] = [await signedIn(login, '_1'), await signedIn(login, '_2'), await signedIn(employee(), '_3')]

  // The browser in which the person does so may have no session here.
  const answer = await new Browser(scene).get(logoutLink(company, TO, login, { id: '_asked' }))

  assert.equal(answer.status, 303)
  const sent = sentLogout(answer.headers.location as string)
  assert.ok((answer.headers.location as string).startsWith(OUT))
  assert.deepEqual([sent.isSigned, sent.relayState], [true, 'back & forth'])
  assert.match(sent.xml, /<samlp:LogoutResponse[^>]* InResponseTo="_asked"/)
  assert.match(sent.xml, /status:Success/)
  assert.deepEqual([await isSignedIn(one), await isSignedIn(two), await isSignedIn(colleague)], [false, false, true])
  const ended = (await scene.root.get('/audit_events', { entity_type: 'User' })).body
  assert.ok(ended.some(({ details }: { details: { custom_message?: string } }) => details.custom_message === '2 sessions ended'))
})

test('a provider that names sessions ends those alone, and takes forms too', async () => {
  const login = employee()
  const [one, two] = [await signedIn(login, '_a'), await signedIn(login, '_b')]
  const answer = await scene.anonymous.post(TO, new URLSearchParams(logoutForm(company, TO, login, { sessionIndexes: ['_a'] })), {
    origin: new URL(company.issuer).origin,
  })
  assert.equal(answer.status, 303)
  assert.match(sentLogout(answer.headers.location as string).xml, /status:Success/)
  assert.deepEqual([await isSignedIn(one), await isSignedIn(two)], [false, true])
})

test('a sign-in that waits for its second factor ends too', async () => {
  const login = employee()
  const browser = await signedIn(login)
  const { id } = await browser.user()
  await db.updateTable('users').set({ two_factor_enabled: true }).where('id', '=', Number(id)).execute()
  await bring(new Browser(scene), 'company', await company.answer(await new Browser(scene).leave('company'), login))
  const waiting = new Browser(scene)
  const led = await signInBySaml(waiting, 'company', company, login)
  assert.match(led.headers.location ?? '', /^\/users\/two_factor/)
  const count = () => db.selectFrom('pending_sign_ins').select('id').where('user_id', '=', Number(id)).execute()
  assert.equal((await count()).length, 1)
  await new Browser(scene).get(logoutLink(company, TO, login))
  assert.deepEqual(await count(), [])
})

test('who signs out here is sent to the provider with a request that it can read, and comes back', async () => {
  const login = employee()
  const browser = await signedIn(login, '_mine')
  const left = await browser.send('/', '/users/sign_out')
  const address = /^0; url=(.+)$/.exec(left.headers.refresh ?? '')?.[1] ?? ''
  assert.ok(address.startsWith(OUT), address)
  assert.equal(await isSignedIn(browser), false)

  const { nameID, sessionIndex } = await readByProvider(company, metadata, address)

  assert.deepEqual([nameID, sessionIndex], [login, '_mine'])
  const back = await browser.get(`${TO}?SAMLResponse=AA&RelayState=`)
  assert.deepEqual([back.status, back.headers.location], [303, '/users/sign_in'])
})

test('the description of this server says where it takes requests, by a link and by a form', async () => {
  for (const binding of ['HTTP-POST', 'HTTP-Redirect'])
    assert.match(metadata, new RegExp(`<SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" Location="${TO}"`))
  assert.doesNotMatch(await metadataOf('sealed'), /SingleLogoutService/)
  assert.equal((await scene.anonymous.get(logoutLink(sealed, `${scene.url}/users/auth/sealed/logout`, 'x'))).status, 404)
})

const victim = employee()
const session = await signedIn(victim, '_victim')

/** Brings what does not count; nothing may end. */
async function assertIgnored(
  send: () => Promise<{ readonly status: number; readonly body: string }>,
  says = /cannot be used/,
): Promise<void> {
  const answer = await send()
  assert.ok(answer.status >= 400, String(answer.status))
  if (answer.status === 401) assert.match(answer.body, says)
  assert.ok(await isSignedIn(session), 'the session goes on')
}
const follow = (path: string) => () => new Browser(scene).get(path)
const submit = (form: Record<string, string>) => () => scene.anonymous.post(TO, new URLSearchParams(form))

const wrongs: Readonly<Record<string, LoggingOut>> = {
  'another key': { by: makePair() },
  'another issuer': { issuer: 'https://id.example.com' },
  'another destination': { destination: 'https://other.example.com/logout' },
  'a time that is past': { made: -600 },
  'a time that is to come': { made: 120 },
  'an end that has passed': { until: -60 },
  'a name of nobody': {},
}
for (const [what, wrong] of Object.entries(wrongs))
  test(`a request with ${what} ends nothing, by a link or by a form`, async () => {
    const name = what === 'a name of nobody' ? '' : victim
    await assertIgnored(follow(logoutLink(company, TO, name, wrong)))
    await assertIgnored(submit(logoutForm(company, TO, name, wrong)))
  })

test('a link without a signature, with a weak one, or changed after it was signed ends nothing', async () => {
  const link = logoutLink(company, TO, victim)
  const mine = logoutLink(company, TO, 'someone-else')
  const of = (path: string, name: string) => new RegExp(`${name}=[^&]*`).exec(path)?.[0] ?? ''
  await assertIgnored(follow(link.replace(/&SigAlg=.*/, '')))
  await assertIgnored(follow(link.replace(/&Signature=.*/, '')))
  await assertIgnored(follow(link.replace(/&Signature=.*/, '&Signature=')))
  await assertIgnored(follow(logoutLink(company, TO, victim, { algorithm: 'sha1' })))
  await assertIgnored(follow(link.replace(of(link, 'RelayState'), 'RelayState=elsewhere')))
  await assertIgnored(follow(mine.replace(of(mine, 'SAMLRequest'), of(link, 'SAMLRequest'))))
  // Which of two is read must not depend on who reads.
  await assertIgnored(follow(`${mine}&${of(link, 'SAMLRequest')}`))
  await assertIgnored(follow(mine.replace('?', `?${of(link, 'SAMLRequest')}&`)))
  // Other names do not count, also those that end alike.
  assert.equal((await new Browser(scene).get(mine.replace('?', `?x${of(link, 'SAMLRequest')}&`))).status, 303)
  assert.ok(await isSignedIn(session))
})

test('a form whose signature covers something else ends nothing', async () => {
  const signature = (xml: string) => /<ds:Signature.*<\/ds:Signature>/s.exec(xml)?.[0] ?? ''
  const changes: Readonly<Record<string, (xml: string) => string>> = {
    'no signature': xml => xml.replace(signature(xml), ''),
    'a changed name': xml => xml.replace('>someone-else<', `>${victim}<`),
    'a second name': xml => xml.replace('</samlp:LogoutRequest>', `<saml:NameID>${victim}</saml:NameID></samlp:LogoutRequest>`),
    'the signed request inside a forged one': xml =>
      xml
        .replace(signature(xml), '')
        .replace(/ ID="[^"]*"/, ' ID="_forged"')
        .replace('>someone-else<', `>${victim}<`)
        .replace('</samlp:LogoutRequest>', `<samlp:Extensions>${xml}</samlp:Extensions></samlp:LogoutRequest>`),
    'the signed request in the signature of a forged one': xml =>
      xml
        .replace('>someone-else<', `>${victim}<`)
        .replace(/ ID="[^"]*"/, ' ID="_forged"')
        .replace('</ds:Signature>', `<ds:Object>${xml.replace(signature(xml), '')}</ds:Object></ds:Signature>`),
    'a document type': xml => `<!DOCTYPE r [<!ENTITY who "${victim}">]>${xml.replace('>someone-else<', '>&who;<')}`,
    'no XML': () => 'SAMLRequest',
    'very many elements': xml => xml.replace('</samlp:LogoutRequest>', `${'<b/>'.repeat(1_000)}</samlp:LogoutRequest>`),
  }
  for (const [what, change] of Object.entries(changes))
    await assertIgnored(submit(logoutForm(company, TO, 'someone-else', { change })), new RegExp(`cannot be used|${what}`))
  await assertIgnored(submit(logoutForm(company, TO, victim, { algorithm: 'sha1' })))
})

test('a link that grows when it is unpacked is not read', async () => {
  const packed = deflateRawSync(Buffer.alloc(50_000_000, 32)).toString('base64')
  await assertIgnored(follow(`/users/auth/company/logout?SAMLRequest=${encodeURIComponent(packed.slice(0, 60_000))}&SigAlg=x&Signature=AA`))
})

test('a request of one provider ends no session of another', async () => {
  const elsewhere = await signedIn(employee(), '_victim', ['other', other])
  const { username } = await elsewhere.user()
  await assertIgnored(follow(logoutLink(other, TO, victim)))
  assert.equal((await new Browser(scene).get(logoutLink(other, `${scene.url}/users/auth/other/logout`, victim))).status, 303)
  assert.equal((await new Browser(scene).get(logoutLink(company, TO, String(username)))).status, 303)
  assert.deepEqual([await isSignedIn(session), await isSignedIn(elsewhere)], [true, true])
})

test('a request counts once, also of many at the same time', async () => {
  const login = employee()
  await signedIn(login)
  const link = logoutLink(company, TO, login, { id: '_once' })
  const raced = await Promise.all(Array.from({ length: 4 }, follow(link)))
  assert.deepEqual(raced.map(({ status }) => status).toSorted(), [303, 401, 401, 401])
  const again = await signedIn(login)
  assert.match((await new Browser(scene).get(link)).body, /was used before/)
  assert.match((await submit(logoutForm(company, TO, login, { id: '_once' }))()).body, /was used before/)
  assert.ok(await isSignedIn(again))
})

test('an assertion that is encrypted for this server signs in; one that nobody has signed, or for another key, does not', async () => {
  assert.match(await metadataOf('sealed'), /<KeyDescriptor use="encryption">/)
  const login = employee()
  const browser = await signedIn(login, undefined, ['sealed', sealed])
  assert.equal((await browser.user()).username, login)
  const brought = async (answering: Parameters<SamlProvider['answer']>[2], change = (xml: string) => xml) => {
    const window = new Browser(scene)
    const sent = await sealed.answer(await window.leave('sealed'), login, answering)
    const xml = change(Buffer.from(sent.SAMLResponse, 'base64').toString())
    assert.match(xml, /EncryptedAssertion/)
    assert.doesNotMatch(xml, new RegExp(login))
    const answer = await bring(window, 'sealed', { ...sent, SAMLResponse: Buffer.from(xml).toString('base64') })
    assert.equal(await isSignedIn(window), false)
    assert.match(answer.body, /has sent an answer that cannot be used/)
  }
  await brought({ by: makePair() })
  await brought({ hash: 'sha1' })
  await brought({ encryptedFor: makePair() })
  await brought({ audience: 'https://other.example.com' })
  await brought({}, xml =>
    xml.replace(/(<xenc:CipherValue>)([A-Za-z0-9+/]{200})/, (_, tag, text) => `${tag}${[...text].reverse().join('')}`),
  )
  await brought({}, xml => xml.replace(/<saml:EncryptedAssertion.*<\/saml:EncryptedAssertion>/s, '$&$&'))
})
