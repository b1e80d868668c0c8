/**
 * The dialects of package managers: the addresses and parameters of the REST API, with the credentials that these programs send. A token of a user, a
 * job or a deploy token may come as the password of Basic authentication, as Bearer, or in a header.
 */
import type { FastifyRequest } from 'fastify'
import { actorOfAnyToken, actorOfBasicToken, actorOfDeployToken, basicCredentials } from '../../code/git_http/tokens.ts'
import { type Actor, isAnonymous } from '../../platform/access/actor.ts'
import type { DeployTokenScope } from '../../platform/access/credentials/token_scopes.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { type Dialect, rest } from '../../platform/kernel/declaration/dialect.ts'
import { type Refusal, unauthenticated } from '../../platform/kernel/errors.ts'
import { authenticate, bearerToken } from '../../platform/kernel/request/authenticate.ts'
import { looksSigned } from '../signed_tokens/sign.ts'

/** The scopes of deploy tokens that permit to read packages, and to publish them. */
export const readingScopes: readonly DeployTokenScope[] = ['read_package_registry', 'write_package_registry']
export const publishingScopes: readonly DeployTokenScope[] = ['write_package_registry']

/** The scopes of deploy tokens that permit to read code in a package: it is given for installing, or for the repository itself. */
export const installingScopes: readonly DeployTokenScope[] = ['read_package_registry', 'read_repository']

const challenge = { 'www-authenticate': 'Basic realm="Ingot Packages Registry"' }

/** What makes the dialect of a package manager differ from that of others. */
interface Habits extends Partial<Pick<Dialect, 'rewrite' | 'refusalBody'>> {
  /** Anonymous callers are asked for credentials where there may be something that they do not see: the client sends none before it is asked. */
  readonly challenges?: true
  /** Another header that may carry a token, in lower case. */
  readonly header?: string
  /** Whom a signed token stands for that the registry has given out. */
  readonly signed?: (token: string, deps: Deps) => Promise<Actor>
}

/** The dialect of a package manager. */
export function packageDialect(name: string, { challenges, header, signed, ...rest_ }: Habits = {}): Dialect {
  return {
    ...rest,
    ...rest_,
    name,
    // Files are streamed, not buffered.
    bodyLimit: 10 * 1024 * 1024,
    credentials: ['private_token', 'bearer', 'basic_token', 'session'],
    authenticate: (request, deps) => findPublisher(request, deps, { header, signed }),
    refuse(refusal, request, deps) {
      // Contract: anonymous callers are asked for credentials, also for a project that may not exist (public behaviour at 14.0).
      const asked = challenges && refusal.kind === 'not_found' && isAnonymous(request.actor) ? unauthenticated() : refusal
      const answer = rest.refuse(asked, request, deps)
      return asks(asked, challenges) ? { ...answer, headers: { ...answer.headers, ...challenge } } : answer
    },
  }
}

const asks = ({ kind }: Refusal, challenges: true | undefined) => kind === 'unauthenticated' && challenges === true

async function findPublisher(request: FastifyRequest, deps: Deps, { header, signed }: Pick<Habits, 'header' | 'signed'>): Promise<Actor> {
  const { headers } = request
  const deployToken = headers['deploy-token']
  if (typeof deployToken === 'string') return proven(await actorOfDeployToken(deployToken, undefined, deps))
  const own = header === undefined ? undefined : headers[header]
  if (typeof own === 'string' && own !== '' && !own.includes('\0') && !/^(basic|bearer)\s/i.test(own))
    return proven(await actorOfAnyToken(own, deps))
  const bearer = bearerToken(headers)
  if (bearer !== undefined && signed && looksSigned(bearer)) return signed(bearer, deps)
  if (bearer !== undefined) return proven(await actorOfAnyToken(bearer, deps))
  const basic = basicCredentials(headers.authorization)
  if (basic) return proven(await actorOfBasicToken(basic, deps))
  return authenticate(request, deps)
}

function proven(actor: Actor | undefined): Actor {
  if (!actor) throw unauthenticated()
  return actor
}
