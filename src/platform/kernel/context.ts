/**
 * What a request carries: who asks, when, with which database and where from. The kernel builds one per request;
 * `run`, scopes, `load` and `present` read from it.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { type Actor, anonymous } from '../access/actor.ts'
import type { Config } from '../config.ts'
import type { Database, Db } from '../db/connection.ts'
import type { RepositoryStorages } from '../git/index.ts'
import type { ObjectStore } from '../object_store/store.ts'
import { listeningAddress } from './addresses/address.ts'
import type { Tier } from './declaration/types.ts'
import type { RateLimiter } from './request/rate_limit.ts'
import type { Secrets } from './secrets.ts'

/** What the application is built from; the same in production and in tests. */
export interface Deps {
  readonly config: Config
  readonly database: Database
  readonly storages: RepositoryStorages
  /** Files outside of git (platform/object_store/store.ts says how they are kept). */
  readonly objects: ObjectStore
  readonly secrets: Secrets
  readonly limiter: RateLimiter
  /** The port on which HTTP is spoken, that of the configuration until the system has chosen it; and whether the server is being stopped. */
  readonly http: { port: number; isStopping: boolean }
  /** The port on which the SSH server listens; undefined where there is none, and as long as the system has not chosen it. */
  readonly ssh: { port: number | undefined }
  readonly log: FastifyBaseLogger
  /** The time, so that tests can set it. */
  readonly now: () => Date
}

/** What a presenter may know of the request: facts, no means. */
export interface Facts {
  /** The address that this client uses for the server, without a slash at the end: `http://127.0.0.1:8080`. */
  readonly url: string
  /** What stands before the path of a repository in its SSH address: `git@example.com:`. */
  readonly sshUrl: string
  readonly actor: Actor
  readonly tier: Tier
  readonly now: Date
}

/** The request as commands and queries see it. */
export interface Context extends Facts {
  /** In a write, the request's one transaction; in a read, the pool. */
  readonly db: Db
  readonly deps: Deps
  readonly log: FastifyBaseLogger
  readonly request: RequestFacts
}

/** What is worth knowing of the HTTP request itself. */
export interface RequestFacts {
  readonly id: string
  readonly ip: string
  readonly userAgent: string
  readonly method: string
  /** Path and query as they came. */
  readonly address: string
  /** For dialects with habits of their own (client authentication, forms); REST parameters never come from here. */
  readonly headers: Readonly<IncomingHttpHeaders>
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
  /** Calls when the client has taken the answer, or has gone; immediately where no client waits for one. */
  readonly afterAnswer: (call: () => void) => void
}

const SSH_PORT = 22

/** The beginning of SSH addresses for a client that knows the server as `url`. Only the usual port can be left out. */
export function sshUrlOf(url: string, { config, ssh }: Pick<Deps, 'config' | 'ssh'>): string {
  const { host, port } = config.externalSsh ?? { host: new URL(url).hostname, port: ssh.port ?? SSH_PORT }
  return port === SSH_PORT ? `git@${host}:` : `ssh://git@${host}:${port}/`
}

/** What commands need where no request asks for them: at set-up, on the command line, in a background task. */
export function systemContext(deps: Deps, db: Db, actor: Actor = anonymous): Context {
  const { config, log } = deps
  const url = config.externalUrl ?? listeningAddress(deps)
  return {
    db,
    deps,
    actor,
    tier: config.tier,
    now: deps.now(),
    url,
    sshUrl: sshUrlOf(url, deps),
    log,
    request: {
      id: '',
      ip: '',
      userAgent: '',
      method: '',
      address: '',
      headers: {},
      signal: new AbortController().signal,
      afterAnswer: call => call(),
    },
  }
}
