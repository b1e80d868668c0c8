/** The JSON of OAuth's endpoints. */
import Type from 'typebox'
import { entity, plain } from '../../platform/kernel/answer/entity.ts'
import { DateTime, described, flag, integer, Nullable, optional, text } from '../../platform/kernel/declaration/types.ts'
import { whyInactive } from '../../platform/kernel/request/authenticate.ts'
import type { FreshToken } from './commands.ts'
import type { GrantRow, TokenRow } from './queries.ts'

/** Seconds since 1970, the unit of OAuth. */
const seconds = (instant: string | Date): number => Math.floor(new Date(instant).getTime() / 1000)

/** Is the token valid at this time, and its user's account active? */
export const isAlive = (row: TokenRow, now: Date): boolean =>
  row.revoked_at === null &&
  (row.expires_at === null || Date.parse(row.expires_at) > now.getTime()) &&
  (row.state === null || whyInactive({ state: row.state }) === undefined)

/** RFC 6749 section 5.1, with `created_at` as in the public API. */
export const TokenAnswer = entity({
  name: 'OAuthToken',
  schema: Type.Object({
    access_token: text('The access token'),
    token_type: described('Kind of the token, `Bearer`', Type.Literal('Bearer')),
    expires_in: integer('Seconds until it expires'),
    refresh_token: optional(text('Token that gets the next access token')),
    scope: text('Scopes with spaces between'),
    id_token: optional(text('Who signed in, with the scope `openid`: a signed token (OpenID Connect)')),
    created_at: integer('Seconds since 1970'),
  }),
  present: ({ access_token, refresh_token, id_token, scopes, created_at, lifetime }: FreshToken) => ({
    access_token: access_token.reveal(),
    token_type: 'Bearer' as const,
    expires_in: lifetime,
    ...(refresh_token === undefined ? {} : { refresh_token: refresh_token.reveal() }),
    scope: scopes.join(' '),
    ...(id_token === undefined ? {} : { id_token: id_token.reveal() }),
    created_at: seconds(created_at),
  }),
})

/** `GET /oauth/token/info` as in the public API. */
export const TokenInfo = entity({
  name: 'OAuthTokenInfo',
  schema: Type.Object({
    resource_owner_id: Nullable(integer('ID of the user; null for an application of its own')),
    scope: described('Scopes of the token', Type.Array(Type.String())),
    expires_in: Nullable(integer('Seconds until it expires; null: never')),
    application: described(
      'The application',
      Type.Object({ uid: Nullable(text('ID of the application; null for a token that was made for none')) }),
    ),
    created_at: integer('Seconds since 1970'),
    scopes: Type.Array(Type.String(), { deprecated: true, description: 'Same as `scope`' }),
    expires_in_seconds: Nullable(Type.Integer(), { deprecated: true, description: 'Same as `expires_in`: seconds, or null' }),
  }),
  present(row: TokenRow, _loaded, { now }) {
    const expires_in = row.expires_at === null ? null : seconds(row.expires_at) - seconds(now)
    return {
      resource_owner_id: row.user_id,
      scope: row.scopes,
      expires_in,
      application: { uid: row.uid },
      created_at: seconds(row.created_at),
      scopes: row.scopes,
      expires_in_seconds: expires_in,
    }
  },
})

/** RFC 7662 section 2.2; a token that is not valid, or belongs to another client, is only shown as inactive. */
export const Introspection = entity({
  name: 'OAuthIntrospection',
  schema: Type.Object({
    active: flag('Whether the token is valid'),
    scope: optional(text('Scopes of the token')),
    client_id: optional(text('ID of the application')),
    username: optional(text("Username of the token's user")),
    token_type: optional(described('Kind of the token, `Bearer`', Type.Literal('Bearer'))),
    exp: optional(integer('When the token expires, in seconds since 1970')),
    iat: optional(integer('When the token was issued, in seconds since 1970')),
    sub: optional(text('ID of the user')),
  }),
  present: ({ row }: { row: TokenRow | undefined }) =>
    row === undefined
      ? { active: false }
      : {
          active: true,
          scope: row.scopes.join(' '),
          token_type: 'Bearer' as const,
          iat: seconds(row.created_at),
          ...(row.uid === null ? {} : { client_id: row.uid }),
          ...(row.username === null ? {} : { username: row.username, sub: String(row.user_id) }),
          ...(row.expires_at === null ? {} : { exp: seconds(row.expires_at) }),
        },
})

/** An empty object: RFC 7009 defines no body for a revocation. */
export const Revoked = plain('OAuthRevoked', Type.Object({}))

/** What both documents about the provider have. */
const metadataFields = {
  issuer: text('Address of the instance, as the issuer of tokens'),
  authorization_endpoint: text('Address where users authorize applications'),
  token_endpoint: text('Address where tokens are issued'),
  revocation_endpoint: text('Address where tokens are revoked'),
  introspection_endpoint: text('Address where tokens are described'),
  device_authorization_endpoint: text('Address where devices without a browser ask'),
  scopes_supported: described('Supported scopes', Type.Array(Type.String())),
  response_types_supported: described('Supported response types', Type.Array(Type.String())),
  grant_types_supported: described('Supported grant types', Type.Array(Type.String())),
  token_endpoint_auth_methods_supported: described('Supported ways of client authentication', Type.Array(Type.String())),
  code_challenge_methods_supported: described('Supported PKCE methods', Type.Array(Type.String())),
  authorization_response_iss_parameter_supported: flag('Whether answers to applications name the issuer (RFC 9207)'),
  jwks_uri: text('Address of the keys that verify id tokens'),
  service_documentation: text('Address of the documentation'),
}

/** RFC 8414 section 2. */
export const Metadata = plain('OAuthMetadata', Type.Object(metadataFields))

/** OpenID Connect Discovery 1.0 section 3. */
export const OpenIdConfiguration = plain(
  'OpenIdConfiguration',
  Type.Object({
    ...metadataFields,
    userinfo_endpoint: text('Address where an application learns about the user'),
    response_modes_supported: described('Supported ways back to the application', Type.Array(Type.String())),
    subject_types_supported: described('Kinds of ids of users', Type.Array(Type.String())),
    id_token_signing_alg_values_supported: described('Algorithms of signatures', Type.Array(Type.String())),
    claim_types_supported: described('Kinds of claims', Type.Array(Type.String())),
    claims_supported: described('What id tokens and `/oauth/userinfo` can say', Type.Array(Type.String())),
    prompt_values_supported: described('What an application may ask of the sign-in', Type.Array(Type.String())),
    claims_parameter_supported: flag('Whether single claims can be asked for'),
    request_parameter_supported: flag('Whether requests can be signed'),
    request_uri_parameter_supported: flag('Whether requests can be kept elsewhere'),
  }),
)

/** A grant of a user, as shown to them. */
export const OAuthGrant = entity({
  name: 'OAuthGrant',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    application: Nullable(
      Type.Object({
        id: integer('ID, unique on the instance'),
        application_id: text('The client id'),
        application_name: text('Name of the application'),
      }),
      { description: 'Null where a password was exchanged without an application' },
    ),
    scopes: described('What the token may be used for', Type.Array(Type.String())),
    created_at: DateTime('When it was granted'),
    last_used_at: Nullable(DateTime('When it was last used; null: never')),
    expires_at: DateTime('When it ends unless it is refreshed'),
  }),
  present: (row: GrantRow) => ({
    id: row.id,
    application:
      row.application_id === null
        ? null
        : { id: row.application_id, application_id: row.uid as string, application_name: row.application_name as string },
    scopes: row.scopes,
    created_at: row.granted_at,
    last_used_at: row.last_used_at,
    expires_at: row.expires_at as unknown as string,
  }),
})
