/** For tests: a SAML identity provider on this machine, by another library than the one that the server uses. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as samlify from 'samlify'
import { type Browser, listening } from '../providers/kinds/scene.ts'
import { makePair, type Pair } from './scene_pair.ts'

// What is sent by this server comes from a library: its schema is not what these tests are about.
samlify.setSchemaValidator({ validate: async () => 'valid' })

/** What an answer says, where a test wants it otherwise than usual. */
export interface Answering {
  readonly nameId?: string
  readonly format?: string
  readonly attributes?: Readonly<Record<string, string | readonly string[]>>
  readonly issuer?: string
  readonly audience?: string
  readonly destination?: string
  readonly recipient?: string
  readonly inResponseTo?: string
  /** Seconds from now at which it begins and ends. */
  readonly from?: number
  readonly until?: number
  readonly context?: string
  readonly assertionId?: string
  readonly sessionIndex?: string
  /** Whom it is encrypted for, where the provider encrypts. */
  readonly encryptedFor?: Pair
  readonly signs?: 'assertion' | 'answer' | 'both'
  readonly by?: Pair
  /** What the signature and its digest are made with. */
  readonly hash?: 'sha1' | 'sha256'
  /** Changes the text before it is signed. */
  readonly said?: (xml: string) => string
}

/** What the browser brings. */
export interface Sent {
  readonly SAMLResponse: string
  readonly RelayState: string
}

/** A provider, and the people whom it knows by their NameID. */
export interface SamlProvider {
  readonly issuer: string
  readonly ssoUrl: string
  readonly pair: Pair
  readonly people: Record<string, Readonly<Record<string, string | readonly string[]>>>
  /** Gets to know a server by its metadata. */
  meet(metadata: string): void
  /** The answer to a request: the address that the browser was sent to. */
  answer(request: URL, login: string, other?: Answering): Promise<Sent>
  /** An answer that nobody has asked for. */
  unasked(login: string, relayState: string, other?: Answering): Promise<Sent>
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** A time so many seconds from now, as SAML writes it. */
export const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString()

let made = 0

/** How assertions are encrypted; not among the types of the library. */
const encryption = {
  dataEncryptionAlgorithm: 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
  keyEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
}

/** Starts one, with a page that asks people for their names. */
export async function openSamlProvider(
  people: SamlProvider['people'],
  { requestsSigned = false, encrypts = false } = {},
): Promise<SamlProvider> {
  const pair = makePair()
  let service: { readonly entityId: string; readonly callback: string; readonly metadata: string } | undefined
  const origin = await listening((request, response) => void respond(request, response))
  const issuer = `${origin}/metadata`
  const ssoUrl = `${origin}/sso`
  const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
  const idpBy = ({ key, certificate }: Pair, hash: Answering['hash'] = 'sha256') =>
    samlify.IdentityProvider({
      entityID: issuer,
      privateKey: key,
      signingCert: certificate,
      wantAuthnRequestsSigned: requestsSigned,
      ...encryption,
      isAssertionEncrypted: encrypts,
      messageSigningOrder: 'sign-then-encrypt',
      requestSignatureAlgorithm: `http://www.w3.org/${hash === 'sha1' ? '2000/09/xmldsig' : '2001/04/xmldsig-more'}#rsa-${hash}`,
      singleSignOnService: [{ Binding: redirect, Location: ssoUrl }],
      singleLogoutService: [{ Binding: redirect, Location: `${origin}/out` }],
    })
  const spFor = ({ signs = 'assertion', encryptedFor }: Answering = {}) => {
    if (!service) throw new Error('the provider knows no server')
    const described = signs === 'answer' ? service.metadata.replace(' WantAssertionsSigned="true"', '') : service.metadata
    const certificate = encryptedFor?.certificate.replace(/-----[A-Z ]+-----|\s/g, '')
    const metadata = certificate === undefined ? described : described.replace(/(X509Certificate>)[^<]+/, `$1${certificate}`)
    return samlify.ServiceProvider({ metadata, wantMessageSigned: signs !== 'assertion' })
  }
  const issue = async (login: string, inResponseTo: string | undefined, other: Answering): Promise<string> => {
    if (!service) throw new Error('the provider knows no server')
    const values = { ...other, inResponseTo: other.inResponseTo ?? inResponseTo }
    const { said = (text: string) => text } = other
    const xml = said(responseXml({ issuer, service, login, attributes: people[login] ?? {} }, values))
    const sp = spFor(other)
    const { context } = await idpBy(other.by ?? pair, other.hash).createLoginResponse(sp, { extract: {} }, 'post', {}, () => ({
      id: '_answer',
      context: xml,
    }))
    return context
  }
  const provider: SamlProvider = {
    issuer,
    ssoUrl,
    pair,
    people,
    meet(metadata) {
      const found = (pattern: RegExp) => pattern.exec(metadata)?.[1] ?? ''
      service = { metadata, entityId: found(/entityID="([^"]+)"/), callback: found(/AssertionConsumerService [^>]*Location="([^"]+)"/) }
    },
    async answer(request, login, other = {}) {
      const query = Object.fromEntries(request.searchParams)
      const octetString = ['SAMLRequest', 'RelayState', 'SigAlg']
        .filter(name => query[name] !== undefined)
        .map(name => `${name}=${encodeURIComponent(query[name] as string)}`)
        .join('&')
      const { extract } = await idpBy(pair).parseLoginRequest(spFor(), 'redirect', { query, octetString })
      return { SAMLResponse: await issue(login, String(extract.request?.id), other), RelayState: query.RelayState ?? '' }
    },
    unasked: async (login, RelayState, other = {}) => ({ SAMLResponse: await issue(login, undefined, other), RelayState }),
  }
  return provider

  /** A page that asks for the name, and the one whose form brings the answer. */
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', origin)
    const login = url.searchParams.get('login')
    response.setHeader('content-type', 'text/html; charset=utf-8')
    const hidden = (fields: Iterable<readonly [string, string]>) =>
      [...fields].map(([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`).join('')
    const page = (form: string) => response.end(`<!doctype html><html lang="en"><title>Company sign-in</title>${form}`)
    if (login === null || !people[login]) {
      page(
        `<form action="/sso">${hidden(url.searchParams)}<label>Name <input name="login" autofocus></label> <button>Sign in to the company</button></form>`,
      )
      return
    }
    url.searchParams.delete('login')
    const sent = await provider.answer(url, login)
    page(`<form method="post" action="${service?.callback}">${hidden(Object.entries(sent))}<button>Go on</button></form>`)
  }
}

function responseXml(
  usual: {
    readonly issuer: string
    readonly service: { readonly entityId: string; readonly callback: string }
    readonly login: string
    readonly attributes: NonNullable<Answering['attributes']>
  },
  other: Answering,
): string {
  const { callback, entityId } = usual.service
  const [now, from, until] = [inSeconds(0), inSeconds(other.from ?? -1), inSeconds(other.until ?? 300)]
  const asked = other.inResponseTo === undefined ? '' : ` InResponseTo="${other.inResponseTo}"`
  const issuer = `<saml:Issuer>${escaped(other.issuer ?? usual.issuer)}</saml:Issuer>`
  const attributes = Object.entries(other.attributes ?? usual.attributes).map(
    ([name, values]) =>
      `<saml:Attribute Name="${escaped(name)}">${[values]
        .flat()
        .map(value => `<saml:AttributeValue>${escaped(value as string)}</saml:AttributeValue>`)
        .join('')}</saml:Attribute>`,
  )
  const statement = attributes.length === 0 ? '' : `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>`
  const format = other.format ?? 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
  const index = other.sessionIndex === undefined ? '' : ` SessionIndex="${other.sessionIndex}"`
  const context = other.context ?? 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport'
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_answer${++made}" Version="2.0" IssueInstant="${now}" Destination="${other.destination ?? callback}"${asked}>${issuer}<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><saml:Assertion ID="${other.assertionId ?? `_assertion${made}`}" Version="2.0" IssueInstant="${now}">${issuer}<saml:Subject><saml:NameID Format="${format}">${other.nameId ?? escaped(usual.login)}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${until}" Recipient="${other.recipient ?? callback}"${asked}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${from}" NotOnOrAfter="${until}"><saml:AudienceRestriction><saml:Audience>${other.audience ?? entityId}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${now}"${index}><saml:AuthnContext><saml:AuthnContextClassRef>${context}</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>${statement}</saml:Assertion></samlp:Response>`
}

/** Signs a browser in at a provider of the file, as this person; returns the last answer. */
export async function signInBySaml(browser: Browser, name: string, idp: SamlProvider, login: string, other: Answering = {}) {
  return bring(browser, name, await idp.answer(await browser.leave(name), login, other))
}

/** Brings an answer to the server, and follows where it leads. */
export async function bring(browser: Browser, name: string, sent: Sent) {
  const answer = await browser.post(`/users/auth/${name}/callback`, { ...sent })
  return answer.status === 303 ? browser.get(answer.headers.location as string) : answer
}
