/**
 * What the OAuth library and we agree on: its requests made of our parameters, its errors as our refusals. The library
 * knows the protocol (which grant needs what, PKCE, redirect URIs); what it asks of storage stands in grants.ts and
 * authorization.ts.
 */
import OAuth2Server from '@node-oauth/oauth2-server'
import { type TokenScope, tokenScopes } from '../../platform/access/token_scopes.ts'
import type { RefusalKind } from '../../platform/kernel/errors.ts'
import { type OAuthErrorCode, oauthRefusal } from './dialect.ts'

/** Parameters as the kernel read them; empty ones count as absent (RFC 6749 section 3.1). */
export type OAuthParams = Readonly<Record<string, string | undefined>>

/** A request for the library. The kernel has read the body already, whatever its type was; the library takes forms. */
export function requestOf(params: OAuthParams): OAuth2Server.Request {
  const body = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined && value !== ''))
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '1' }
  return new OAuth2Server.Request({ method: 'POST', headers, query: {}, body })
}

/** What we are told no with; anything unforeseen is thrown as it was, to be logged and answered like any failure. */
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
 * The scopes that a token gets: those asked for if all are allowed, false otherwise. Nothing asked for means `api`, or
 * everything allowed where that is not (public behaviour of the applications API: `api` is the default scope).
 */
export function grantedScopes(wanted: readonly string[] | undefined, allowed: readonly TokenScope[]): TokenScope[] | false {
  if (wanted === undefined) return allowed.includes('api') ? ['api'] : [...allowed]
  const known = tokenScopes.filter(scope => wanted.includes(scope) && allowed.includes(scope))
  return known.length === new Set(wanted).size ? known : false
}
