/**
 * What is dangerous in the hands of those who found a computer unlocked: what it opens lasts, or what it ends does not come back. Forms of pages
 * that run it ask for a confirmation (`confirms`; test/derived/confirms.test.ts), and the API refuses it to a session whose user did not give one lately:
 * otherwise the console of the browser would lead around the question. Tokens are not asked: their secret was given with the request.
 */
import type { Endpoint } from '../platform/kernel/declaration/endpoint.ts'
import { assertConfirmed } from '../platform/pages/forms/confirm.ts'

const dangerous: readonly RegExp[] = [
  /^DELETE \/(users|projects|groups)\/:id$/,
  /^(POST|PUT) \/users(\/:id)?$/,
  /^DELETE \/projects\/:id\/artifacts$/,
  /\/transfer$/,
  /(^|_|\/)tokens?(\/|$)/,
  /(^|\/)(deploy_)?(keys|gpg_keys|emails?|oauth_grants|applications|identities)(\/|$)/,
  /^PUT \/application\/settings$/,
  /^PUT \/user\/password$/,
  /^(PUT|DELETE) \/groups\/:id\/saml_provider$/,
  /^(POST|DELETE) \/groups\/:id\/ldap_group_links/,
  /two_factor/,
  /^DELETE .*\/protected_(branches|tags)\/:name$/,
  /^DELETE .*\/protection\/([a-z]+\/)?rules\/:/,
]

/** Does a route of the API name something dangerous? Pure. */
export const isDangerous = (route: string): boolean => !route.startsWith('GET ') && dangerous.some(pattern => pattern.test(route))

/** An endpoint of the API as it is served: what is dangerous is refused to sessions that are not confirmed. */
export const confirmedInSessions = (endpoint: Endpoint): Endpoint =>
  endpoint.dialect.name === 'rest' && isDangerous(endpoint.route)
    ? {
        ...endpoint,
        run: input => {
          assertConfirmed(input)
          return endpoint.run(input)
        },
      }
    : endpoint
