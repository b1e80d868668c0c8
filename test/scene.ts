/**
 * Scenes: small worlds for tests, built by the server's own commands on a real database and real repositories, and
 * people who are clients of a real listening server.
 *
 *     const scene = await openScene()
 *
 *     test('a private project does not exist for an outsider', async () => {
 *       const { project } = await scene.project()
 *       const outsider = await scene.user()
 *
 *       const answer = await outsider.get(project.url)
 *
 *       assert.deepEqual(answer, { status: 404, body: { message: '404 Project Not Found' } })
 *     })
 *
 * One scene for each test file, each test with projects of its own: nothing is cleaned up and all run concurrently. The
 * scene ends with the file and fails it when requests failed unforeseen, when answers were not exactly as declared, or
 * when something was left open.
 */
import { Agent } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createUser, type NewUser } from '../src/identity/users/commands.ts'
import { roles, type Visibility } from '../src/platform/access/abilities.ts'
import { anonymous } from '../src/platform/access/actor.ts'
import { findActingUser } from '../src/platform/access/credentials/credentials.ts'
import { type TokenScope, tokenScopes } from '../src/platform/access/credentials/token_scopes.ts'
import { parseConfig, places } from '../src/platform/config.ts'
import { type Database, openDatabase } from '../src/platform/db/connection.ts'
import { isBackupRunning } from '../src/platform/db/migrating/backup_lock.ts'
import { openStorage, RepositoryStorages } from '../src/platform/git/index.ts'
import { type Context, type Deps, systemContext } from '../src/platform/kernel/context.ts'
import type { Endpoint } from '../src/platform/kernel/declaration/endpoint.ts'
import { gitLimits, type WorkLimits, WorkSlots } from '../src/platform/kernel/request/bounds/work_slots.ts'
import { RateLimiter } from '../src/platform/kernel/request/rate_limit.ts'
import { digestOf, newToken, Secrets } from '../src/platform/kernel/secrets.ts'
import { openObjectStore } from '../src/platform/object_store/open.ts'
import type { SettingName } from '../src/platform/settings.ts'
import { buildApp } from '../src/server/app.ts'
import { endpoints as allEndpoints } from '../src/server/endpoints.ts'
import { closeAtEnd } from '../src/server/processes/serving.ts'
import { createGroup } from '../src/spaces/groups/commands.ts'
import { addMember } from '../src/spaces/members/commands.ts'
import { createProject, type NewProject } from '../src/spaces/projects/commands.ts'
import { type AtEnd, atEnd as atEndOfFile } from './at_end.ts'
import { type Answer, type Client, clientOf } from './client.ts'
import { checkAnswers } from './derived/answers.ts'
import { startFailureLog } from './failures.ts'
import { testFolder } from './folder.ts'
import { sceneDatabase } from './kept_databases.ts'
import { watchResources } from './resource_leaks.ts'
import { watchRefusals } from './unread_refusals.ts'

export type { Answer, Client } from './client.ts'

/** What is known of a user. */
export interface Account {
  readonly id: number
  readonly username: string
  readonly name: string
  readonly email: string
  /** A personal access token with the scopes of the scene's `user()`. */
  readonly token: string
}

/** Someone with an account: a client that sends their token. */
export interface Person extends Client, Account {}

/** A group; `url` is its path in the API. */
export interface SceneGroup {
  readonly id: number
  readonly name: string
  readonly path: string
  readonly full_path: string
  /** `/groups/7` */
  readonly url: string
}

/** A project; `url` is its path in the API. */
export interface SceneProject {
  readonly id: number
  readonly name: string
  readonly path: string
  readonly full_path: string
  /** `/projects/7` */
  readonly url: string
}

/** A merge request; `url` is its path in the API. */
export interface SceneMergeRequest {
  readonly id: number
  readonly iid: number
  /** The tip of the source branch. */
  readonly sha: string
  readonly source_branch: string
  readonly target_branch: string
  /** `/projects/7/merge_requests/1` */
  readonly url: string
}

export interface MergeRequestOptions {
  readonly title?: string
  /** A new one with a commit unless given: then it must be there. */
  readonly source_branch?: string
  /** `main` unless given. */
  readonly target_branch?: string
  /** What a new source branch adds. */
  readonly files?: Readonly<Record<string, string>>
  /** Who proposes it; the administrator unless given. */
  readonly author?: Client
  /** Any other parameter of the API. */
  readonly [parameter: string]: unknown
}

/** A role that `members` can name. */
export type MemberRole = Exclude<keyof typeof roles, 'none'>

export interface UserOptions extends Partial<Omit<NewUser, 'kind'>> {
  /** Of the token; all unless given. */
  readonly scopes?: readonly TokenScope[]
}

export interface GroupOptions<M extends MemberRole> {
  readonly name?: string
  readonly path?: string
  readonly visibility?: Visibility
  readonly parent?: { readonly id: number }
  /** Who creates and owns it; a new user unless given. */
  readonly owner?: Person
  /** Each becomes a new person with that role, found in the answer under the role's name. */
  readonly members?: readonly M[]
}

export interface ProjectOptions<M extends MemberRole> extends NewProject {
  /** The group that holds it; the owner's personal namespace unless given. */
  readonly group?: { readonly id: number }
  /** Who creates it (and owns it, outside of groups); a new user unless given. */
  readonly owner?: Person
  /** Each becomes a new person with that role, found in the answer under the role's name. */
  readonly members?: readonly M[]
}

export interface Scene {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  readonly app: FastifyInstance
  readonly deps: Deps
  /** An administrator. */
  readonly root: Person
  /** A client without credentials. */
  readonly anonymous: Client
  /** Creates a user. */
  user(options?: UserOptions): Promise<Person>
  /** Creates a group. */
  group<const M extends MemberRole = never>(options?: GroupOptions<M>): Promise<{ group: SceneGroup; owner: Person } & Record<M, Person>>
  /** Creates a project, private and empty unless said otherwise. */
  project<const M extends MemberRole = never>(
    options?: ProjectOptions<M>,
  ): Promise<{ project: SceneProject; owner: Person } & Record<M, Person>>
  /** Puts these files on a branch of the project in one commit, through the API. */
  commit(
    project: SceneProject,
    files: Readonly<Record<string, string>>,
    options?: { branch?: string; start_branch?: string; message?: string },
  ): Promise<string>
  /** Proposes a branch of the project for another one, through the API; what is missing for it is made. */
  mergeRequest(project: SceneProject, options?: MergeRequestOptions): Promise<SceneMergeRequest>
  /** A new token for a user; scopes: all unless given. */
  token(person: { readonly id: number }, options?: { scopes?: readonly TokenScope[]; expiresAt?: string }): Promise<string>
  /** A user whose account exists. */
  person(account: Account): Person
  /** A client that sends these headers, e.g. another token's. */
  as(headers: Readonly<Record<string, string>>): Client
  /** Runs a command as a user, in a transaction, without HTTP. */
  run<T>(person: { readonly id: number } | undefined, work: (ctx: Context) => Promise<T>): Promise<T>
  /** Stops the server's clock at an instant; `undefined` lets it run again. */
  setTime(instant: string | undefined): void
  /** A second application on another handle of the scene's database, to be injected into; closed with the scene. */
  appOn(database: Database): Promise<FastifyInstance>
  /** What the server's log says of requests that failed unforeseen. */
  readonly failures: readonly Record<string, unknown>[]
}

export interface SceneOptions {
  /** Settings as the command line would give them: `{ tier: 'free' }`. */
  readonly settings?: Partial<Record<SettingName, string>>
  /** The endpoints that are served; all of them unless given. */
  readonly endpoints?: readonly Endpoint[]
  /** Requests may fail with a 500: the test is about that. */
  readonly failuresExpected?: boolean
  /** What there is when it starts; an empty world of its own unless given. */
  readonly beginning?: Beginning
  /** Limits of exchanges with git clients, where they differ from the server's. */
  readonly gitSlots?: Partial<WorkLimits>
  /** Where is registered what ends it; at the end of the file unless given. */
  readonly atEnd?: AtEnd
}

/** Where the data of a scene are, which the scene leaves there. */
export interface Beginning {
  readonly databaseUrl: string
  readonly dataDir: string
  /** The administrator; a new one unless given. */
  readonly root?: Account
}

/** Starts a server; to be called at the top of a test file. */
export async function openScene(options: SceneOptions = {}): Promise<Scene> {
  const { atEnd = atEndOfFile } = options
  const { beginning } = options
  const { dataDir, root: known } = beginning ?? { dataDir: await testFolder(), root: undefined }
  const leftovers = watchResources()
  atEnd(() => leftovers.assertNone())
  const failures = startFailureLog()
  const refuseFailures = () => {
    if (!options.failuresExpected) failures.assertNone()
  }
  atEnd(async () => refuseFailures())

  const config = parseConfig(
    {},
    {},
    {
      rateLimit: 'off',
      connectionsPerAddress: '0',
      port: '0',
      dataDir,
      runnerWait: '0',
      componentGallery: 'true',
      dependencyProxyUrl: 'http://127.0.0.1:9',
      ...options.settings,
    },
  )
  const database = await (beginning
    ? openDatabase({ url: beginning.databaseUrl, poolSize: 8, log: failures.log })
    : sceneDatabase(failures.log))
  atEnd(() => database.close())
  const mayDelete = async () => !(await isBackupRunning(database.db))
  const storages = new RepositoryStorages([
    openStorage({ name: 'default', root: join(places(config).repositories, 'default'), mayRemove: mayDelete }),
  ])
  atEnd(() => storages.close())
  const objects = await openObjectStore(config, mayDelete)
  atEnd(() => objects.close())
  let stoppedAt: string | undefined
  const deps: Deps = {
    config,
    database,
    storages,
    objects,
    secrets: new Secrets(Buffer.alloc(32, 7)),
    limiter: new RateLimiter(config.rateLimit, { git: new WorkSlots({ ...gitLimits, ...options.gitSlots }) }),
    http: { port: config.port, isStopping: false },
    ssh: { port: undefined },
    log: failures.log,
    now: () => (stoppedAt ? new Date(stoppedAt) : new Date()),
  }
  const endpoints = options.endpoints ?? allEndpoints
  const appOn = async (handle: Database) => {
    const built = await buildApp({ ...deps, database: handle }, endpoints, closeAtEnd)
    checkAnswers(built, endpoints, config.tier, failures.report)
    atEnd(() => built.close())
    return built
  }
  // Test files stay loaded until their process ends, and an application is most of what a scene keeps in memory.
  let served: FastifyInstance | undefined
  atEnd(async () => {
    served = undefined
  })
  const app = () => {
    if (!served) throw new Error('the scene is over')
    return served
  }
  served = await appOn(database)
  const url = await app().listen({ host: config.host, port: 0 })
  deps.http.port = (app().server.address() as AddressInfo).port
  const agent = new Agent({ keepAlive: true })
  atEnd(async () => agent.destroy())

  const refusals = watchRefusals()
  atEnd(async () => refusals.assertNone())
  const inspect = (answer: Answer, request: string) => {
    refuseFailures()
    return refusals.watch(answer, request)
  }
  const run: Scene['run'] = (person, work) => runCommand(deps, person, work)
  const token: Scene['token'] = (person, wanted = {}) => giveToken(deps, person, wanted)
  const as: Scene['as'] = headers => clientOf({ url, agent, inspect }, headers)
  const person: Scene['person'] = account => ({ ...as({ 'private-token': account.token }), ...account })

  let created = 0
  const unique = (noun: string) => `${noun}-${++created}`

  const user: Scene['user'] = async ({ scopes, ...attributes } = {}) => {
    const username = attributes.username ?? unique('person')
    const row = await run(undefined, ctx =>
      createUser(ctx, { name: `Name of ${username}`, email: `${username}@example.com`, ...attributes, username }),
    )
    const secret = await token(row, scopes ? { scopes } : {})
    return person({ id: row.id, username, name: row.name, email: row.email, token: secret })
  }

  async function peopleFor<M extends MemberRole>(
    place: { namespace_id: number } | { project_id: number },
    members: readonly M[],
  ): Promise<Record<M, Person>> {
    const people = await Promise.all(
      members.map(async role => {
        const person = await user()
        await run(undefined, ctx => addMember(ctx, place, { user_id: person.id, access_level: roles[role] }))
        return [role, person] as const
      }),
    )
    return Object.fromEntries(people) as Record<M, Person>
  }

  const root = known ? person(known) : await user({ username: 'root', admin: true })
  const commit: Scene['commit'] = async (project, files, { branch = 'main', start_branch, message = 'Change files' } = {}) => {
    const actions = Object.entries(files).map(([file_path, content]) => ({ action: 'create', file_path, content }))
    const body = { branch, start_branch, commit_message: message, actions }
    const answer = await root.post(`${project.url}/repository/commits`, body)
    if (answer.status !== 201) throw new Error(`the scene's commit was refused: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body.id
  }

  return {
    url,
    get app() {
      return app()
    },
    deps,
    root,
    anonymous: as({}),
    user,
    token,
    person,
    as,
    run,
    appOn,
    failures: failures.lines,
    setTime: instant => {
      stoppedAt = instant
    },
    async group({ members = [], owner, parent, ...attributes } = {}) {
      const creator = owner ?? (await user())
      const path = attributes.path ?? unique('group')
      const row = await run(creator, ctx =>
        createGroup(ctx, { name: `Name of ${path}`, ...attributes, path, ...(parent && { parent_id: parent.id }) }),
      )
      const people = await peopleFor({ namespace_id: row.id }, members)
      const { id, name, full_path } = row
      return { owner: creator, ...people, group: { id, name, path, full_path, url: `/groups/${id}` } }
    },
    async project({ members = [], owner, group, ...attributes } = {}) {
      const creator = owner ?? (group ? root : await user())
      const path = attributes.path ?? unique('project')
      const row = await run(creator, ctx =>
        createProject(ctx, { name: `Name of ${path}`, ...attributes, path, ...(group && { namespace_id: group.id }) }),
      )
      const people = await peopleFor({ project_id: row.id }, members)
      const { id, name, full_path } = row
      return { owner: creator, ...people, project: { id, name, path, full_path, url: `/projects/${id}` } }
    },
    commit,
    async mergeRequest(project, { files, author = root, target_branch = 'main', title = 'Paint the shed', ...rest } = {}) {
      const name = unique('proposal')
      const source_branch = rest.source_branch ?? name
      const target = await root.get(`${project.url}/repository/branches/${encodeURIComponent(target_branch)}`)
      if (target.status === 404) await commit(project, { 'BEGINNING.md': 'Once.\n' }, { branch: target_branch })
      if (rest.source_branch === undefined)
        await commit(project, files ?? { [`${name}.txt`]: 'New.\n' }, { branch: source_branch, start_branch: target_branch })
      const answer = await author.post(`${project.url}/merge_requests`, { ...rest, title, source_branch, target_branch })
      if (answer.status !== 201) throw new Error(`the scene's merge request was refused: ${answer.status} ${JSON.stringify(answer.body)}`)
      const { id, iid, sha } = answer.body
      return { id, iid, sha, source_branch, target_branch, url: `${project.url}/merge_requests/${iid}` }
    },
  }
}

async function runCommand<T>(deps: Deps, person: { readonly id: number } | undefined, work: (ctx: Context) => Promise<T>): Promise<T> {
  const user = person && (await findActingUser(deps.database.db, String(person.id)))
  if (person && !user) throw new Error(`there is no user ${person.id}`)
  return deps.database.db
    .transaction()
    .execute(db => work(systemContext(deps, db, user ? { user, credential: undefined, sudoBy: undefined } : anonymous)))
}

async function giveToken(
  deps: Deps,
  person: { readonly id: number },
  { scopes = tokenScopes, expiresAt }: { scopes?: readonly TokenScope[]; expiresAt?: string },
): Promise<string> {
  const secret = newToken()
  await deps.database.db
    .insertInto('personal_access_tokens')
    .values({ user_id: person.id, name: 'scene', digest: digestOf(secret), scopes: [...scopes], expires_at: expiresAt ?? null })
    .execute()
  return secret.reveal()
}
