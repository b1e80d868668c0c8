/** What this server is to one SAML identity provider: the requests that it sends, and how it describes itself. */
import { randomBytes } from 'node:crypto'
import { SAML, type SamlConfig, ValidateInResponseTo } from '@node-saml/node-saml'
import type { Secret } from '../../platform/secret.ts'

/** The forms of a name in an assertion (SAML core, section 8.3). */
export const nameIdFormats = {
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  emailAddress: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  unspecified: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
} as const

/** This server as one identity provider knows it, and that provider. */
export interface SamlService {
  /** What answers are kept under: assertions of one are never taken for those of another. */
  readonly key: string
  /** In messages. */
  readonly label: string
  /** What the provider knows this server by. */
  readonly entityId: string
  /** Where the provider sends its answers to. */
  readonly callback: string
  /** What the provider names itself. */
  readonly issuer: string
  /** Where people sign in. */
  readonly ssoUrl: string
  /** The certificates of its signatures, as PEM. */
  readonly certificates: string
  readonly nameIdFormat: keyof typeof nameIdFormats
  /** Seconds by which the clocks may differ. */
  readonly clockSkew: number
  /** What requests are signed with; undefined: they are not. */
  readonly signing?: { readonly key: Secret; readonly certificate: string } | undefined
}

/** Each certificate of a text that holds some. */
export const certificatesIn = (pem: string): string[] => pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []

/** The library for a service; `requestId` is that of the request to make. */
export const samlOf = (service: SamlService, requestId?: string): SAML => new SAML(optionsOf(service, requestId))

const optionsOf = (service: SamlService, requestId = `_${randomBytes(16).toString('hex')}`): SamlConfig => ({
  issuer: service.entityId,
  audience: service.entityId,
  callbackUrl: service.callback,
  entryPoint: service.ssoUrl,
  idpCert: certificatesIn(service.certificates),
  identifierFormat: nameIdFormats[service.nameIdFormat],
  signatureAlgorithm: 'sha256',
  digestAlgorithm: 'sha256',
  disableRequestedAuthnContext: true,
  generateUniqueId: () => requestId,
  // The signature of the answer or that of the assertion in it is required. Nothing is read but what it covers.
  wantAuthnResponseSigned: false,
  wantAssertionsSigned: false,
  // Times and the request are checked with the clock and the attempts of this server (assertion.ts).
  acceptedClockSkewMs: -1,
  validateInResponseTo: ValidateInResponseTo.never,
  // It signs what goes to the provider, and stays here.
  ...(service.signing && { privateKey: service.signing.key.reveal(), publicCert: service.signing.certificate }),
})

/** The description of this server that the provider is given. It asks for signed assertions; a signed answer around them is enough. */
export const metadataOf = (service: SamlService): string =>
  new SAML({ ...optionsOf(service), wantAssertionsSigned: true }).generateServiceProviderMetadata(
    null,
    service.signing?.certificate ?? null,
  )

/** The address of the provider for one sign-in. */
export const addressOf = (service: SamlService, requestId: string, relayState: string): Promise<string> =>
  samlOf(service, requestId).getAuthorizeUrlAsync(relayState, undefined, {})
