/**
 * What makes a valid request of a declaration: ids for the scopes of paths, and parameters where the `examples` of the
 * required ones do not suffice. Who adds a scope adds a line to `scopes`; `parameters` and `paths` may only shrink, and
 * a line that is not needed fails access.test.ts.
 */
import type { Endpoint } from '../../src/kernel/endpoint.ts'
import type { Persona, Place, Things, Visibility, World } from './world.ts'

/** What a line can take its ids from. */
interface Where {
  readonly world: World
  readonly place: Place
  /** What the one who asks has of their own; for whoever has no account, what the administrator has. */
  readonly own: Things
}

type Values = Record<string, string | number>

/** Values for the path parameters that a scope reads, by the scope's name. */
const scopes: Readonly<Record<string, (where: Where) => Things>> = {
  inInstance: () => ({}),
  inSelf: () => ({}),
  inMonitoring: () => ({}),
  inDocs: () => ({ file: 'swagger-ui.css' }),
  inUser: ({ world }) => ({ user_id: world.other.id }),
  inUserById: ({ world }) => ({ id: world.other.id }),
  inIdentity: ({ world }) => ({ id: world.other.id, provider: 'ldapmain' }),
  inGroup: ({ place }) => ({ id: place.group.id }),
  inProject: ({ place }) => ({ id: place.project.id }),
  inGroupMember: ({ place }) => ({ id: place.group.id, user_id: place.things.member as number }),
  inProjectMember: ({ place }) => ({ id: place.project.id, user_id: place.things.member as number }),
  inNamespace: ({ place }) => ({ id: place.group.id }),
  inPath: ({ place }) => ({ id: place.group.full_path }),
  inFeature: () => ({ name: 'example' }),
  inApplication: ({ world }) => ({ id: world.things.application as number }),
  inScimToken: ({ place }) => ({ id: place.group.id }),
  inScimGroup: ({ place }) => ({ group_path: place.group.full_path }),
  inScimUser: ({ place }) => ({ group_path: place.group.full_path, id: 'provisioned-1' }),
  inScimRecord: ({ place }) => ({ group_path: place.group.full_path, id: 'provisioned-1' }),
  inAuditEvent: ({ world }) => ({ audit_event_id: world.places.private.things.audit_event as number }),
  inGroupAuditEvent: ({ place }) => ({ id: place.group.id, audit_event_id: place.things.audit_event as number }),
  inPersonalAccessToken: ({ own }) => ({ id: own.token as number }),
  inImpersonationToken: ({ world }) => ({ user_id: world.other.id, impersonation_token_id: world.things.impersonation_token as number }),
  inProjectAccessToken: ({ place }) => ({ id: place.project.id, token_id: place.things.project_token as number }),
  inProtectedBranch: ({ place }) => ({ id: place.project.id, name: 'stable-1' }),
  inRepository: ({ place }) => ({ id: place.project.id }),
  inCommit: ({ place }) => ({ id: place.project.id, sha: place.things.commit as string }),
  inBlob: ({ place }) => ({ id: place.project.id, sha: place.things.blob as string }),
  inBranch: ({ place }) => ({ id: place.project.id, branch: 'topic-1' }),
  inTag: ({ place }) => ({ id: place.project.id, tag_name: 'v0.1' }),
  inFilePath: ({ place }) => ({ id: place.project.id, file_path: 'README.md' }),
  inGitRepository: ({ place }) => ({ repository_path: `${place.project.full_path}.git` }),
  inKey: ({ world }) => ({ id: world.things.key as number }),
  inOwnKey: ({ own }) => ({ key_id: own.key as number }),
  inUserKey: ({ world }) => ({ user_id: world.other.id, key_id: world.things.key as number }),
  inOwnEmail: ({ own }) => ({ email_id: own.email as number }),
  inUserEmail: ({ world }) => ({ user_id: world.other.id, email_id: world.things.email as number }),
}

/** Path values of single endpoints: where the scope's example is in the wrong state for it. */
export const paths: Readonly<Record<string, (where: Where) => Values>> = {
  'POST /projects/:id/repository/files/:file_path': ({ place }) => ({ id: place.project.id, file_path: 'docs/new.md' }),
  'POST /users/:id/unblock': ({ world }) => ({ id: world.things.blocked_user as number }),
  'POST /users/:id/unban': ({ world }) => ({ id: world.things.banned_user as number }),
  'POST /users/:id/approve': ({ world }) => ({ id: world.things.waiting_user as number }),
}

/** Parameters of single endpoints: rules that the examples of required parameters cannot satisfy. */
export const parameters: Readonly<Record<string, (where: Omit<Where, 'own'>) => Record<string, unknown>>> = {
  'POST /users': () => ({ password: 'correct horse battery staple' }),
  'POST /projects': () => ({ name: 'Deploy tool' }),
  'POST /projects/user/:user_id': () => ({ name: 'Deploy tool' }),
  'POST /groups/:id/transfer': ({ world }) => ({ group_id: world.things.other_group }),
  'POST /projects/:id/repository/commits/:sha/cherry_pick': () => ({ branch: 'behind' }),
  'GET /keys': ({ world }) => ({ fingerprint: world.things.fingerprint }),
  'POST /oauth/token': ({ world: { things } }) => ({ client_id: things.client_id, client_secret: things.client_secret }),
  'POST /oauth/introspect': ({ world: { things } }) => ({ client_id: things.client_id, client_secret: things.client_secret }),
  'POST /users/sign_in': ({ world }) => ({ login: world.other.username, password: world.password }),
}

/** Bodies that are no parameters. */
export const bodies: Readonly<Record<string, { type: string; content: string }>> = {
  // A flush packet: nothing is wanted, nothing is pushed.
  'POST /:repository_path/git-upload-pack': { type: 'application/x-git-upload-pack-request', content: '0000' },
  'POST /:repository_path/git-receive-pack': { type: 'application/x-git-receive-pack-request', content: '0000' },
}

/** The values of an endpoint's path parameters. @throws Error that says what to add */
export function pathFor(world: World, endpoint: Endpoint, persona: Persona, visibility: Visibility, withException = true): Values {
  const { name } = endpoint.scope
  const line = scopes[name]
  if (!line)
    throw new Error(
      `you are here because no example is known for the scope ${name} of ${endpoint.route}: ` +
        `add a line for ${name} to \`scopes\` in test/derived/examples.ts, and what it names to test/derived/furniture.ts`,
    )
  const where = { world, place: world.places[visibility], own: world.own[persona] ?? (world.own.admin as Things) }
  const values = { ...line(where), ...(withException ? paths[endpoint.route]?.(where) : {}) }
  const rest = parametersFor(world, endpoint, visibility, withException)
  const missing = pathNames(endpoint).filter(name => !(name in values))
  return { ...values, ...Object.fromEntries(missing.map(name => [name, (rest[name] ?? '1') as string])) }
}

/** The names of the parameters in an endpoint's path. */
export const pathNames = (endpoint: Endpoint): string[] => [...endpoint.path.matchAll(/[:*](\w+)/g)].map(match => match[1] as string)

/** The parameters of an endpoint's valid request, those in its path among them. */
export function parametersFor(world: World, endpoint: Endpoint, visibility: Visibility, withException = true): Record<string, unknown> {
  const required = Object.entries(endpoint.params).filter(([, schema]) => !('~optional' in schema) && !('default' in schema))
  const examples = required.map(([name, schema]) => {
    const { examples } = schema as { examples?: unknown[] }
    if (!examples?.length && !pathNames(endpoint).includes(name))
      throw new Error(`you are here because the required parameter ${name} of ${endpoint.route} has no \`examples\`: add one`)
    return [name, examples?.[0]] as const
  })
  const exception = withException ? parameters[endpoint.route]?.({ world, place: world.places[visibility] }) : {}
  return { ...Object.fromEntries(examples), ...exception }
}
