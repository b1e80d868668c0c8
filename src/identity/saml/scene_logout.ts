/** For tests: single logout at the other end, the requests of a provider and what it reads of ours, by another library than the server's. */
import { createSign } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import * as samlify from 'samlify'
import { inSeconds, type SamlProvider } from './scene.ts'
import type { Pair } from './scene_pair.ts'

/** What a request says, where a test wants it otherwise than usual. */
export interface LoggingOut {
  readonly id?: string
  readonly sessionIndexes?: readonly string[]
  readonly issuer?: string
  readonly destination?: string
  /** Seconds from now at which it was made, and at which it ends. */
  readonly made?: number
  readonly until?: number
  readonly by?: Pair
  readonly algorithm?: 'sha1' | 'sha256'
}

let made = 0

function requestXml(idp: SamlProvider, to: string, nameId: string, other: LoggingOut): string {
  const until = other.until === undefined ? '' : ` NotOnOrAfter="${inSeconds(other.until)}"`
  const indexes = (other.sessionIndexes ?? []).map(index => `<samlp:SessionIndex>${index}</samlp:SessionIndex>`).join('')
  return `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${other.id ?? `_logout${++made}`}" Version="2.0" IssueInstant="${inSeconds(other.made ?? 0)}" Destination="${other.destination ?? to}"${until}><saml:Issuer>${other.issuer ?? idp.issuer}</saml:Issuer><saml:NameID>${nameId}</saml:NameID>${indexes}</samlp:LogoutRequest>`
}

const pathOf = (to: string) => new URL(to).pathname

/** The path that a browser is led to, with a signature over the query. */
export function logoutLink(idp: SamlProvider, to: string, nameId: string, other: LoggingOut = {}): string {
  const packed = deflateRawSync(requestXml(idp, to, nameId, other)).toString('base64')
  const { algorithm = 'sha256' } = other
  const SigAlg = algorithm === 'sha1' ? 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' : 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
  const fields = { SAMLRequest: packed, RelayState: 'back & forth', SigAlg }
  const query = Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  const signature = createSign(`RSA-${algorithm.toUpperCase()}`)
    .update(query)
    .sign((other.by ?? idp.pair).key, 'base64')
  return `${pathOf(to)}?${query}&Signature=${encodeURIComponent(signature)}`
}

/** The form that a browser is given, with a signature in the document; `change` alters it afterwards. */
export function logoutForm(
  idp: SamlProvider,
  to: string,
  nameId: string,
  { change = (xml: string) => xml, ...other }: LoggingOut & { readonly change?: (xml: string) => string } = {},
): Record<string, string> {
  const root = "/*[local-name(.)='LogoutRequest']"
  const { key, certificate } = other.by ?? idp.pair
  const signed = samlify.SamlLib.constructSAMLSignature({
    rawSamlMessage: requestXml(idp, to, nameId, other),
    referenceTagXPath: root,
    privateKey: key,
    signatureAlgorithm: `http://www.w3.org/${other.algorithm === 'sha1' ? '2000/09/xmldsig#rsa-sha1' : '2001/04/xmldsig-more#rsa-sha256'}`,
    signingCert: certificate.replace(/-----[A-Z ]+-----|\s/g, ''),
    isBase64Output: false,
    signatureConfig: { prefix: 'ds', location: { reference: `${root}/*[local-name(.)='Issuer']`, action: 'after' } },
  })
  return { SAMLRequest: Buffer.from(change(signed)).toString('base64'), RelayState: 'back & forth' }
}

/** What this server has sent by an address. */
export interface SentLogout {
  readonly xml: string
  readonly relayState: string | null
  readonly isSigned: boolean
}

export function sentLogout(address: string): SentLogout {
  const { searchParams } = new URL(address)
  const packed = searchParams.get('SAMLRequest') ?? searchParams.get('SAMLResponse') ?? ''
  const xml = inflateRawSync(Buffer.from(packed, 'base64')).toString('utf8')
  return { xml, relayState: searchParams.get('RelayState'), isSigned: searchParams.has('Signature') }
}

/** Reads a request of this server as the provider does, with its signature. */
export async function readByProvider(idp: SamlProvider, metadata: string, address: string) {
  const query = Object.fromEntries(new URL(address).searchParams)
  const octetString = ['SAMLRequest', 'RelayState', 'SigAlg']
    .filter(name => query[name] !== undefined)
    .map(name => `${name}=${encodeURIComponent(query[name] as string)}`)
    .join('&')
  const reader = samlify.IdentityProvider({
    entityID: idp.issuer,
    signingCert: idp.pair.certificate,
    wantLogoutRequestSigned: true,
    singleSignOnService: [{ Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: idp.ssoUrl }],
  })
  const { extract } = await reader.parseLogoutRequest(samlify.ServiceProvider({ metadata }), 'redirect', { query, octetString })
  return extract as { readonly nameID: string; readonly sessionIndex?: string }
}
