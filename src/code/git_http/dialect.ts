/**
 * The dialect of git's HTTP transport: Basic authentication, in which a user's token works with any username, and refusals
 * in plain text, which git prints in the terminal.
 */
import type { FastifyRequest } from 'fastify'
import { accountByPassword, whyUnconfirmed } from '../../identity/sessions/passwords.ts'
import { whyPasswordIsNotEnough } from '../../identity/two_factor/required.ts'
import { type Actor, anonymous, isAnonymous, provenMachine, provenUser } from '../../platform/access/actor.ts'
import { findRunningJob } from '../../platform/access/credentials/credentials.ts'
import type { DeployTokenScope } from '../../platform/access/credentials/token_scopes.ts'
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import type { Dialect, ErrorAnswer } from '../../platform/kernel/declaration/dialect.ts'
import { text as sentence } from '../../platform/kernel/declaration/types.ts'
import { forbidden, Refusal, sentenceOf, unauthenticated } from '../../platform/kernel/errors.ts'
import { assertActive, bearerToken, findByToken } from '../../platform/kernel/request/authenticate.ts'
import { digestOf } from '../../platform/kernel/secrets.ts'
import { deployTokenByDigest } from '../../spaces/deploy_tokens/queries.ts'
import { encodeRepositoryPath } from './address.ts'

const text = (status: number, line: string, headers: Record<string, string> = {}): ErrorAnswer => ({
  status,
  mediaType: 'text/plain',
  body: `${line}\n`,
  headers,
})

/** The username for job tokens (document 1, Authentication rule 4; the runner's protocol, "Git"). */
const JOB_USERNAME = 'gitlab-ci-token'

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
  const job = basic.username === JOB_USERNAME ? await findRunningJob(deps.database.db, digestOf(basic.password)) : undefined
  if (job) {
    assertActive(job.user)
    return provenUser(job.user, job.credential)
  }
  const found = await findByToken(basic.password, deps)
  if (found) {
    assertActive(found.user)
    return provenUser(found.user, found.credential)
  }
  const machine = await deployTokenHolder(basic, deps)
  if (machine) return machine
  const { db } = deps.database
  const account = await accountByPassword({ db, deps, request: originOf(request) }, basic.username, basic.password, 'git')
  // The setting is about passwords that are kept here, as on the platform: those of a directory are right all the same.
  if (!account || (account.isKeptHere && !(await applicationSettings(db)).password_authentication_enabled_for_git)) throw unauthenticated()
  const { user, proof } = account
  await deps.limiter.forgiveSignIn(request.ip)
  const reason = await whyPasswordIsNotEnough(db, user, deps.now())
  if (reason !== undefined) throw new PasswordNotEnough(reason)
  assertActive(user)
  const unconfirmed = whyUnconfirmed(user)
  if (unconfirmed) throw forbidden(unconfirmed)
  return provenUser(user, { kind: 'password', proof })
}

/** Origin of a request, for the audit log. */
const originOf = ({ id, ip, headers }: FastifyRequest) => ({ id, ip, userAgent: headers['user-agent'] ?? '' })

/** A deploy token is valid only with its own username. */
async function deployTokenHolder({ username, password }: Basic, { database, now }: Deps): Promise<Actor | undefined> {
  const found = await deployTokenByDigest(database.db, digestOf(password), username, now())
  if (!found) return undefined
  const { id, scopes, project_id, group_id, created_by } = found
  const place = project_id === null ? { groupId: group_id as number } : { projectId: project_id }
  return provenMachine({ kind: 'deploy_token', id, scopes: scopes as DeployTokenScope[], place, creatorId: created_by })
}

async function holderOf(token: string, deps: Deps): Promise<Actor> {
  const found = await findByToken(token, deps)
  if (!found) throw unauthenticated()
  assertActive(found.user)
  return provenUser(found.user, found.credential)
}

interface Basic {
  readonly username: string
  readonly password: string
}

/** Username and password of Basic authentication (RFC 7617, in UTF-8); undefined for any other header. */
export function basicCredentials(header: string | undefined): Basic | undefined {
  const encoded = /^basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(header ?? '')?.[1]
  const pair = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8')
  // No user has NUL in a name, and PostgreSQL none in a text; the kernel refuses it in parameters, but not in this header.
  if (pair.includes('\0')) throw unauthenticated()
  const colon = pair.indexOf(':')
  return colon < 0 ? undefined : { username: pair.slice(0, colon), password: pair.slice(colon + 1) }
}
