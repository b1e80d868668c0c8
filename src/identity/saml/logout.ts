/**
 * Single logout of SAML by way of the browser (SAML profiles, section 4.4): what a provider says when a person signs out there, and what it gets when
 * they do so here. A request counts if it is signed, for this address, of now, and once. That the provider has signed a person out after a request of this
 * server changes nothing here, where the session has ended before: such an answer is not looked at.
 */
import { verify, X509Certificate } from 'node:crypto'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { uniqueViolation } from '../../platform/db/errors.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { digestOf, newLongToken } from '../../platform/kernel/secrets.ts'
import { type BroughtLogout, ProviderFailed } from '../providers/provider.ts'
import { type EndedSessions, isKeepable, type ProviderSession } from '../providers/provider_sessions.ts'
import { assertNoWeakHash, plainDocument, trimmed } from './assertion.ts'
import { certificatesIn, nameIdFormats, type SamlService, samlOf } from './relying_party.ts'

/** What a provider asks for. */
export interface LogoutRequest extends EndedSessions {
  readonly id: string
  readonly relayState: string
}

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol'

/** Bytes of a request, and tags and attributes in it: it names one person and their sessions. */
const LONGEST = 20_000
const MOST_MARKS = 400

/** Milliseconds for which a request counts after it was made. */
const LIFETIME = 5 * 60_000

const inflated = promisify(inflateRaw)

/** The algorithms of signatures over queries that count. */
const ALGORITHMS: Readonly<Record<string, string>> = {
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256': 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384': 'sha384',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512': 'sha512',
}

/**
 * Checks a request and uses it up.
 * @throws ProviderFailed for one that does not count
 */
export async function takeLogoutRequest(ctx: Context, service: SamlService, brought: BroughtLogout): Promise<LogoutRequest> {
  let request: LogoutRequest
  try {
    request = await readRequest(service, brought, ctx.now)
  } catch (error) {
    throw new ProviderFailed(`${service.label} has sent a request to sign out that cannot be used. You are signed in here as before.`, {
      cause: error,
    })
  }
  await useOnce(ctx, service, request.id)
  return request
}

async function readRequest(service: SamlService, brought: BroughtLogout, now: Date): Promise<LogoutRequest> {
  if ('query' in brought) {
    const fields = fieldsOf(brought.query)
    assertSignedQuery(service, fields)
    const packed = Buffer.from(decoded(fields, 'SAMLRequest'), 'base64')
    const xml = (await inflated(packed, { maxOutputLength: LONGEST })).toString('utf8')
    return requestIn(service, xml, decoded(fields, 'RelayState'), now)
  }
  const xml = Buffer.from(brought.SAMLRequest, 'base64').toString('utf8')
  // Before the library looks at it: it takes time that grows with the square of the elements.
  const request = requestIn(service, xml, brought.relayState, now)
  // The signature must be that of the whole document, whose own children alone are read.
  await samlOf(service).validatePostRequestAsync({ SAMLRequest: brought.SAMLRequest })
  return request
}

/** The fields of a query as they were sent, which is what is signed. Each may come once: else what is read were not what was checked. */
function fieldsOf(query: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const part of query.split('&')) {
    const at = part.indexOf('=')
    const name = decodeURIComponent(at < 0 ? part : part.slice(0, at))
    if (fields.has(name)) throw new Error(`${name} comes twice`)
    fields.set(name, at < 0 ? '' : part.slice(at + 1))
  }
  return fields
}

const decoded = (fields: ReadonlyMap<string, string>, name: string): string =>
  decodeURIComponent((fields.get(name) ?? '').replaceAll('+', '%20'))

/** SAML bindings, section 3.4.4.1. */
function assertSignedQuery({ certificates }: SamlService, fields: ReadonlyMap<string, string>): void {
  const algorithm = ALGORITHMS[decoded(fields, 'SigAlg')]
  const signature = Buffer.from(decoded(fields, 'Signature'), 'base64')
  if (algorithm === undefined || signature.length === 0) throw new Error('the request is not signed, or in a way that does not count')
  const signed = ['SAMLRequest', 'RelayState', 'SigAlg']
    .filter(name => fields.has(name))
    .map(name => `${name}=${fields.get(name)}`)
    .join('&')
  const keys = certificatesIn(certificates).map(pem => new X509Certificate(pem).publicKey)
  if (!keys.some(key => key.asymmetricKeyType === 'rsa' && verify(algorithm, Buffer.from(signed), key, signature)))
    throw new Error('the signature is wrong')
}

function requestIn(service: SamlService, xml: string, relayState: string, now: Date): LogoutRequest {
  if (xml.length > LONGEST || (xml.match(/[<=]/g)?.length ?? 0) > MOST_MARKS) throw new Error('the request is too long')
  const document = plainDocument(xml)
  assertNoWeakHash(document)
  const root = document.documentElement
  if (root.localName !== 'LogoutRequest' || root.namespaceURI !== PROTOCOL) throw new Error('it is no request to sign out')
  const texts = (name: string) =>
    Array.from(root.childNodes)
      .filter(node => node.nodeType === 1 && (node as Element).localName === name)
      .map(node => trimmed(node.textContent ?? ''))
  const [id, made] = [root.getAttribute('ID'), Date.parse(root.getAttribute('IssueInstant') ?? '')]
  const skew = service.clockSkew * 1000
  const until = root.getAttribute('NotOnOrAfter')
  const [issuer, nameId] = [texts('Issuer'), texts('NameID')]
  if (!id) throw new Error('the request has no id')
  if (issuer.length !== 1 || issuer[0] !== service.issuer) throw new Error('the request is by another issuer')
  // Required where it is signed (SAML bindings, section 3.4.5.2).
  if (root.getAttribute('Destination') !== service.logoutCallback) throw new Error('the request is meant for another address')
  if (!(made <= now.getTime() + skew && made > now.getTime() - LIFETIME - skew)) throw new Error('the request is not of now')
  if (until && !(Date.parse(until) > now.getTime() - skew)) throw new Error('the request has ended')
  const sessionIndexes = texts('SessionIndex')
  if (nameId.length !== 1 || !nameId[0]) throw new Error('the request names nobody')
  if (![nameId[0], ...sessionIndexes].every(isKeepable)) throw new Error('the request has a name that nobody has')
  return { id, nameId: nameId[0], sessionIndexes, relayState }
}

/** Keeps that a request was answered, for longer than it counts. */
async function useOnce({ deps, now }: Context, service: SamlService, id: string): Promise<void> {
  await deps.database.db
    .insertInto('saml_answers')
    .values({
      provider: `logout ${service.key}`,
      assertion_digest: digestOf(id),
      digest: digestOf(newLongToken()),
      expires_at: new Date(now.getTime() + LIFETIME + 2 * service.clockSkew * 1000),
      created_at: now,
    })
    .execute()
    .catch(error => {
      if (uniqueViolation(error) !== 'saml_answers_provider_assertion_digest_key') throw error
      throw new ProviderFailed('This request to sign out was used before.')
    })
}

/** The address of the provider with the answer to its request. */
export const logoutAnswer = (service: SamlService, { id, relayState }: LogoutRequest): Promise<string> =>
  samlOf(service).getLogoutResponseUrlAsync({ ...nobody(service), ID: id }, relayState, {}, true)

/** The address of the provider with a request to end a session there. */
export const logoutAddress = (service: SamlService, { nameId, nameIdFormat, sessionIndex }: ProviderSession): Promise<string> =>
  samlOf(service).getLogoutUrlAsync(
    {
      ...nobody(service),
      nameID: nameId,
      nameIDFormat: nameIdFormat ?? nameIdFormats.unspecified,
      ...(sessionIndex !== undefined && { sessionIndex }),
    },
    '',
    {},
  )

/** The library wants a whole profile. */
const nobody = ({ issuer }: SamlService) => ({ issuer, nameID: '', nameIDFormat: '' })
