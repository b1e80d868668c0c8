/** The OpenID Connect provider (Core 1.0, Discovery 1.0) on the OAuth provider, and the metadata of both (RFC 8414). */
import Type from 'typebox'
import { applicationScopes } from '../../../platform/access/credentials/token_scopes.ts'
import { plain } from '../../../platform/kernel/answer/entity.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { endpoint, one } from '../../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../../platform/kernel/declaration/scope.ts'
import { described, flag, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { bearerToken } from '../../../platform/kernel/request/authenticate.ts'
import { digestOf } from '../../../platform/kernel/secrets.ts'
import { ALGORITHM } from '../../signing_keys/commands.ts'
import { publishedKeys } from '../../signing_keys/queries.ts'
import { grantTypes } from '../clients.ts'
import { invalidToken, oauth, oauthRefusal } from '../dialect.ts'
import { isAlive, Metadata, OpenIdConfiguration } from '../entity.ts'
import { tokenByAccess } from '../queries.ts'
import { claimNames, subjectById, userInfoClaims } from './claims.ts'

const metadataOf = (url: string) => ({
  issuer: url,
  authorization_endpoint: `${url}/oauth/authorize`,
  token_endpoint: `${url}/oauth/token`,
  revocation_endpoint: `${url}/oauth/revoke`,
  introspection_endpoint: `${url}/oauth/introspect`,
  device_authorization_endpoint: `${url}/oauth/authorize_device`,
  scopes_supported: [...applicationScopes],
  response_types_supported: ['code'],
  grant_types_supported: [...grantTypes],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
  code_challenge_methods_supported: ['S256', 'plain'],
  authorization_response_iss_parameter_supported: true,
  jwks_uri: `${url}/oauth/discovery/keys`,
  service_documentation: `${url}/-/docs`,
})

export const getMetadata = endpoint({
  route: 'GET /.well-known/oauth-authorization-server',
  summary: 'Get what this OAuth provider can do',
  scope: inInstance,
  can: 'read_instance',
  dialect: oauth,
  answers: one(Metadata),
  run: ({ url }) => metadataOf(url),
})

export const getOpenIdConfiguration = endpoint({
  route: 'GET /.well-known/openid-configuration',
  summary: 'Get what this OpenID Connect provider can do',
  scope: inInstance,
  can: 'read_instance',
  dialect: oauth,
  answers: one(OpenIdConfiguration),
  run: ({ url }) => ({
    ...metadataOf(url),
    userinfo_endpoint: `${url}/oauth/userinfo`,
    response_modes_supported: ['query'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [ALGORITHM],
    claim_types_supported: ['normal'],
    claims_supported: ['iss', 'aud', 'exp', 'iat', 'nonce', 'auth_time', ...claimNames],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  }),
})

/** RFC 7517 section 5. */
const KeySet = plain(
  'JsonWebKeySet',
  Type.Object({
    keys: described(
      'Public keys, the current one first',
      Type.Array(
        Type.Object({
          kty: described('Kind of key', Type.Literal('RSA')),
          kid: text('ID of the key, named in the head of a token'),
          e: text('Exponent'),
          n: text('Modulus'),
          use: described('For signatures', Type.Literal('sig')),
          alg: described('Algorithm', Type.Literal(ALGORITHM)),
        }),
      ),
    ),
  }),
)

const keySet = { ...oauth, headers: { 'cache-control': 'public, max-age=300' } }

/** The same key set at two addresses: that of the provider, and that which job tokens had first. */
const keysAt = (route: `GET /${string}`, summary: string) =>
  endpoint({
    route,
    summary,
    scope: inInstance,
    can: 'read_instance',
    dialect: keySet,
    answers: one(KeySet),
    run: async ({ db, now }: Context) => ({ keys: await publishedKeys(db, now) }),
  })

export const getKeys = keysAt('GET /oauth/discovery/keys', 'Get the keys that verify id tokens')
export const getJobKeys = keysAt('GET /-/jwks', 'Get the keys that verify the tokens of jobs')

const UserInfo = plain(
  'OpenIdUserInfo',
  Type.Object({
    sub: text('ID of the user, for good'),
    name: text('Full name'),
    nickname: text('Username'),
    preferred_username: text('Username'),
    email: optional(text('A confirmed address: the primary one with the scope `email`, else the public one')),
    email_verified: optional(flag('Whether it is confirmed')),
    website: optional(text("Address of the user's website")),
    profile: text('Address of the profile'),
    picture: optional(text('Address of the avatar')),
    groups: described('Paths of the groups that the user is a member of, directly or through one above', Type.Array(Type.String())),
    'https://gitlab.org/claims/groups/owner': optional(
      described('Paths of the groups with the role Owner of their own', Type.Array(Type.String())),
    ),
    'https://gitlab.org/claims/groups/maintainer': optional(
      described('Paths of the groups with the role Maintainer of their own', Type.Array(Type.String())),
    ),
    'https://gitlab.org/claims/groups/developer': optional(
      described('Paths of the groups with the role Developer of their own', Type.Array(Type.String())),
    ),
  }),
)

const tokenParam = { access_token: optional(text('The token; or by `Authorization: Bearer`', { maxLength: 4096 })) }

async function userInfo(ctx: Context & { readonly params: { readonly access_token?: string | undefined } }) {
  const token = bearerToken(ctx.request.headers) ?? ctx.params.access_token ?? ''
  const row = await tokenByAccess(ctx.db, digestOf(token))
  if (!row || row.user_id === null || !isAlive(row, ctx.now)) throw invalidToken()
  if (!row.scopes.includes('openid'))
    throw oauthRefusal('forbidden', 'insufficient_scope', 'The access token needs the scope `openid`', {
      'www-authenticate': 'Bearer realm="Ingot", error="insufficient_scope", scope="openid"',
    })
  const subject = await subjectById(ctx.db, row.user_id)
  if (!subject) throw invalidToken()
  return userInfoClaims(subject, row.scopes, ctx.url)
}

const aboutUser = {
  scope: inInstance,
  can: 'read_instance',
  dialect: oauth,
  params: tokenParam,
} as const

export const getUserInfo = endpoint({
  ...aboutUser,
  route: 'GET /oauth/userinfo',
  summary: 'Get who the user of an access token is',
  answers: one(UserInfo),
  run: userInfo,
})

export const postUserInfo = endpoint({
  ...aboutUser,
  route: 'POST /oauth/userinfo',
  summary: 'Get who the user of an access token is, by a form',
  anonymous: true,
  answers: one(UserInfo, 200),
  run: userInfo,
})
