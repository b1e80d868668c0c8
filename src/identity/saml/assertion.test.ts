/** Answers of very many elements: those of people in many groups count, and no other holds the process. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProviderFailed } from '../providers/provider.ts'
import { verifyAnswer } from './assertion.ts'
import { metadataOf, type SamlService } from './relying_party.ts'
import { openSamlProvider } from './scene.ts'

const idp = await openSamlProvider({})
const service: SamlService = {
  key: 'provider many',
  label: 'Many',
  entityId: 'https://here.example/metadata',
  callback: 'https://here.example/callback',
  logoutCallback: 'https://here.example/logout',
  issuer: idp.issuer,
  ssoUrl: idp.ssoUrl,
  certificates: idp.pair.certificate,
  nameIdFormat: 'persistent',
  clockSkew: 30,
}
idp.meet(metadataOf(service))
const limits = { inline: 800, most: 20_000, time: 60_000 }

const encoded = (inner: string): string =>
  Buffer.from(
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_a">${inner}</samlp:Response>`,
  ).toString('base64')

test('a person of two thousand groups is read', async () => {
  const groups = Array.from({ length: 2_000 }, (_, at) => `group ${at}`)
  const { SAMLResponse } = await idp.unasked('ida', '', { attributes: { groups } })

  const { nameId, attributes } = await verifyAnswer(service, SAMLResponse, new Date(), limits)

  assert.deepEqual([nameId, attributes.groups], ['ida', groups])
})

test('the white space of XML around a name is none of it, and other spaces are', async () => {
  for (const [given, read] of [
    ['\n\t ida \n', 'ida'],
    ['ida\u00a0', 'ida\u00a0'],
    ['\ufeffida\u2003', '\ufeffida\u2003'],
  ] as const) {
    const { SAMLResponse } = await idp.unasked('ida', '', { nameId: given, attributes: { employee: [given] } })
    const { nameId, attributes } = await verifyAnswer(service, SAMLResponse, new Date(), limits)
    assert.deepEqual([nameId, attributes.employee], [read, [read]])
  }
})

test('in many elements a wrong signature is as wrong as in few', async () => {
  const { SAMLResponse } = await idp.unasked('ida', '', { attributes: { groups: Array.from({ length: 600 }, () => 'builders') } })
  const forged = Buffer.from(Buffer.from(SAMLResponse, 'base64').toString('utf8').replace('builders', 'chiefs')).toString('base64')

  await assert.rejects(verifyAnswer(service, forged, new Date(), limits), ProviderFailed)
})

test('an answer of more elements than any provider sends is refused unread', async () => {
  await assert.rejects(verifyAnswer(service, encoded('<b/>'.repeat(30_000)), new Date(), { ...limits, time: 0 }), ({ cause }: Error) =>
    /too many elements/.test((cause as Error).message),
  )
})

test('answers that take long are refused, and leave time for other work', async () => {
  const nested = Array.from({ length: 4_000 }, (_, at) => `<a${at}:x xmlns:a${at}="u${at}">`).join('')
  for (const inner of [
    `<saml:Assertion ID="_b">${'<b/>'.repeat(15_000)}</saml:Assertion>`,
    nested,
    `<b ${Array.from({ length: 12_000 }, (_, at) => `a${at}=""`).join(' ')}/>`,
  ]) {
    let turns = 0
    let isOver = false
    const turn = () => {
      turns += 1
      if (!isOver) setImmediate(turn)
    }
    setImmediate(turn)
    await assert.rejects(verifyAnswer(service, encoded(inner), new Date(), { ...limits, time: 100 }), ProviderFailed)
    isOver = true
    assert.ok(turns > 1, `${turns} turns`)
  }
})
