/** Addresses as they are shown: without the credentials that may be in them. */

/** What stands in the place of a credential. */
const STARS = '****'

/** Names of query parameters whose values are credentials, as services call them. */
const secretParameter =
  /^(?:(?:private|access|auth|api|job|deploy|bot|secret|refresh|id|security|session)?[-_]?(?:token|key)|secret|client[-_]?secret|password|passwd|pwd|auth|authorization|sig|signature|x-amz-(?:signature|security-token|credential))$/i

/** `user:password@` of an address; the last `@` before the path ends it. Parsers of addresses skip surplus slashes and spaces before it. */
const credentials = /^(\s*[a-z][a-z0-9+.-]*:[/\\\s]*)([^/?#]*)@/i

/**
 * The address with stars in the place of the password, and of query parameters that are called like credentials. The text stays as it was
 * written besides, and may be no address at all.
 */
export function shownUrl(text: string): string {
  const shown = text.replace(credentials, (_all, scheme: string, pair: string) => {
    const colon = pair.indexOf(':')
    // A name without a password is a token as often as not.
    return colon < 0 ? `${scheme}${STARS}@` : `${scheme}${pair.slice(0, colon)}:${STARS}@`
  })
  const [, before, query, after] = /^([^?#]*\?)([^#]*)(.*)$/s.exec(shown) ?? []
  if (before === undefined || query === undefined) return shown
  return `${before}${query.split('&').map(shownParameter).join('&')}${after}`
}

/** Does the address have stars where a credential should be? It is one that was shown, and changed since. */
export const hasStars = (text: string): boolean => text.includes(STARS) && [...credentialsIn(text)].includes(STARS)

/** The passwords, and tokens without a password, of an address, and its query parameters that are called like credentials. */
function* credentialsIn(text: string): Generator<string> {
  const pair = credentials.exec(text)?.[2]
  if (pair !== undefined) yield pair.includes(':') ? pair.slice(pair.indexOf(':') + 1) : pair
  const query = /\?([^#]*)/.exec(text)?.[1] ?? ''
  for (const [name, value] of query.split('&').map(parameter => parameter.split(/=(.*)/s)))
    if (value !== undefined && secretParameter.test(decoded(name as string))) yield value
}

function shownParameter(parameter: string): string {
  const [name, value] = [parameter.split('=', 1)[0] as string, parameter.indexOf('=')]
  return value >= 0 && secretParameter.test(decoded(name)) ? `${name}=${STARS}` : parameter
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
