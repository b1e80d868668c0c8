/** The JSON of OAuth's endpoints. */
import Type from 'typebox'
import { entity, plain } from '../../platform/kernel/answer/entity.ts'
import { whyInactive } from '../../platform/kernel/request/authenticate.ts'
import { DateTime, Nullable } from '../../platform/kernel/types.ts'
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
    access_token: Type.String(),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds' }),
    refresh_token: Type.Optional(Type.String()),
    scope: Type.String({ description: 'Scopes with spaces between' }),
    created_at: Type.Integer({ description: 'Seconds since 1970' }),
  }),
  present: ({ access_token, refresh_token, scopes, created_at, lifetime }: FreshToken) => ({
    access_token: access_token.reveal(),
    token_type: 'Bearer' as const,
    expires_in: lifetime,
    ...(refresh_token === undefined ? {} : { refresh_token: refresh_token.reveal() }),
    scope: scopes.join(' '),
    created_at: seconds(created_at),
  }),
})

/** `GET /oauth/token/info` as in the public API. */
export const TokenInfo = entity({
  name: 'OAuthTokenInfo',
  schema: Type.Object({
    resource_owner_id: Nullable(Type.Integer()),
    scope: Type.Array(Type.String()),
    expires_in: Nullable(Type.Integer({ description: 'Seconds' })),
    application: Type.Object({ uid: Nullable(Type.String()) }),
    created_at: Type.Integer({ description: 'Seconds since 1970' }),
    scopes: Type.Array(Type.String(), { deprecated: true, description: 'Same as `scope`' }),
    expires_in_seconds: Nullable(Type.Integer(), { deprecated: true, description: 'Same as `expires_in`' }),
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
    active: Type.Boolean(),
    scope: Type.Optional(Type.String()),
    client_id: Type.Optional(Type.String()),
    username: Type.Optional(Type.String()),
    token_type: Type.Optional(Type.Literal('Bearer')),
    exp: Type.Optional(Type.Integer()),
    iat: Type.Optional(Type.Integer()),
    sub: Type.Optional(Type.String()),
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

/** RFC 8414 section 2. */
export const Metadata = plain(
  'OAuthMetadata',
  Type.Object({
    issuer: Type.String(),
    authorization_endpoint: Type.String(),
    token_endpoint: Type.String(),
    revocation_endpoint: Type.String(),
    introspection_endpoint: Type.String(),
    scopes_supported: Type.Array(Type.String()),
    response_types_supported: Type.Array(Type.String()),
    grant_types_supported: Type.Array(Type.String()),
    token_endpoint_auth_methods_supported: Type.Array(Type.String()),
    code_challenge_methods_supported: Type.Array(Type.String()),
    service_documentation: Type.String(),
  }),
)

/** A grant of a user, as shown to them. */
export const OAuthGrant = entity({
  name: 'OAuthGrant',
  schema: Type.Object({
    id: Type.Integer(),
    application: Nullable(
      Type.Object({
        id: Type.Integer(),
        application_id: Type.String({ description: 'The client id' }),
        application_name: Type.String(),
      }),
      { description: 'Null where a password was exchanged without an application' },
    ),
    scopes: Type.Array(Type.String()),
    created_at: DateTime({ description: 'When it was granted' }),
    last_used_at: Nullable(DateTime()),
    expires_at: DateTime({ description: 'When it ends unless it is refreshed' }),
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
