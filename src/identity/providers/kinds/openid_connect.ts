/** Sign-in by OpenID Connect: discovery, the code with PKCE, and an id token whose signature, issuer, audience and nonce are checked. */

import * as client from 'openid-client'
import Type, { type Static } from 'typebox'
import type { Context } from '../../../platform/kernel/context.ts'
import { flag, text } from '../../../platform/kernel/declaration/types.ts'
import {
  type Attempt,
  type Claims,
  type Provider,
  type ProviderCheck,
  ProviderFailed,
  type ProviderKind,
  secretSetting,
} from '../provider.ts'
import { asking, fetchFor } from './asking.ts'

const settings = Type.Object(
  {
    issuer: text('Address of the provider, as it names itself', { minLength: 1 }),
    client_id: text('What it knows this server by', { minLength: 1 }),
    client_secret: Type.Optional(secretSetting('Its secret; none for a public client')),
    client_auth: Type.Enum(['client_secret_basic', 'client_secret_post'], { default: 'client_secret_basic' }),
    id_token_signed_response_alg: Type.Enum(['RS256', 'PS256', 'ES256', 'EdDSA'], { default: 'RS256' }),
    scopes: Type.Array(Type.String({ minLength: 1 }), { default: ['openid', 'profile', 'email'] }),
    username_claim: text('Claim with the username', { default: 'preferred_username' }),
    groups_claim: text('Claim with the groups; dots lead into objects', { default: 'groups' }),
    sign_out: flag('Signing out ends the session there too', { default: true }),
  },
  { additionalProperties: false },
)
type Settings = Static<typeof settings>

/** Milliseconds for which what the provider says of itself is kept. */
const KEPT = 10 * 60 * 1000

const known = new WeakMap<Provider, { readonly found: client.Configuration; readonly at: number }>()

/** What the provider says of itself. */
async function discovered({ deps }: { readonly deps: ProviderCheck }, provider: Provider<Settings>): Promise<client.Configuration> {
  const kept = known.get(provider)
  const at = deps.now().getTime()
  if (kept && Math.abs(at - kept.at) < KEPT) return kept.found
  const { issuer, client_id, client_secret, client_auth, id_token_signed_response_alg } = provider.settings
  // It goes to the provider that gave it.
  const secret = client_secret?.reveal()
  const authentication =
    secret === undefined
      ? client.None()
      : client_auth === 'client_secret_post'
        ? client.ClientSecretPost(secret)
        : client.ClientSecretBasic(secret)
  const found = await client.discovery(
    new URL(issuer),
    client_id,
    { id_token_signed_response_alg, [client.clockTolerance]: 30 },
    authentication,
    {
      [client.customFetch]: fetchFor(deps.config, provider),
      // The signature of the id token is checked although it comes over TLS.
      execute: [client.enableNonRepudiationChecks, ...(provider.private_address ? [client.allowInsecureRequests] : [])],
    },
  )
  known.set(provider, { found, at })
  return found
}

async function addressFor(ctx: Context, provider: Provider<Settings>, attempt: Attempt): Promise<string> {
  const configuration = await discovered(ctx, provider)
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: attempt.callback,
    scope: [...new Set(['openid', ...provider.settings.scopes])].join(' '),
    state: attempt.state,
    nonce: attempt.derived('nonce'),
    code_challenge: await client.calculatePKCECodeChallenge(attempt.derived('verifier')),
    code_challenge_method: 'S256',
  })
  return url.href
}

async function claimsFrom(ctx: Context, provider: Provider<Settings>, attempt: Attempt, answer: URLSearchParams): Promise<Claims> {
  const configuration = await discovered(ctx, provider)
  const tokens = await client.authorizationCodeGrant(configuration, new URL(`${attempt.callback}?${answer}`), {
    pkceCodeVerifier: attempt.derived('verifier'),
    expectedState: attempt.state,
    expectedNonce: attempt.derived('nonce'),
    idTokenExpected: true,
  })
  const idToken = tokens.claims()
  if (!idToken?.sub) throw new ProviderFailed(`${provider.label} does not say who you are.`)
  // The library looks at it where there are several audiences alone (OpenID Connect Core 3.1.3.7, 5).
  if (idToken.azp !== undefined && idToken.azp !== provider.settings.client_id)
    throw new client.ClientError('the id token was issued to another party')
  const hasUserinfo = configuration.serverMetadata().userinfo_endpoint !== undefined
  // Refused for another subject than the id token's.
  const userinfo = hasUserinfo ? await client.fetchUserInfo(configuration, tokens.access_token, idToken.sub) : {}
  return claimsOf(provider.settings, together(userinfo, idToken))
}

type Said = Readonly<Record<string, unknown>>

/**
 * The claims of an id token, and of userinfo what the token lacks. Whether the address is verified is for those to say who name it: what userinfo says of
 * one address says nothing of another one in the token. Pure.
 */
export function together<T extends Said>(userinfo: Said, idToken: T): T {
  const email = idToken.email ?? userinfo.email
  const naming = [idToken, userinfo].find(said => said.email === email && said.email_verified !== undefined)
  return { ...userinfo, ...idToken, email, email_verified: naming?.email_verified }
}

/** Claims as they are used here. Pure. */
export function claimsOf(
  { username_claim, groups_claim }: Pick<Settings, 'username_claim' | 'groups_claim'>,
  said: Readonly<Record<string, unknown>> & { readonly sub: string },
): Claims {
  const amr = Array.isArray(said.amr) ? said.amr : []
  return {
    uid: said.sub,
    username: textIn(said[username_claim]),
    name: textIn(said.name),
    email: textIn(said.email),
    emailVerified: said.email_verified === true || said.email_verified === 'true',
    groups: listIn(at(said, groups_claim)),
    secondFactor: amr.includes('mfa'),
  }
}

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const listIn = (value: unknown): string[] => [value].flat().filter(each => typeof each === 'string')

/** The claim of this name, or where its dots lead. */
function at(said: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(said, path)) return said[path]
  return path
    .split('.')
    .reduce<unknown>(
      (found, name) =>
        typeof found === 'object' && found !== null && Object.hasOwn(found, name) ? (found as Record<string, unknown>)[name] : undefined,
      said,
    )
}

async function endAddress(ctx: Context, provider: Provider<Settings>, back: string): Promise<string | undefined> {
  if (!provider.settings.sign_out) return undefined
  const configuration = await discovered(ctx, provider)
  if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined
  return client.buildEndSessionUrl(configuration, { post_logout_redirect_uri: back }).href
}

export const openidConnect: ProviderKind<typeof settings> = {
  name: 'openid_connect',
  settings,
  addresses: ['issuer'],
  async check(deps, provider) {
    const { issuer } = (await discovered({ deps }, provider)).serverMetadata()
    return { says: `${issuer} describes itself` }
  },
  byVisit: {
    begin: (ctx, provider, attempt) => asking(provider, async () => ({ location: await addressFor(ctx, provider, attempt) })),
    finish: (ctx, provider, attempt, answer) => asking(provider, () => claimsFrom(ctx, provider, attempt, answer)),
    signOut: (ctx, provider, { back }) => asking(provider, () => endAddress(ctx, provider, back)),
  },
}
