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
  readonly signing?: KeyPair | undefined
  /** What assertions are encrypted for; undefined: they come as they are. */
  readonly decryption?: KeyPair | undefined
  /** Where the provider takes requests to sign out and answers to its own; undefined: it knows no single logout. */
  readonly logoutUrl?: string | undefined
  /** Where it sends them to. */
  readonly logoutCallback: string
}

/** A key and its certificate, as PEM. */
export interface KeyPair {
  readonly key: Secret
  readonly certificate: string
}

/** Each certificate of a text that holds some. */
export const certificatesIn = (pem: string): string[] => pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []

/** The library for a service; `requestId` is that of the request to make, `decryptionKey` what assertions are opened with. */
export const samlOf = (service: SamlService, requestId?: string, decryptionKey?: string): SAML =>
  new SAML({ ...optionsOf(service, requestId), ...(decryptionKey !== undefined && { decryptionPvk: decryptionKey }) })

const optionsOf = (service: SamlService, requestId = `_${randomBytes(16).toString('hex')}`): SamlConfig => ({
  issuer: service.entityId,
  audience: service.entityId,
  callbackUrl: service.callback,
  entryPoint: service.ssoUrl,
  idpCert: certificatesIn(service.certificates),
  // Stands in the description where the provider knows single logout.
  ...(service.logoutUrl !== undefined && { logoutUrl: service.logoutUrl, logoutCallbackUrl: service.logoutCallback }),
  idpIssuer: service.issuer,
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
  new SAML({
    ...optionsOf(service),
    wantAssertionsSigned: true,
    ...(service.decryption && { decryptionPvk: service.decryption.key.reveal() }),
  })
    .generateServiceProviderMetadata(service.decryption?.certificate ?? null, service.signing?.certificate ?? null)
    // The library names one binding; links are taken too.
    .replace(/( *)<SingleLogoutService Binding="([^"]+)HTTP-POST"([^>]*)>\n?/, '$&$1<SingleLogoutService Binding="$2HTTP-Redirect"$3>\n')

/** The address of the provider for one sign-in. */
export const addressOf = (service: SamlService, requestId: string, relayState: string): Promise<string> =>
  samlOf(service, requestId).getAuthorizeUrlAsync(relayState, undefined, {})
