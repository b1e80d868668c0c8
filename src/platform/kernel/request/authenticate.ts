/**
 * Who asks? Every method of document 1 "Authentication", in every place it may be sent. Where several are sent, the
 * first of this order counts: `PRIVATE-TOKEN` or `private_token`; `Authorization: Bearer` or `access_token`;
 * `JOB-TOKEN` or `job_token`; the session cookie. Whatever counts must be right: wrong credentials are a 401 even
 * where none are needed (decision 7).
 */
import type { FastifyRequest } from 'fastify'
import { openToAnonymous } from '../../access/abilities.ts'
import {
  type ActingUser,
  type Actor,
  anonymous,
  csrfSubject,
  hasScope,
  isAdmin,
  isAnonymous,
  lacksSecondFactor,
  provenUser,
} from '../../access/actor.ts'
import { type Found, findActingUser, findRunningJob, findSession, findToken } from '../../access/credentials/credentials.ts'
import type { DeployTokenScope, TokenScope } from '../../access/credentials/token_scopes.ts'
import { type CredentialName, currentActor } from '../../access/current_actor.ts'
import type { Deps } from '../context.ts'
import { isCsrfToken } from '../csrf.ts'
import type { Endpoint } from '../declaration/endpoint.ts'
import { type Tier, tierCovers } from '../declaration/types.ts'
import { forbidden, insufficientScope, Refusal, SecondFactorMissing, unauthenticated } from '../errors.ts'
import { digestOf } from '../secrets.ts'
import { Repeated, type Wire } from './wire.ts'

export const SESSION_COOKIE = '_service_session'

/** Finds the caller of a REST request, sudo included. */
export async function authenticate(request: FastifyRequest, deps: Deps): Promise<Actor> {
  const found = await findCaller(request, deps)
  const sudo = textOf(request.headers.sudo) ?? queryText(request, 'sudo')
  if (!found) {
    if (sudo !== undefined) throw unauthenticated()
    return anonymous
  }
  assertActive(found.user)
  assertCsrfToken(request, found, deps)
  const actor = provenUser(found.user, found.credential, found.sudoBy)
  return sudo === undefined ? actor : actAs(sudo, actor, deps)
}

async function findCaller(request: FastifyRequest, deps: Deps): Promise<Found | undefined> {
  const { db } = deps.database
  const now = deps.now()
  const token =
    textOf(request.headers['private-token']) ??
    queryText(request, 'private_token') ??
    bearerToken(request.headers) ??
    queryText(request, 'access_token')
  if (token !== undefined) {
    const found = await findByToken(token, deps)
    if (!found) throw unauthenticated()
    return found
  }
  const jobToken = textOf(request.headers['job-token']) ?? queryText(request, 'job_token')
  if (jobToken !== undefined) {
    // What it opens is for the endpoints to say (mount.ts).
    const found = await findRunningJob(db, digestOf(jobToken))
    if (!found) throw unauthenticated()
    return found
  }
  const cookie = request.cookies[SESSION_COOKIE]
  // An ended session is no credential at all: browsers send cookies along without being asked.
  return cookie ? findSession(db, digestOf(cookie), now, deps.config.impersonationEnabled) : undefined
}

/** Whom a token belongs to; undefined for one that opens nothing, or nothing any more. */
export async function findByToken(token: string, { config, database, now }: Deps): Promise<Found | undefined> {
  const found = await findToken(database.db, digestOf(token), now())
  const impersonating = found?.credential.kind === 'personal_access_token' && found.credential.impersonation
  return impersonating && !config.impersonationEnabled ? undefined : found
}

/** Whom a credential stands for that was proved before; undefined once it opens nothing any more. */
export async function actorOfCredential(name: CredentialName, { config, database, now }: Deps): Promise<Actor | undefined> {
  const actor = await currentActor(database.db, name, now())
  const impersonating = actor?.credential?.kind === 'personal_access_token' && actor.credential.impersonation
  return impersonating && !config.impersonationEnabled ? undefined : actor
}

/** The token in `Authorization: Bearer <token>`, also in lower case. Other schemes are not the API's. */
export function bearerToken({ authorization }: { readonly authorization?: string | undefined }): string | undefined {
  const match = /^bearer\s+(\S+)\s*$/i.exec(authorization ?? '')
  return match?.[1]
}

/** Why a user who is not active may not sign in or use the API, in words; undefined for an active one. */
export function whyInactive(user: { readonly state: string }): string | undefined {
  switch (user.state) {
    case 'active':
      return undefined
    case 'deactivated':
      return 'Your account has been deactivated. Sign in on the web page to reactivate it.'
    case 'blocked_pending_approval':
      return 'Your account is waiting for the approval of an administrator.'
    default:
      return 'Your account has been blocked.'
  }
}

/** Why a caller may not act: their account is not active; in words, undefined for all others. */
export const whyActorInactive = ({ user }: Actor): string | undefined => user && whyInactive(user)

/** 403 for the account of a person that is not active. */
export function assertActive(user: Pick<ActingUser, 'state'>): void {
  const reason = whyInactive(user)
  if (reason) throw forbidden(reason)
}

/**
 * A browser sends its cookie with requests that other sites make, so a write by cookie must also carry the token that
 * only our pages can read: header `X-CSRF-Token`.
 */
function assertCsrfToken(request: FastifyRequest, found: Found, deps: Deps): void {
  const subject = csrfSubject(found)
  if (subject === undefined || request.method === 'GET' || request.method === 'HEAD') return
  const token = textOf(request.headers['x-csrf-token']) ?? ''
  if (!isCsrfToken(deps.secrets, subject, token)) throw unauthenticated()
}

/** Sudo: the request runs with the permissions of another user (document 1, Authentication rule 6; decision 11). */
async function actAs(idOrUsername: string, caller: Actor, deps: Deps): Promise<Actor> {
  if (!caller.user || !isAdmin(caller)) throw forbidden('Must be admin to use sudo')
  if (!caller.credential || caller.credential.kind === 'session' || caller.credential.kind === 'job_token')
    throw forbidden('Must be authenticated using an OAuth or Personal Access Token to use sudo')
  if (!hasScope(caller, ['sudo'])) throw insufficientScope('sudo')
  const user = await findActingUser(deps.database.db, idOrUsername)
  if (!user) throw new Refusal('not_found', { message: `404 User with ID or username '${idOrUsername}' Not Found` })
  assertActive(user)
  return provenUser(user, caller.credential, caller.user)
}

const textOf = (header: string | string[] | undefined): string | undefined => {
  const text = Array.isArray(header) ? header[0] : header
  return text === undefined || text === '' ? undefined : text
}

/** A query parameter by its plain name, before the parameters proper are read; the last where it comes more than once. */
function queryText(request: FastifyRequest, name: string): string | undefined {
  const sent = (request.query as Wire)[name]
  const value = sent instanceof Repeated ? sent.values.at(-1) : sent
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** 401, the 403 of a missing second factor, and the scope's: the checks that need no parameters. */
export function assertAccess(endpoint: Endpoint, actor: Actor, { config, now }: Pick<Deps, 'config' | 'now'>): void {
  if (isAnonymous(actor) && !isOpenToAnonymous(endpoint)) throw unauthenticated()
  if (actor.credential?.kind === 'job_token' && !takesJobToken(endpoint, config.tier)) throw unauthenticated()
  if (!endpoint.withoutSecondFactor && lacksSecondFactor(actor, now())) throw new SecondFactorMissing()
  // Contract: a token with scope `sudo` suffices for sudo (document 1, Authentication rule 6).
  if (actor.sudoBy) return
  const wanted: (TokenScope | DeployTokenScope)[] = [
    ...(endpoint.method === 'GET' ? (['api', 'read_api'] as const) : (['api'] as const)),
    ...(endpoint.scopes ?? []),
  ]
  if (!hasScope(actor, wanted)) throw insufficientScope(wanted.join(' '))
}

/** May callers without credentials reach the command? For writes only if declared. */
export const isOpenToAnonymous = ({ method, can, anonymous: declared }: Endpoint): boolean =>
  openToAnonymous(can) && (method === 'GET' || declared === true)

const takesJobToken = ({ jobToken = false }: Endpoint, tier: Tier): boolean =>
  typeof jobToken === 'string' ? tierCovers(tier, jobToken) : jobToken
