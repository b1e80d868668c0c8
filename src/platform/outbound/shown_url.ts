/**
 * Addresses as they are shown. An address may hold credentials: a user and a password, query parameters, a fragment, or a part of the path.
 * Those who may change it read it from the API without them (`shownUrl`). Audit entries, logs and messages have less (`loggedUrl`): they go
 * to more readers and are kept for longer.
 */
import { isSecretName, isTokenForm, secretSegments } from './credential_forms.ts'

/** What stands in the place of a credential. */
const STARS = '****'

/** `user:password@` of an address; the last `@` before the path ends it. Parsers of addresses skip surplus slashes and spaces before it. */
const authority = /^(\s*[a-z][a-z0-9+.-]*:[/\\\s]*)((?:[^/?#\\\s][^/?#]*)?)@/i

/** The parts of an address after its authority: path, query with its `?`, fragment with its `#`. */
const parts = /^(\s*[a-z][a-z0-9+.-]*:[/\\\s]*[^/\\?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/is

/**
 * The address with stars in the place of what is known to be a credential: the password, parameters and parts of the path that are named like
 * one, and the paths of well-known services. The text stays as it was written besides, and may be no address at all.
 */
export function shownUrl(text: string): string {
  const shown = text.replace(authority, (_all, scheme: string, pair: string) => `${scheme}${shownPair(pair)}@`)
  const [, start, path, query = '', fragment = ''] = parts.exec(shown) ?? []
  if (start === undefined || path === undefined) return shown
  return `${start}${shownPath(path)}${shownParameters(query)}${shownParameters(fragment)}`
}

/**
 * The address in an audit entry, a log or a message: scheme, host and port, and of the path only plain words. Stars stand for the rest.
 * What is no address is treated as a path.
 */
export function loggedUrl(text: string): string {
  const [, start = '', path = '', query, fragment] = parts.exec(text.replace(authority, '$1')) ?? [undefined, '', ...text.split(/(?=[?#])/)]
  return `${start.trimStart()}${loggedPath(path)}${query === undefined && fragment === undefined ? '' : `?${STARS}`}`
}

/**
 * The stored address where `given` is what `shownUrl` made of it, so that a client can write back what it has read; else `given`. Clients may
 * have encoded the stars or normalized the address meanwhile.
 */
export function restoredUrl(given: string, stored: string): string {
  const shown = shownUrl(stored)
  return shown !== stored && (given === shown || normalized(given) === normalized(shown)) ? stored : given
}

/** Has the address stars where a credential was shown? It is one that `shownUrl` made, and was changed since. */
export const hasStars = (text: string): boolean => withStars(text).includes(STARS)

const withStars = (text: string): string => text.replace(/%2a/gi, '*')

const normalized = (text: string): string => URL.parse(withStars(text))?.href ?? text

function shownPair(pair: string): string {
  const colon = pair.indexOf(':')
  // A name without a password is a token as often as not, and so is one with a password that says nothing.
  if (colon < 0) return STARS
  const [name, password] = [pair.slice(0, colon), pair.slice(colon + 1)]
  const isToken = isTokenForm(decoded(name)) || /^(x-oauth-basic|x-token-auth)?$/i.test(password)
  return name === '' || !isToken ? `${name}:${STARS}` : `${STARS}:${STARS}`
}

function shownPath(path: string): string {
  const segments = path.split(/[/\\]/)
  const slashes = path.match(/[/\\]/g) ?? []
  const secret = secretSegments(segments.map(decoded))
  return segments.map((segment, at) => `${secret.has(at) ? STARS : shownMatrix(segment)}${slashes[at] ?? ''}`).join('')
}

/** A segment of a path whose parameters (`;token=x`) are named like credentials, or which is one (`token=x`). */
const shownMatrix = (segment: string): string => segment.split(';').map(shownParameter).join(';')

/** A query or a fragment: parameters, with what parts them. */
const shownParameters = (text: string): string =>
  text
    .split(/([?#&;])/)
    .map((part, at) => (at % 2 === 1 ? part : shownParameter(part)))
    .join('')

function shownParameter(parameter: string): string {
  const at = parameter.indexOf('=')
  if (at < 0) return isTokenForm(decoded(parameter)) ? STARS : parameter
  const [name, value] = [parameter.slice(0, at), parameter.slice(at + 1)]
  return isSecretName(decoded(name)) || isTokenForm(decoded(value)) ? `${name}=${STARS}` : parameter
}

/** A word of a path that says nothing but what it says: letters in one case, a short number, a version, or the name of a variable. */
const word = /^(?:[A-Za-z]?[a-z]{1,19}|[A-Z]{1,6}|v?\d{1,4}|\$\w{1,40}|\$\{\w{1,40}\})$/

const isPlain = (segment: string): boolean =>
  segment.length <= 80 && (segment === '' || segment.split(/[._~+-]/).every(part => word.test(part)))

/** A segment after which a service expects what identifies the hook. */
const hookNoun = /^(?:services|workflows|triggers?|(?:web|in|out)?hook(?:s|b2)?|(?:in|out)coming(?:web)?hooks?|deliver|catch|bots?)$/i

function loggedPath(path: string): string {
  const segments = path.split(/[/\\]/)
  const decodedSegments = segments.map(decoded)
  const secret = secretSegments(decodedSegments)
  const noun = decodedSegments.findIndex(segment => hookNoun.test(segment))
  const shown = segments.map((segment, at) => {
    const isPublic = segment === '' || (!secret.has(at) && isPlain(decodedSegments[at] as string) && (noun < 0 || at <= noun))
    return isPublic ? segment : STARS
  })
  return shown.filter((segment, at) => segment !== STARS || shown[at - 1] !== STARS).join('/')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
