/** Packages of Composer: published from a repository, and found in a group (Composer packages API at 14.0). */
import { Readable } from 'node:stream'
import { archive } from '../../../../code/repository/archives/archive.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import { bytes, endpoint, one, ranged } from '../../../../platform/kernel/declaration/endpoint.ts'
import { optional, text } from '../../../../platform/kernel/declaration/types.ts'
import { missing, notFound } from '../../../../platform/kernel/errors.ts'
import { exclusive } from '../../../../platform/kernel/request/params.ts'
import { inGroup } from '../../../../spaces/groups/scope.ts'
import { findRepository } from '../../../../spaces/projects/repository/store.ts'
import { installingScopes, packageDialect, publishingScopes, readingScopes } from '../../dialect.ts'
import { packagesIn, versionsIn } from '../../queries.ts'
import { assertCode, inPackages } from '../../scope.ts'
import { PackagePublished } from '../shared/published.ts'
import { providersJson, rootJson, shaOf, type VersionRow, versionsJson } from './metadata.ts'
import { publishByComposer } from './publish.ts'

const composer = packageDialect('composer', { challenges: true })

const reading = { dialect: composer, scopes: readingScopes, jobToken: true } as const
const inGroupReading = { ...reading, scope: inGroup, can: 'read_group_packages', answers: bytes('application/json') } as const

type InGroup = Context & { readonly group: { readonly id: number } }

const apiOf = ({ url }: Pick<Context, 'url'>) => `${url}/api/v4`

/** What is read of versions besides what is kept of them. */
const fields = ['packages.id', 'packages.project_id', 'packages.name', 'packages.lookup_name', 'packages.version'] as const

const allOf = ({ db, actor, group }: InGroup): Promise<VersionRow[]> =>
  packagesIn(db, { actor, groupId: group.id }, 'composer').clearSelect().select(fields).execute()

/** The versions of a package of a group. @throws Refusal 404 where there is none */
async function versionsOf(ctx: InGroup, name: string) {
  const { db, deps, actor, group } = ctx
  const rows = await versionsIn(db, { actor, groupId: group.id }, { package_type: 'composer', lookup_name: name.toLowerCase() })
    .clearSelect()
    .select(fields)
    .execute()
  if (rows.length === 0) throw notFound('Package')
  // Read as the answer is sent: the transaction of the request may be over.
  return { body: Readable.from(versionsJson(deps.database.db, apiOf(ctx), rows), { objectMode: false }) }
}

const sha = text('SHA-256 of the answer', { maxLength: 64, examples: ['ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb'] })

export const getComposerPackages = endpoint({
  ...inGroupReading,
  route: 'GET /group/:id/-/packages/composer/packages.json',
  summary: 'Get where Composer finds the packages of the projects in a group and below it',
  cost: 'heavy',
  run: async ctx => ({ body: await rootJson(ctx.db, apiOf(ctx), ctx.group.id, await allOf(ctx)) }),
})

export const listComposerProviders = endpoint({
  ...inGroupReading,
  route: 'GET /group/:id/-/packages/composer/p/:sha.json',
  summary: 'List the names of the packages of Composer, with the digests of their versions',
  cost: 'heavy',
  params: { sha },
  run: async ctx => ({ body: await providersJson(ctx.db, apiOf(ctx), await allOf(ctx)) }),
})

export const getComposerVersions = endpoint({
  ...inGroupReading,
  route: 'GET /group/:id/-/packages/composer/p2/*package_name',
  summary: 'Get the versions of a package, for Composer 2',
  cost: 'heavy',
  params: { package_name: text('Name of the package, with `.json`', { maxLength: 300, examples: ['team/thing.json'] }) },
  run: ctx => versionsOf(ctx, ctx.params.package_name.replace(/\.json$/, '')),
})

export const getComposerVersionsOfDigest = endpoint({
  ...inGroupReading,
  route: 'GET /group/:id/-/packages/composer/*package_name',
  summary: 'Get the versions of a package, for Composer 1',
  cost: 'heavy',
  params: {
    package_name: text('Name of the package, `$`, and the digest of the answer with `.json`', {
      maxLength: 400,
      examples: ['team/thing$ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb.json'],
    }),
  },
  run(ctx) {
    const [name, digest] = ctx.params.package_name.replace(/\.json$/, '').split('$')
    if (!name || !digest) throw notFound()
    return versionsOf(ctx, name)
  },
})

export const publishComposerPackage = endpoint({
  route: 'POST /projects/:id/packages/composer',
  summary: 'Publish a tag or a branch as a version for Composer',
  dialect: composer,
  scope: inPackages,
  can: 'create_package',
  scopes: publishingScopes,
  jobToken: true,
  params: {
    tag: optional(text('Name of the tag; either this or `branch`', { maxLength: 255, examples: ['v1.0.0'] })),
    branch: optional(text('Name of the branch; either this or `tag`', { maxLength: 255 })),
  },
  rules: [exclusive('tag', 'branch')],
  answers: one(PackagePublished, 201),
  errors: ['unprocessable'],
  async run(ctx) {
    const { actor, deps, project, params } = ctx
    assertCode(actor, project, ['read_repository'])
    const [tag, branch] = [params.tag || undefined, params.branch || undefined]
    if (tag === undefined && branch === undefined) throw missing('tag')
    await publishByComposer(ctx, project, await findRepository(deps.storages, project), { tag, branch })
    return {}
  },
})

export const downloadComposerArchive = endpoint({
  ...reading,
  route: 'GET /projects/:id/packages/composer/archives/*package_name',
  summary: 'Download the files of a version of a package of Composer',
  scope: inPackages,
  can: 'read_package',
  cost: 'heavy',
  params: {
    package_name: text('Name of the package, with `.zip`', { maxLength: 300, examples: ['team/thing.zip'] }),
    sha: text('ID of the commit of the version', { maxLength: 64, examples: ['0123456789012345678901234567890123456789'] }),
  },
  answers: ranged('application/octet-stream'),
  async run(ctx) {
    const { actor, db, deps, project, params } = ctx
    assertCode(actor, project, installingScopes)
    const lookup_name = params.package_name.replace(/\.zip$/, '').toLowerCase()
    const rows = await versionsIn(db, { projectId: project.id }, { package_type: 'composer', lookup_name }).execute()
    const row = rows.find(version => shaOf(version) === params.sha)
    if (!row) throw notFound('Package')
    return archive(ctx, project, await findRepository(deps.storages, project), { sha: params.sha, format: 'zip' })
  },
})
