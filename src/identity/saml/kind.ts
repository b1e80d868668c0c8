/** SAML 2.0 as a kind of provider: people sign in at the identity provider of their company, which signs who they are. */
import { X509Certificate } from 'node:crypto'
import Type, { type Static } from 'typebox'
import type { Context } from '../../platform/kernel/context.ts'
import { flag, integer, text } from '../../platform/kernel/declaration/types.ts'
import { localPath } from '../../platform/pages/frame/local_path.ts'
import type { Secret } from '../../platform/secret.ts'
import { callbackOf } from '../providers/attempts.ts'
import { assertReachable } from '../providers/kinds/asking.ts'
import { type Claims, type Provider, ProviderFailed, type ProviderKind, secretSetting } from '../providers/provider.ts'
import { keepAnswer, takeAnswer } from './answers.ts'
import { isTransient, type Said } from './assertion.ts'
import { logoutAddress, logoutAnswer, takeLogoutRequest } from './logout.ts'
import { addressOf, certificatesIn, type KeyPair, metadataOf, nameIdFormats, type SamlService } from './relying_party.ts'

const names = (about: string, usual: readonly string[]) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 20, default: [...usual], description: about })

const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'

/** The attributes that say something about a person; the first that is there counts. */
export const Attributes = Type.Object(
  {
    username: names('Username', ['username', 'nickname', 'uid', 'urn:oid:0.9.2342.19200300.100.1.1']),
    email: names('Address', ['email', 'mail', `${CLAIMS}/emailaddress`, 'urn:oid:0.9.2342.19200300.100.1.3']),
    name: names('Full name', ['name', 'displayName', 'cn', 'urn:oid:2.16.840.1.113730.3.1.241']),
    first_name: names('First name, where there is no full one', ['first_name', 'firstname', 'givenName', `${CLAIMS}/givenname`]),
    last_name: names('Last name, where there is no full one', ['last_name', 'lastname', 'sn', `${CLAIMS}/surname`]),
    groups: names('Groups', ['groups', 'Groups', 'memberOf', 'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups']),
  },
  { additionalProperties: false, default: {} },
)
type AttributeNames = Static<typeof Attributes>

const settings = Type.Object(
  {
    entity_id: text('The provider, as it names itself', { minLength: 1 }),
    sso_url: text('Where people sign in', { minLength: 1 }),
    certificate: text('What it signs with: one or more certificates as PEM', { minLength: 1 }),
    service_entity_id: Type.Optional(text('What it knows this server by; default: the address of the metadata', { minLength: 1 })),
    name_id_format: Type.Enum(Object.keys(nameIdFormats) as (keyof typeof nameIdFormats)[], { default: 'persistent' }),
    uid_attribute: Type.Optional(text('The attribute that says who a person is, in place of the NameID', { minLength: 1 })),
    attributes: Attributes,
    email_verified: flag('The addresses that it gives are verified', { default: true }),
    second_factor_contexts: Type.Array(Type.String(), {
      default: ['https://refeds.org/profile/mfa', 'http://schemas.microsoft.com/claims/multipleauthn'],
      description: 'The contexts that stand for a second factor',
    }),
    idp_initiated: flag('People may come from the provider without having been sent there', { default: false }),
    clock_skew: integer('Seconds by which the clocks may differ', { minimum: 0, maximum: 300, default: 30 }),
    signing_key: Type.Optional(secretSetting('Requests are signed with it')),
    signing_certificate: Type.Optional(text('The certificate of that key', { minLength: 1 })),
    decryption_key: Type.Optional(secretSetting('Assertions that are encrypted for this server are opened with it')),
    decryption_certificate: Type.Optional(text('The certificate of that key, for the provider', { minLength: 1 })),
    slo_url: Type.Optional(
      text('Where the provider takes requests to sign out (single logout), and the answers to its own', { minLength: 1 }),
    ),
    sign_out_url: Type.Optional(text('Where signing out leads to, to end the session there, if not by single logout', { minLength: 1 })),
  },
  { additionalProperties: false },
)
type Settings = Static<typeof settings>

/** This server as a provider of the file knows it. */
export function serviceOf(ctx: Pick<Context, 'url'>, provider: Provider<Settings>): SamlService {
  const own = provider.settings
  const callback = callbackOf(ctx, provider)
  return {
    key: `provider ${provider.name}`,
    label: provider.label,
    entityId: own.service_entity_id ?? callback.replace(/callback$/, 'metadata'),
    callback,
    issuer: own.entity_id,
    ssoUrl: own.sso_url,
    certificates: own.certificate,
    nameIdFormat: own.name_id_format,
    clockSkew: own.clock_skew,
    signing: pairOf(own.signing_key, own.signing_certificate),
    decryption: pairOf(own.decryption_key, own.decryption_certificate),
    logoutUrl: own.slo_url,
    logoutCallback: callback.replace(/callback$/, 'logout'),
  }
}

const pairOf = (key: Secret | undefined, certificate: string | undefined): KeyPair | undefined =>
  key && certificate !== undefined ? { key, certificate } : undefined

/** Throws where a text holds no certificate, or one that cannot be read. */
export function assertCertificates(pem: string, called: string): void {
  const found = certificatesIn(pem)
  if (found.length === 0 || !found.every(isCertificate)) throw new Error(`${called} must be a certificate as PEM`)
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).publicKey.asymmetricKeyType !== undefined
  } catch {
    return false
  }
}

/** What an answer says, as it is used here. @throws ProviderFailed where it names nobody. Pure. */
export function claimsOf(
  label: string,
  said: Said,
  using: { readonly uid_attribute?: string | undefined; readonly attributes: AttributeNames; readonly email_verified: boolean },
): Claims {
  const of = (wanted: readonly string[]) => wanted.flatMap(name => said.attributes[name] ?? []).filter(value => value !== '')
  const { attributes } = using
  const uid = using.uid_attribute === undefined ? !isTransient(said) && said.nameId : of([using.uid_attribute])[0]
  if (!uid) throw new ProviderFailed(`${label} does not say who you are in a way that lasts.`)
  const parts = [of(attributes.first_name)[0], of(attributes.last_name)[0]].filter(part => part !== undefined)
  return {
    uid,
    username: of(attributes.username)[0],
    name: of(attributes.name)[0] ?? (parts.length > 0 ? parts.join(' ') : undefined),
    email: of(attributes.email)[0] ?? (said.nameIdFormat === nameIdFormats.emailAddress ? said.nameId : undefined),
    emailVerified: using.email_verified,
    groups: of(attributes.groups),
  }
}

function claimsFrom(provider: Provider<Settings>, said: Said): Claims {
  const contexts = provider.settings.second_factor_contexts
  return {
    ...claimsOf(provider.label, said, provider.settings),
    secondFactor: said.contexts.some(context => contexts.includes(context)),
    session: { nameId: said.nameId, nameIdFormat: said.nameIdFormat, sessionIndex: said.sessionIndex },
  }
}

/** Milliseconds before the end of a certificate from which on administrators are warned. */
const SOON = 14 * 24 * 60 * 60 * 1000

export const saml: ProviderKind<typeof settings> = {
  name: 'saml',
  settings,
  addresses: ['sso_url', 'slo_url', 'sign_out_url'],
  assertSettings(given) {
    assertCertificates(given.certificate, 'certificate')
    for (const use of ['signing', 'decryption'] as const) {
      const [key, certificate] = [given[`${use}_key`], given[`${use}_certificate`]]
      if ((key === undefined) !== (certificate === undefined)) throw new Error(`${use}_key and ${use}_certificate belong together`)
      if (certificate !== undefined) assertCertificates(certificate, `${use}_certificate`)
    }
  },
  async check({ config, now }, provider) {
    const { sso_url, certificate } = provider.settings
    // What it says to a request without one of SAML differs; that it answers is enough.
    await assertReachable(config, provider, sso_url)
    const ends = certificatesIn(certificate).map(pem => new X509Certificate(pem).validToDate)
    const last = new Date(Math.max(...ends.map(date => date.getTime())))
    const isSoon = last.getTime() - now().getTime() < SOON
    return {
      says: `${new URL(sso_url).host} answers`,
      worry: isSoon ? `its certificate ends on ${last.toISOString().slice(0, 10)}` : undefined,
    }
  },
  byVisit: {
    async begin(ctx, provider, attempt) {
      return { location: await addressOf(serviceOf(ctx, provider), requestIdOf(attempt), attempt.state) }
    },
    async finish(ctx, provider, attempt, answer) {
      return claimsFrom(provider, await takeAnswer(ctx, serviceOf(ctx, provider), answer.get('answer') ?? '', requestIdOf(attempt)))
    },
    async signOut(ctx, provider, { session }) {
      const service = serviceOf(ctx, provider)
      return session && service.logoutUrl !== undefined ? logoutAddress(service, session) : provider.settings.sign_out_url
    },
  },
  byForm: {
    metadata: (ctx, provider) => metadataOf(serviceOf(ctx, provider)),
    async receive(ctx, provider, { answer, relayState }) {
      const service = serviceOf(ctx, provider)
      const { secret, isAsked } = await keepAnswer(ctx, service, answer)
      if (!isAsked && !provider.settings.idp_initiated)
        throw new ProviderFailed(`Please begin here: this server does not take people whom ${provider.label} sends by itself.`)
      // It is the address that the browser follows, once.
      const query = new URLSearchParams({
        answer: secret.reveal(),
        [isAsked ? 'state' : 'redirect']: isAsked ? relayState : localPath(relayState),
      })
      return `${service.callback}?${query}`
    },
    async unasked(ctx, provider, answer) {
      return claimsFrom(provider, await takeAnswer(ctx, serviceOf(ctx, provider), answer, undefined))
    },
    async takeLogout(ctx, provider, brought) {
      const service = serviceOf(ctx, provider)
      if (service.logoutUrl === undefined) return undefined
      const request = await takeLogoutRequest(ctx, service, brought)
      return { ended: request, answer: await logoutAnswer(service, request) }
    },
  },
}

/** An id of XML begins with no digit. */
const requestIdOf = (attempt: { derived(purpose: string): string }): string => `_${attempt.derived('request')}`
