/** The types of `ingot/testing`. They import nothing, since they are delivered as they are. */

/**
 * Starts a server with data of its own on a free port. It ends with `stop`, or with the process that started it, and leaves nothing behind.
 *
 *     const server = await startIngot({ world: 'world.yml' })
 *     const api = new Gitlab({ host: server.url, token: server.token })
 */
export declare function startIngot(options?: StartOptions): Promise<TestServer>

export interface StartOptions {
  /** What there is at the start: the path of a YAML file, or the same as an object. `root` alone unless given. */
  readonly world?: string | World
  /** The port to listen on; a free one unless given. */
  readonly port?: number
  /** File to which each request is added as a line of JSON. */
  readonly record?: string
  /** Settings as environment variables, such as `INGOT_TIER`. Those of this process are not handed on. */
  readonly env?: Readonly<Record<string, string>>
  /** Milliseconds that the start may take; 60,000 unless given. */
  readonly timeout?: number
}

export interface TestServer {
  /** `http://127.0.0.1:39131`, without a slash at the end. */
  readonly url: string
  /** Token of `root`, an administrator, with every scope. */
  readonly token: string
  /** Password of `root`. */
  readonly password: string
  /** Port of git over SSH. */
  readonly sshPort: number
  /** The people of the world, by username. */
  readonly people: Readonly<Record<string, Person>>
  /** Brings everything back to what it was at the start: rows, ids to come, repositories, files, faults, requests. */
  reset(): Promise<void>
  /** The requests that clients made since the start or the last reset, the oldest first. Throws where there were more than 10,000. */
  requests(): Promise<RecordedRequest[]>
  /** Has the next answers of a path fail: `server.fail('/api/v4/projects/*', { status: 503 })`. */
  fail(path: string, fault: Fault): Promise<void>
  /** Takes faults back that are still to come. */
  clearFaults(): Promise<void>
  /** Ends the server and deletes its data. */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export interface Person {
  readonly id: number
  readonly username: string
  readonly token: string
}

export interface RecordedRequest {
  readonly method: string
  /** Without the query, as it was sent. */
  readonly path: string
  /** Values that may be secret are `[masked]`. */
  readonly query: Readonly<Record<string, unknown>>
  /** Null where the connection ended without an answer. */
  readonly status: number | null
  /** Names of parameters with the types of their values; null for no body, and for one that is no set of values. */
  readonly body: unknown
  /** Username; null without an account. */
  readonly user: string | null
  /** Whether the answer was a fault that was asked for. */
  readonly fault: boolean
}

/** At least one of `status`, `delay` and `cut`. */
export interface Fault {
  /** Of any method unless given. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** How many answers; 1 unless given. */
  readonly times?: number
  /** Status of the answer, from 400 to 599. */
  readonly status?: number
  /** Seconds in its header `Retry-After`. */
  readonly retryAfter?: number
  /** Milliseconds before the answer. */
  readonly delay?: number
  /** The connection ends without an answer. */
  readonly cut?: boolean
}

export type Visibility = 'private' | 'internal' | 'public'
export type Role = 'guest' | 'reporter' | 'developer' | 'maintainer' | 'owner'
export type Scope = 'api' | 'read_api' | 'read_user' | 'read_repository' | 'write_repository' | 'read_registry' | 'write_registry' | 'sudo'

/** A world, as its JSON schema describes it (`ingot world schema`). */
export interface World {
  $schema?: string
  time?: string
  people?: {
    username: string
    name?: string
    email?: string
    password?: string
    token?: string
    scopes?: Scope[]
    admin?: boolean
  }[]
  groups?: (WorldPlace & {
    path: string
    name?: string
    description?: string
    owner?: string
  })[]
  projects?: WorldProject[]
}

export interface WorldPlace {
  visibility?: Visibility
  members?: Record<string, Role>
  labels?: { name: string; color?: string; description?: string }[]
  milestones?: { title: string; description?: string; start_date?: string; due_date?: string; state?: 'active' | 'closed' }[]
}

export interface WorldProject extends WorldPlace {
  path: string
  name?: string
  description?: string
  owner?: string
  default_branch?: string
  topics?: string[]
  history?: {
    message: string
    author?: string
    branch?: string
    from?: string
    files: Record<string, string | null>
    tag?: string
    at?: string
  }[]
  issues?: (WorldItem & {
    state?: 'opened' | 'closed'
    confidential?: boolean
    weight?: number
    due_date?: string
  })[]
  merge_requests?: (WorldItem & {
    source: string
    target?: string
    reviewers?: string[]
    approved_by?: string[]
    state?: 'opened' | 'closed' | 'merged'
  })[]
  pipelines?: {
    ref?: string
    author?: string
    jobs: WorldJob[]
    variables?: Record<string, string>
    at?: string
  }[]
  releases?: {
    tag: string
    ref?: string
    name?: string
    description?: string
    author?: string
    milestones?: string[]
    links?: { name: string; url: string }[]
    at?: string
  }[]
}

export interface WorldItem {
  title: string
  description?: string
  author?: string
  assignees?: string[]
  labels?: string[]
  milestone?: string
  comments?: { author: string; body: string; at?: string }[]
  at?: string
}

export interface WorldJob {
  name: string
  stage?: string
  status: 'success' | 'failed' | 'canceled' | 'skipped' | 'manual' | 'pending' | 'running' | 'created'
  log?: string
  failure_reason?: string
  allow_failure?: boolean
  coverage?: number
}
