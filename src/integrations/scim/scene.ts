/** For tests: identity providers, each a group whose SCIM is on, and a client that holds its token. */
import type { Answer, RequestBody } from '../../../test/client.ts'
import type { Person, Scene, SceneGroup } from '../../../test/scene.ts'

/** An identity provider of a group. Paths are below the group's SCIM: `/Users`. */
export interface Provider {
  readonly group: SceneGroup
  readonly owner: Person
  readonly token: string
  get(path: string, query?: Record<string, string>): Promise<Answer>
  /** The user that the filter finds, or the refusal's body. */
  find(filter: string): Promise<Answer>
  post(body: RequestBody): Promise<Answer>
  patch(id: string, body: RequestBody): Promise<Answer>
  /** A PATCH with these operations. */
  change(id: string, ...operations: object[]): Promise<Answer>
  delete(id: string): Promise<Answer>
}

/** Lets owners turn on SCIM, and providers add users with an account, as administrators may decide (rules.ts). */
export const openToOwners = (scene: Scene) =>
  scene.root.put('/application/settings', { scim_provisioning: 'owners', scim_existing_users: 'verified' })

/** Turns on the SCIM of a new group, or of `top`, and addresses it or `group` below it. */
export async function openProvider(
  scene: Scene,
  options: { top?: { group: SceneGroup; owner: Person }; group?: SceneGroup; role?: number } = {},
): Promise<Provider> {
  await openToOwners(scene)
  const { group: topGroup, owner } = options.top ?? (await scene.group())
  const { body } = await owner.post(`${topGroup.url}/scim_token`, options.role ? { default_membership_role: options.role } : {})
  const group = options.group ?? topGroup
  const client = scene.as({ authorization: `Bearer ${body.token}` })
  const base = `${scene.url}/api/scim/v2/groups/${encodeURIComponent(group.full_path)}`
  const user = (id: string) => `${base}/Users/${encodeURIComponent(id)}`
  const type = { 'content-type': 'application/scim+json' }
  const patch: Provider['patch'] = (id, sent) => client.patch(user(id), sent, type)
  return {
    group,
    owner,
    token: body.token,
    get: (path, query) => client.get(base + path, query),
    find: filter => client.get(`${base}/Users`, { filter }),
    post: sent => client.post(`${base}/Users`, sent, type),
    patch,
    change: (id, ...Operations) => patch(id, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations }),
    delete: id => client.delete(user(id)),
  }
}

let created = 0

/** The attributes of a new user without an account, as a provider sends them. */
export function scimUser(attributes: object = {}) {
  const number = ++created
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    externalId: `uid-${number}`,
    userName: `newcomer.${number}`,
    active: true,
    name: { formatted: `Newcomer Number ${number}`, familyName: `Number ${number}`, givenName: 'Newcomer' },
    emails: [{ primary: true, type: 'work', value: `newcomer.${number}@example.com` }],
    meta: { resourceType: 'User' },
    ...attributes,
  }
}

/** The SCIM error in a body (RFC 7644 section 3.12), without its text. */
export const errorOf = ({ status, body }: Answer) => ({ status, schemas: body.schemas, status_text: body.status, scimType: body.scimType })
