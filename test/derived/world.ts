/**
 * The world that every endpoint is tried in: people of every kind, a private and a public place with the same things in
 * them, and enough rows in every list (made_once.ts). Requests go to an application whose changes are undone after each of them.
 */
import type { InjectOptions } from 'fastify'
import { gitProcesses, movesWithoutGit } from '../../src/platform/git/index.ts'
import { urlOf } from '../../src/platform/kernel/addresses/paths.ts'
import { csrfTokenFor } from '../../src/platform/kernel/csrf.ts'
import type { Dialect } from '../../src/platform/kernel/declaration/dialect.ts'
import type { Endpoint } from '../../src/platform/kernel/declaration/endpoint.ts'
import { SESSION_COOKIE } from '../../src/platform/kernel/request/authenticate.ts'
import { digestOf } from '../../src/platform/kernel/secrets.ts'
import { atEnd } from '../at_end.ts'
import { type Answer, answerOf, encodeBody, encodeQuery, type Query } from '../client.ts'
import { rollbackDatabase } from '../rollback_database.ts'
import type { Person, Scene, SceneGroup, SceneProject } from '../scene.ts'
import { bodies } from './bodies.ts'
import { parametersFor, pathFor } from './examples.ts'
import { copyOfWorld } from './made_once.ts'
import { rememberReferences } from './references.ts'

/**
 * Those who try, in the order of the table; the five roles are roles in both places, `job` is the token of a job that runs there for the
 * Developer, and the provider holds the SCIM token of each.
 */
export const personas = [
  'anonymous',
  'outsider',
  'external',
  'guest',
  'reporter',
  'developer',
  'maintainer',
  'owner',
  'admin',
  'job',
  'provider',
] as const
export type Persona = (typeof personas)[number]

export type Visibility = 'private' | 'public'
export const visibilities: readonly Visibility[] = ['private', 'public']

/** Ids of things by the name that the fixtures give them. */
export type Things = Record<string, string | number>

/** A group with a project in it, and what lies in both. */
export interface Place {
  readonly group: SceneGroup
  readonly project: SceneProject
  readonly things: Things
}

/** What is in the world, and a scene that it is in. */
export interface World {
  readonly scene: Scene
  /** Those who have an account. */
  readonly people: Readonly<Record<Exclude<Persona, 'anonymous' | 'job' | 'provider'>, Person>>
  readonly places: Readonly<Record<Visibility, Place>>
  /** What each person has of their own: keys, emails, tokens. */
  readonly own: Readonly<Record<string, Things>>
  /** Another user, whom the users API is asked about. */
  readonly other: Person
  /** The password of `other`. */
  readonly password: string
  /** What belongs to `other` and to the instance. */
  readonly things: Things
  /** When making it began: what is noted now and then, as the last use of a token is, has just been noted at that time. */
  readonly begun: string
}

/** The world with a door for requests. */
export interface OpenWorld extends World {
  /** Sends a request as a persona; what it changed is undone. */
  send(persona: Persona, request: Sent): Promise<Answer>
}

/** A request as it goes out. */
export interface Sent {
  readonly dialect: Dialect
  /** Where it is sent; the private place unless given. */
  readonly visibility?: Visibility
  readonly method: string
  /** The whole path, with its prefix. */
  readonly path: string
  readonly query?: Query
  readonly body?: object
  /** Of a body that is a text. */
  readonly type?: string
  /** Besides those that say who sends it. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Opens a copy of the world; to be called at the top of a test file. */
export async function openWorld(): Promise<OpenWorld> {
  const world = await copyOfWorld()
  const { scene, places } = world
  const handle = await rollbackDatabase(scene.deps.database)
  atEnd(async () => handle.close())
  const app = await scene.appOn(handle.database)
  const credentials = await credentialsOf(world)
  await otherSessions(world)
  const storage = scene.deps.storages.get('default')
  const restores = Object.values(places)
    .flatMap(({ project, group, things }) => [
      { id: project.id },
      { id: project.id, suffix: 'wiki' as const },
      { folder: '@groups' as const, id: group.id, suffix: 'wiki' as const },
      { folder: '@snippets' as const, id: things.snippet as number },
    ])
    .map(key => rememberReferences(storage.repository(key)))
  return {
    ...world,
    send: (persona, { dialect, visibility = 'private', method, path, query = {}, body, type: given, headers }) =>
      handle.attempt(async () => {
        const search = encodeQuery(query)
        const { type = given, bytes } = await encodeBody(body)
        const [processes, moves] = [gitProcesses.started, movesWithoutGit.made]
        const answer = await app.inject({
          method: method as InjectOptions['method'] & string,
          url: search ? `${path}?${search}` : path,
          headers: { ...credentials(persona, dialect, visibility), ...(type && { 'content-type': type }), ...headers },
          ...(bytes && { payload: bytes }),
        })
        const mayHaveMoved = method !== 'GET' && (gitProcesses.started > processes || movesWithoutGit.made > moves)
        if (mayHaveMoved) for (const restore of restores) restore()
        return answerOf(answer.statusCode, answer.headers, answer.rawPayload)
      }),
  }
}

/** A second session for everybody, as from another browser, and an account elsewhere. Last of all: a change of a password ends sessions. */
async function otherSessions({ scene, people, own }: World): Promise<void> {
  for (const [name, { id: user_id }] of Object.entries(people)) {
    const values = { digest: `another session of ${name}`, user_id, expires_at: '2999-01-01T00:00:00Z' }
    const { id } = await scene.deps.database.db.insertInto('sessions').values(values).returning('id').executeTakeFirstOrThrow()
    Object.assign(own[name as Persona] ?? {}, { session: id })
    await scene.deps.database.db.insertInto('identities').values({ user_id, provider: 'company', extern_uid: name }).execute()
  }
}

/** What each persona sends along to a dialect: a token, a session with its CSRF token, nothing. */
export async function credentialsOf({
  scene,
  people,
  places,
}: World): Promise<(persona: Persona, dialect: Dialect, visibility: Visibility) => Record<string, string>> {
  const { database, secrets } = scene.deps
  const sessions: Record<string, Record<string, string>> = {}
  for (const [name, { id: user_id }] of Object.entries(people)) {
    const values = { digest: digestOf(`session-of-${name}`), user_id, expires_at: '2999-01-01T00:00:00Z' }
    const { id } = await database.db.insertInto('sessions').values(values).returning('id').executeTakeFirstOrThrow()
    sessions[name] = { cookie: `${SESSION_COOKIE}=session-of-${name}`, 'x-csrf-token': csrfTokenFor(String(id), secrets) }
  }
  return (persona, { credentials = ['private_token'] }, visibility) => {
    if (persona === 'anonymous') return {}
    if (persona === 'provider') return { authorization: `Bearer ${places[visibility].things.scim_token}` }
    if (persona === 'job') {
      const token = String(places[visibility].things.job_token)
      const basic = Buffer.from(`gitlab-ci-token:${token}`).toString('base64')
      return credentials.includes('basic') ? { authorization: `Basic ${basic}` } : { 'job-token': token }
    }
    const { token } = people[persona]
    if (credentials.includes('private_token')) return { 'private-token': token }
    if (credentials.includes('bearer') || credentials.includes('scim_token')) return { authorization: `Bearer ${token}` }
    return credentials.includes('session') ? (sessions[persona] as Record<string, string>) : {}
  }
}

/** Who may do most with an endpoint: an administrator, or the provider where no person counts. */
export const ablest = ({ dialect }: Endpoint): Persona => (dialect.credentials?.includes('scim_token') ? 'provider' : 'admin')

/** The valid request of an endpoint, as a persona makes it in a place. */
export function requestFor(world: World, endpoint: Endpoint, persona: Persona, visibility: Visibility): Sent {
  const { method, dialect } = endpoint
  const path = addressFor(endpoint, pathFor(world, endpoint, persona, visibility))
  const raw = bodies[endpoint.route]
  if (raw) {
    const headers = raw.headers?.({ place: world.places[visibility] }) ?? {}
    return { dialect, visibility, method, path, query: raw.query ?? {}, body: Buffer.from(raw.content, 'latin1'), type: raw.type, headers }
  }
  const parameters = parametersFor(world, endpoint, visibility)
  if (Object.keys(parameters).length === 0) return { dialect, visibility, method, path }
  const inQuery = method === 'GET' || method === 'DELETE'
  return { dialect, visibility, method, path, ...(inQuery ? { query: parameters as Query } : { body: parameters }) }
}

/** The address of an endpoint with these values for its path parameters, encoded. */
export const addressFor = (endpoint: Endpoint, values: Readonly<Record<string, string | number>>): string =>
  `${endpoint.dialect.prefix}${endpoint.path}`.replace(/[:*](\w+)/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${urlOf(endpoint)}: no value for ${name}`)
    return encodeURIComponent(value)
  })
