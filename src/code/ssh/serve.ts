/** Serves the commands of an authenticated client: git's three services, LFS authentication, and a greeting. */
import type { Readable, Writable } from 'node:stream'
import type { Actor } from '../../platform/access/actor.ts'
import type { CredentialName } from '../../platform/access/current_actor.ts'
import { advertiseRefs, GitError, type Push, type Repository, serveFetchSession, uploadArchive, writeTo } from '../../platform/git/index.ts'
import { type Context, type Deps, systemContext } from '../../platform/kernel/context.ts'
import { Refusal, sentenceOf } from '../../platform/kernel/errors.ts'
import { whyActorInactive } from '../../platform/kernel/request/authenticate.ts'
import { assertSignedOnForGit } from '../../spaces/groups/sign_on.ts'
import { ensureRepository, type Stored } from '../../spaces/projects/repository/store.ts'
import { findProject, findProjectOfRepository, pathOfRepository } from '../../spaces/projects/scope.ts'
import { refusesThinPacks } from '../../spaces/storage_limits/limits.ts'
import { actorAsNow, assertKeyIsActive, currentPusher, requireService } from '../git_http/access.ts'
import { actorOfGitCredential } from '../git_http/holders.ts'
import { assertProtocol } from '../git_http/protocols.ts'
import { lfsAuthentication } from '../lfs/authentication.ts'
import { receivePush } from '../ref_updates/push.ts'
import { currentSidePusher, findSide, requireSideService, sideAsNow } from '../side_repositories/access.ts'
import { receiveSidePush } from '../side_repositories/push.ts'
import { ensureSide, sideKindOf } from '../side_repositories/side_repository.ts'
import { type GitCommand, type LfsCommand, parseCommand, type SshService } from './command.ts'
import type { StallWatch } from './stall.ts'

/** A command of a client, with its streams. */
export interface Begun {
  /** The key that authenticated the connection. */
  readonly key: CredentialName
  /** The client's address, for limits. */
  readonly ip: string
  /** HTTP URL of the instance for this client, without a trailing slash. */
  readonly url: string
  /** The command line; undefined for a shell. */
  readonly line: string | undefined
  /** `GIT_PROTOCOL` of the client's environment. */
  readonly protocol: string | undefined
  readonly request: Readable
  /** The command must end it. */
  readonly response: Writable
  /** Watches for a client that stops sending or reading. */
  readonly stall: StallWatch
  /** Writes a line to standard error, which the client prints. */
  readonly say: (line: string) => void
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
}

/** A command with its caller. */
interface Exchange extends Begun {
  readonly actor: Actor
}

/** Contract: unknown and invisible projects have this error (public behaviour of git over SSH). */
const NOT_FOUND = 'The project you were looking for could not be found or you don’t have permission to view it.'

/** Runs one command and returns its exit code. Errors are reported to the client or logged. */
export async function serveExchange(deps: Deps, begun: Begun): Promise<number> {
  const { say, response } = begun
  try {
    // A connection may be hours old: the key and its user are looked up for each command.
    const actor = await actorOfGitCredential(begun.key, deps)
    if (!actor)
      throw new Refusal('unauthenticated', { message: 'Your key was removed, has expired, or is of a type that is not taken any more.' })
    const exchange: Exchange = { ...begun, actor }
    await deps.limiter.request(actor, exchange.ip)
    const reason = whyActorInactive(actor)
    if (reason !== undefined) throw new Refusal('forbidden', { message: reason })
    if (exchange.line === undefined) return greet(exchange)
    const command = parseCommand(exchange.line)
    if (!command) throw new Refusal('bad_request', { message: 'Unknown command: only git can be used here.' })
    const leave = await enter(deps, exchange)
    try {
      await (command.service === 'git-lfs-authenticate' ? serveLfs(deps, exchange, command) : serveGit(deps, exchange, command))
    } finally {
      leave?.()
    }
    return 0
  } catch (error) {
    const isClients = begun.signal.aborted || (error instanceof GitError && (error.kind === 'aborted' || error.kind === 'invalid'))
    if (error instanceof Refusal) say(`ERROR: ${lineOf(error)}`)
    else if (isClients) deps.log.info({ err: error }, 'an SSH client broke off')
    else {
      deps.log.error({ err: error }, 'an exchange with an SSH client failed')
      say('ERROR: The server failed.')
    }
    return 1
  } finally {
    if (!response.writableEnded) response.end()
  }
}

/**
 * Takes a slot for a command of the user or deploy key, whatever the connection, HTTP included; the returned function releases it.
 * @throws Refusal if the caller, or all callers together, have too many
 */
async function enter({ limiter }: Deps, exchange: Exchange): Promise<(() => void) | undefined> {
  try {
    return await limiter.enter('git', exchange)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const message =
      error.kind === 'too_many_requests'
        ? `Too many git commands run for you: ${limiter.slots.git.perCaller} may at a time. Wait until one has ended.`
        : 'The server runs as many git commands as it may. Try again in a moment.'
    throw new Refusal(error.kind, { message })
  }
}

/** Contract: a shell gets a greeting and exit code 0: `ssh -T` confirms that a key works (public behaviour). */
function greet({ actor, response }: Exchange): number {
  response.write(`Welcome to Ingot, ${actor.user ? `@${actor.user.username}` : 'deploy key'}!\n`)
  return 0
}

async function serveGit(deps: Deps, exchange: Exchange, { service, path }: GitCommand): Promise<void> {
  const { actor, protocol, request, response, signal, stall } = exchange
  const { db } = deps.database
  await assertProtocol({ db, actor }, 'ssh')
  const target = sideKindOf(pathOfRepository(path))
    ? await sideTarget(deps, exchange, service, path)
    : await projectTarget(deps, exchange, service, path)
  const { repository } = target
  stall.start()
  switch (service) {
    case 'git-upload-pack':
      return serveFetchSession(repository, {
        request,
        response,
        protocol,
        signal,
        async again() {
          const now = await actorAsNow(deps, actor)
          await deps.limiter.request(now, exchange.ip)
          await assertProtocol({ db, actor: now }, 'ssh')
          return target.again(now)
        },
      })
    case 'git-upload-archive':
      return uploadArchive(repository, { request, response, signal })
    case 'git-receive-pack': {
      const refusesThin = await refusesThinPacks(db, target.project?.id)
      for await (const chunk of advertiseRefs(repository, service, { protocol, framing: 'plain', refusesThin }))
        if (!(await writeTo(response, chunk))) throw new GitError('aborted', 'The client went away')
      // The push continues when the client disconnects, since it may have been received completely.
      const outside = systemContext(deps, db, actor)
      const ctx = { ...outside, request: { ...outside.request, ip: exchange.ip } }
      await target.receive(ctx, { request, response, requestEnds: false }, () => stall.packs())
    }
  }
}

/** The repository of a command, and how a push to it is received; `packs` is called when its commands have arrived. */
interface Target {
  readonly repository: Repository
  /**
   * Where it is, by its id, for the caller of a fetch as they are now.
   * @throws Refusal if they may no longer fetch
   */
  readonly again: (actor: Actor) => Promise<Repository>
  /** Whose size limits count. */
  readonly project: Stored | undefined
  readonly receive: (ctx: Context, channel: Pick<Push, 'request' | 'response' | 'requestEnds'>, packs: () => void) => Promise<void>
}

async function projectTarget(deps: Deps, { actor, url }: Exchange, service: SshService, path: string): Promise<Target> {
  const { db } = deps.database
  await assertKeyIsActive(db, actor, { path: pathOfRepository(path) })
  const project = await findProjectOfRepository(db, actor, path)
  await assertSignedOnForGit({ db, actor, url, now: deps.now() }, { role: project.role, in: { projectId: project.id } })
  await requireService({ db, actor }, project, service)
  return {
    repository: await ensureRepository(db, deps.storages, project),
    project,
    async again(now) {
      await assertKeyIsActive(db, now, { id: project.id })
      const found = await findProject(db, now, String(project.id))
      await assertSignedOnForGit({ db, actor: now, url, now: deps.now() }, { role: found.role, in: { projectId: found.id } })
      await requireService({ db, actor: now }, found, service)
      return ensureRepository(db, deps.storages, found)
    },
    receive: (ctx, channel, packs) => {
      const current = () => {
        packs()
        return currentPusher(ctx, project.id)
      }
      return receivePush(ctx, project, { ...channel, current })
    },
  }
}

async function sideTarget(deps: Deps, { actor, url }: Exchange, service: SshService, path: string): Promise<Target> {
  const { db } = deps.database
  const side = await findSide({ db, actor, tier: deps.config.tier, now: deps.now(), url }, pathOfRepository(path))
  requireSideService({ actor }, side, service)
  return {
    repository: await ensureSide(db, deps.storages, side),
    project: side.project,
    again: async now => ensureSide(db, deps.storages, await sideAsNow({ deps, actor: now, url }, side, service)),
    receive: (ctx, channel, packs) => {
      const current = () => {
        packs()
        return currentSidePusher(ctx, side)
      }
      return receiveSidePush(ctx, side, { ...channel, current })
    },
  }
}

/** Sends the LFS URL of a project with credentials; LFS continues over HTTP. */
async function serveLfs(deps: Deps, { actor, url, response }: Exchange, { path, operation }: LfsCommand): Promise<void> {
  const { db } = deps.database
  await assertProtocol({ db, actor }, 'ssh')
  await assertKeyIsActive(db, actor, { path: pathOfRepository(path) })
  const project = await findProjectOfRepository(db, actor, path)
  await assertSignedOnForGit({ db, actor, url, now: deps.now() }, { role: project.role, in: { projectId: project.id } })
  await requireService({ db, actor }, project, operation === 'upload' ? 'git-receive-pack' : 'git-upload-pack')
  response.write(`${JSON.stringify(lfsAuthentication(deps, url, actor, project, operation))}\n`)
}

/** The refusal as one line. */
const lineOf = (refusal: Refusal): string => (refusal.kind === 'not_found' ? NOT_FOUND : sentenceOf(refusal))
