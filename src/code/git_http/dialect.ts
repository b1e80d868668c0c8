/**
 * The dialect of git's HTTP transport: Basic authentication, in which a user's token works with any username, and refusals
 * in plain text, which git prints in the terminal.
 */
import type { FastifyRequest } from 'fastify'
import { accountByPassword, whyUnconfirmed } from '../../identity/sessions/passwords.ts'
import { whyPasswordIsNotEnough } from '../../identity/two_factor/required.ts'
import { type Actor, anonymous, isAnonymous, provenUser } from '../../platform/access/actor.ts'
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import type { Dialect, ErrorAnswer } from '../../platform/kernel/declaration/dialect.ts'
import { text as sentence } from '../../platform/kernel/declaration/types.ts'
import { forbidden, Refusal, sentenceOf, unauthenticated } from '../../platform/kernel/errors.ts'
import { assertActive, bearerToken } from '../../platform/kernel/request/authenticate.ts'
import { encodeRepositoryPath } from './address.ts'
import { actorOfBasicToken, actorOfUserToken, basicCredentials } from './tokens.ts'

const text = (status: number, line: string, headers: Record<string, string> = {}): ErrorAnswer => ({
  status,
  mediaType: 'text/plain',
  body: `${line}\n`,
  headers,
})

const challenge = { 'www-authenticate': 'Basic realm="Ingot", charset="UTF-8"' }

export const git: Dialect = {
  name: 'git',
  prefix: '',
  mediaType: 'text/plain',
  // Request bodies are streamed, not buffered.
  bodyLimit: Number.MAX_SAFE_INTEGER,
  headers: { 'cache-control': 'no-cache, max-age=0, must-revalidate' },
  credentials: ['basic', 'bearer'],
  rewrite: address => encodeRepositoryPath(address),
  refusalBody: sentence('What is wrong, in one line'),
  authenticate: findCaller,
  refuse(refusal, request) {
    // Contract: anonymous callers are asked for credentials, also for a project that may not exist.
    const asked = refusal.kind === 'not_found' && isAnonymous(request.actor) ? unauthenticated() : refusal
    const headers = asked.kind === 'unauthenticated' ? { ...asked.headers, ...challenge } : asked.headers
    return text(asked.status, lineOf(asked), headers)
  },
  fail: (requestId, status) => text(status, `The server failed. Request ${requestId}`),
}

/** 401: the password is right, and a token is needed all the same. */
class PasswordNotEnough extends Refusal {
  constructor(reason: string) {
    super('unauthenticated', { message: `HTTP Basic: Access denied. ${reason}` })
  }
}

/** The refusal as one line. */
function lineOf(refusal: Refusal): string {
  const { kind } = refusal
  if (refusal instanceof PasswordNotEnough) return sentenceOf(refusal)
  if (kind === 'unauthenticated')
    return 'Access denied. The password must be yours or a personal access token with scope read_repository or write_repository.'
  if (kind === 'not_found') return 'The project does not exist, or you may not see it.'
  return sentenceOf(refusal)
}

/** Basic with a token or a password, or Bearer; no credentials are anonymous. */
async function findCaller(request: FastifyRequest, deps: Deps): Promise<Actor> {
  const bearer = bearerToken(request.headers)
  if (bearer !== undefined) return holderOf(bearer, deps)
  const basic = basicCredentials(request.headers.authorization)
  if (!basic) return anonymous
  const holder = await actorOfBasicToken(basic, deps)
  if (holder) return holder
  const { db } = deps.database
  const account = await accountByPassword({ db, deps, request: originOf(request) }, basic.username, basic.password, 'git')
  // The setting is about passwords that are kept here, as on the platform: those of a directory are right all the same.
  if (!account || (account.isKeptHere && !(await applicationSettings(db)).password_authentication_enabled_for_git)) throw unauthenticated()
  const { user, proof, isKeptHere } = account
  await deps.limiter.forgiveSignIn(request.ip)
  const reason = await whyPasswordIsNotEnough(db, user, deps.now())
  if (reason !== undefined) throw new PasswordNotEnough(reason)
  assertActive(user)
  const unconfirmed = whyUnconfirmed(user)
  if (unconfirmed) throw forbidden(unconfirmed)
  return provenUser(user, { kind: 'password', proof, isKeptHere })
}

/** Origin of a request, for the audit log. */
const originOf = ({ id, ip, headers }: FastifyRequest) => ({ id, ip, userAgent: headers['user-agent'] ?? '' })

async function holderOf(token: string, deps: Deps): Promise<Actor> {
  const found = await actorOfUserToken(token, deps)
  if (!found) throw unauthenticated()
  return found
}
