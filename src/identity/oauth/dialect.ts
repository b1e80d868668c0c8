/** The dialect of the OAuth endpoints: errors according to RFC 6749 section 5.2, and callers that are clients, not users. */
import Type from 'typebox'
import { anonymous } from '../../platform/access/actor.ts'
import { type Dialect, type ErrorAnswer, root } from '../../platform/kernel/declaration/dialect.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { Refusal, type RefusalKind } from '../../platform/kernel/errors.ts'

/** The error codes of the protocol (RFC 6749 sections 4.1.2.1 and 5.2, RFC 6750 section 3.1). */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_token'
  | 'insufficient_scope'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'temporarily_unavailable'
  | 'server_error'

/** A refusal in the form of OAuth. */
export const oauthRefusal = (
  kind: RefusalKind,
  error: OAuthErrorCode,
  error_description: string,
  headers: Record<string, string> = {},
): Refusal => new Refusal(kind, { error, error_description }, headers)

/** 401 for an access token that opens nothing, in the form of RFC 6750. */
export const invalidToken = () =>
  oauthRefusal('unauthenticated', 'invalid_token', 'The access token is unknown, expired or revoked', {
    'www-authenticate': 'Bearer realm="Ingot", error="invalid_token"',
  })

/** Answers contain tokens, so caches must not store them (RFC 6749 section 5.1). */
const headers = { 'cache-control': 'no-store', pragma: 'no-cache' }

const answer = (status: number, body: unknown, more: Record<string, string> = {}): ErrorAnswer => ({
  status,
  mediaType: root.mediaType,
  body: JSON.stringify(body),
  headers: more,
})

export const oauth: Dialect = {
  ...root,
  name: 'oauth',
  headers,
  bodyLimit: 64 * 1024,
  credentials: ['basic'],
  refusalBody: Type.Object({
    error: text('A code of RFC 6749'),
    error_description: text('What is wrong, for a person'),
  }),
  // Clients authenticate inside the request by the methods of OAuth (clients.ts).
  authenticate: async () => anonymous,
  refuse: refusal => answer(refusal.status, inOAuthWords(refusal), refusal.headers),
  fail: (requestId, status) =>
    answer(status, {
      error: status === 503 ? 'temporarily_unavailable' : 'server_error',
      error_description: `Request ${requestId} failed`,
    }),
}

/** The kernel's refusals (a missing parameter, too many requests) in OAuth's form. */
function inOAuthWords({ kind, body }: Refusal): unknown {
  const { error, message } = (body ?? {}) as { error?: unknown; message?: unknown }
  // A code of OAuth's own; elsewhere `error` is a sentence.
  if (typeof error === 'string' && /^[a-z_]+$/.test(error)) return body
  const said = error ?? message
  const description = typeof said === 'string' ? said : JSON.stringify(said ?? kind)
  const passes = kind === 'too_many_requests' || kind === 'unavailable' || kind === 'insufficient_storage'
  return { error: passes ? 'temporarily_unavailable' : 'invalid_request', error_description: description }
}
