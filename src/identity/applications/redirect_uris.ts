/** The redirect URIs of an application (RFC 6749 section 3.1.2, RFC 8252 section 7). */
import { hasLinkCharacters } from '../../platform/kernel/addresses/web_address.ts'

/** Schemes that a browser would execute or open itself. */
const forbidden = new Set(['javascript:', 'data:', 'vbscript:', 'file:', 'about:', 'blob:', 'urn:'])

/** The redirect URIs of an application, stored as one text separated by white space. */
export const redirectUrisOf = (text: string): string[] => text.split(/\s+/).filter(uri => uri !== '')

/** The validation messages for the URIs. */
export function redirectUriFailures(text: string): string[] {
  const uris = redirectUrisOf(text)
  if (uris.length === 0) return ["can't be blank"]
  const problems = new Set<string>()
  if (/^\s/.test(text)) problems.add('must be an absolute URI.')
  for (const uri of uris) {
    if (!hasLinkCharacters(uri) || !URL.canParse(uri)) problems.add('must be an absolute URI.')
    else if (uri.includes('#')) problems.add('cannot contain a fragment.')
    else if (forbidden.has(new URL(uri).protocol)) problems.add('is forbidden by the server.')
  }
  return [...problems]
}

/**
 * Is `uri` one of those registered? The match is exact, except for the port of an address on the client's own machine, which native
 * applications choose when they start (RFC 8252 section 7.3).
 */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  return registered.some(known => known === uri || (isLoopback(known) && isLoopback(uri) && withoutPort(known) === withoutPort(uri)))
}

const isLoopback = (uri: string): boolean => URL.canParse(uri) && /^http:\/\/(127\.0\.0\.1|\[::1\])(:\d+)?([/?]|$)/.test(uri)

const withoutPort = (uri: string): string => uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d+/, '$1')
