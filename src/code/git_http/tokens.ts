/** Tokens in the headers of clients that know a user name and a password, as git and package managers do. */
import { type Actor, provenMachine, provenUser } from '../../platform/access/actor.ts'
import { type Found, findRunningJob } from '../../platform/access/credentials/credentials.ts'
import type { DeployTokenScope } from '../../platform/access/credentials/token_scopes.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { unauthenticated } from '../../platform/kernel/errors.ts'
import { assertActive, findByToken } from '../../platform/kernel/request/authenticate.ts'
import { digestOf } from '../../platform/kernel/secrets.ts'
import { deployTokenByDigest } from '../../spaces/deploy_tokens/queries.ts'

/** The username for job tokens (document 1, Authentication rule 4; the runner's protocol, "Git"). */
const JOB_USERNAME = 'gitlab-ci-token'

/** Whom the password of Basic authentication stands for, if it is a token: of a user with any username, of a job or a deploy token with its own. */
export async function actorOfBasicToken({ username, password }: Basic, deps: Deps): Promise<Actor | undefined> {
  const job = username === JOB_USERNAME ? await actorOfJobToken(password, deps) : undefined
  return job ?? (await actorOfUserToken(password, deps)) ?? (await actorOfDeployToken(password, username, deps))
}

/** Whom a token stands for that may be of a user, a job or a deploy token. */
export const actorOfAnyToken = async (token: string, deps: Deps): Promise<Actor | undefined> =>
  (await actorOfUserToken(token, deps)) ?? (await actorOfJobToken(token, deps)) ?? (await actorOfDeployToken(token, undefined, deps))

/** Whom a personal or OAuth token stands for. */
export const actorOfUserToken = async (token: string, deps: Deps): Promise<Actor | undefined> => proven(await findByToken(token, deps))

/** Whom the token of a running job stands for. */
const actorOfJobToken = (token: string, deps: Deps): Promise<Actor | undefined> =>
  actorOfDigest({ kind: 'job_token', digest: digestOf(token) }, deps)

/** A token of a job or a deploy token, by what is stored of it. */
export interface DigestedToken {
  readonly kind: 'job_token' | 'deploy_token'
  readonly digest: string
}

/** Whom such a token stands for now; undefined once it has ended. */
export const actorOfDigest = async ({ kind, digest }: DigestedToken, deps: Deps): Promise<Actor | undefined> =>
  kind === 'deploy_token' ? deployTokenActor(digest, undefined, deps) : proven(await findRunningJob(deps.database.db, digest))

function proven(found: Found | undefined): Actor | undefined {
  if (!found) return undefined
  assertActive(found.user)
  return provenUser(found.user, found.credential)
}

/** What a deploy token stands for. @param username where one is sent, it must be that of the token */
export const actorOfDeployToken = (
  token: string,
  username: string | undefined,
  deps: Pick<Deps, 'database' | 'now'>,
): Promise<Actor | undefined> => deployTokenActor(digestOf(token), username, deps)

async function deployTokenActor(
  digest: string,
  username: string | undefined,
  { database, now }: Pick<Deps, 'database' | 'now'>,
): Promise<Actor | undefined> {
  const found = await deployTokenByDigest(database.db, digest, username, now())
  if (!found) return undefined
  const { id, scopes, project_id, group_id, created_by } = found
  const place = project_id === null ? { groupId: group_id as number } : { projectId: project_id }
  return provenMachine({ kind: 'deploy_token', id, scopes: scopes as DeployTokenScope[], place, creatorId: created_by })
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
