/** The registry as a whole, its catalog, and the tags of a repository (OCI distribution specification 1.1). */
import { sql } from 'kysely'
import { isAdmin, isAnonymous } from '../../../platform/access/actor.ts'
import { bytes, endpoint } from '../../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../../platform/kernel/declaration/scope.ts'
import { optional, text } from '../../../platform/kernel/declaration/types.ts'
import { unauthenticated } from '../../../platform/kernel/errors.ts'
import { pullScopes } from '../authentication/rights.ts'
import { imageNameOf } from '../names.ts'
import { registry } from './dialect.ts'
import { RegistryRefusal } from './refusals.ts'
import { inImageRepository, isGranted } from './scope.ts'

const reading = { dialect: registry, scopes: pullScopes, jobToken: true } as const

/** Names in one list unless the client says how many. */
const STANDARD = 1_000
const MOST = 10_000

const listParams = {
  n: optional(text('How many names', { examples: ['100'] })),
  last: optional(text('The last name of the page before')),
}

/** How many names a client asks for. @throws Refusal 400 for what is no number */
function numberOf(n: string | undefined): number {
  if (n === undefined) return STANDARD
  if (!/^\d{1,9}$/.test(n)) throw new RegistryRefusal('PAGINATION_NUMBER_INVALID', 'invalid number of results requested', { n })
  return Math.min(Number(n), MOST)
}

/** The header that leads to the next page, if there is one. @param names one more than the page has where there are more */
function linkTo(path: string, names: readonly string[], n: number): Record<string, string> {
  const last = n > 0 && names.length > n ? names[n - 1] : undefined
  return last === undefined ? {} : { link: `<${path}?${new URLSearchParams({ n: String(n), last })}>; rel="next"` }
}

export const getImageRegistry = endpoint({
  ...reading,
  route: 'GET /',
  summary: 'Check that there is a container registry, and that the token is right',
  scope: inInstance,
  can: 'read_instance',
  answers: bytes('application/json'),
  run({ actor }) {
    // Contract: clients learn here where tokens are made (token authentication of registries).
    if (isAnonymous(actor) && actor.registry === undefined) throw unauthenticated()
    return { body: '{}' }
  },
})

export const listImages = endpoint({
  ...reading,
  route: 'GET /_catalog',
  summary: 'List the names of all images, for administrators',
  scope: inInstance,
  can: 'read_instance',
  params: listParams,
  answers: bytes('application/json'),
  async run({ db, actor, params }) {
    if (!isAdmin(actor) || !isGranted(actor, 'registry', 'catalog', '*')) throw unauthenticated()
    const n = numberOf(params.n)
    const name = sql<string>`(lower(routes.path) || case when r.name = '' then '' else '/' || r.name end) collate "C"`
    const after = params.last === undefined ? sql<boolean>`true` : sql<boolean>`${name} > ${params.last}`
    const { rows } = await sql<{ project_path: string; name: string }>`
      select routes.path as project_path, r.name
        from container_repositories r join routes on routes.project_id = r.project_id
       where ${after} and exists (select from container_manifests m where m.repository_id = r.id)
       order by ${name} limit ${n + 1}`.execute(db)
    const names = rows.map(imageNameOf)
    return { body: JSON.stringify({ repositories: names.slice(0, n) }), headers: linkTo('/v2/_catalog', names, n) }
  },
})

export const listImageTags = endpoint({
  ...reading,
  route: 'GET /:image_name/tags/list',
  summary: 'List the tags of an image',
  scope: inImageRepository,
  can: 'read_container_image',
  params: listParams,
  answers: bytes('application/json'),
  async run({ db, repository, image, params }) {
    const n = numberOf(params.n)
    let query = db
      .selectFrom('container_tags')
      .select('name')
      .where('repository_id', '=', repository.id)
      .orderBy('name')
      .limit(n + 1)
    if (params.last !== undefined) query = query.where('name', '>', params.last)
    const names = (await query.execute()).map(({ name }) => name)
    return { body: JSON.stringify({ name: image, tags: names.slice(0, n) }), headers: linkTo(`/v2/${image}/tags/list`, names, n) }
  },
})
