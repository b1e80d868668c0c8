/**
 * The adapter to the OAuth library: our parameters become its requests, and its errors our refusals. The library implements the protocol
 * (what each grant needs, PKCE, redirect URIs); its storage models are in grants.ts and authorization.ts.
 */
import OAuth2Server from '@node-oauth/oauth2-server'
import { type ApplicationScope, applicationScopes } from '../../platform/access/credentials/token_scopes.ts'
import type { RefusalKind } from '../../platform/kernel/errors.ts'
import { type OAuthErrorCode, oauthRefusal } from './dialect.ts'

/** Parameters as the kernel read them; empty ones count as absent (RFC 6749 section 3.1). */
export type OAuthParams = Readonly<Record<string, string | undefined>>

/** A request for the library. The kernel has parsed the body already, whatever its type; the library accepts forms. */
export function requestOf(params: OAuthParams): OAuth2Server.Request {
  const body = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined && value !== ''))
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '1' }
  return new OAuth2Server.Request({ method: 'POST', headers, query: {}, body })
}

/** The error as an error of the protocol; an unexpected one is thrown unchanged, to be logged and answered like any failure. */
export function protocolError(error: unknown): OAuth2Server.OAuthError {
  if (!(error instanceof OAuth2Server.OAuthError)) throw error
  if (error.code >= 500) throw (error as { inner?: unknown }).inner ?? error
  return error
}

/** An error of the protocol as a refusal (RFC 6749 section 5.2). */
export function refusalOf(error: OAuth2Server.OAuthError) {
  const kind: RefusalKind = error.name === 'invalid_client' ? 'unauthenticated' : 'bad_request'
  return oauthRefusal(kind, error.name as OAuthErrorCode, error.message)
}

/**
 * The scopes of a new token: the requested ones if all are allowed, false otherwise. An empty request means `api`, or all allowed ones if
 * `api` is not allowed (public behaviour of the applications API: `api` is the default scope).
 */
export function grantedScopes(wanted: readonly string[] | undefined, allowed: readonly ApplicationScope[]): ApplicationScope[] | false {
  if (wanted === undefined) return allowed.includes('api') ? ['api'] : [...allowed]
  const known = applicationScopes.filter(scope => wanted.includes(scope) && allowed.includes(scope))
  return known.length === new Set(wanted).size ? known : false
}
