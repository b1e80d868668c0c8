/** The registry of npm, of projects and of the instance (npm packages API at 14.0). */
import { Readable } from 'node:stream'
import type { Context } from '../../../../platform/kernel/context.ts'
import { bytes, endpoint, nothing, one, ranged } from '../../../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../../../platform/kernel/declaration/scope.ts'
import { flag, text } from '../../../../platform/kernel/declaration/types.ts'
import { badRequest, forbidden, notFound } from '../../../../platform/kernel/errors.ts'
import { assertPackagesAllow } from '../../../registry_protection/rights.ts'
import { tagPackage, untagPackage } from '../../commands.ts'
import { packageDialect, publishingScopes, readingScopes } from '../../dialect.ts'
import { fileAnswer } from '../../downloads.ts'
import { PackageListed } from '../../entity.ts'
import { filesOfPackages, metadataOfPackages, newestFile, type Where } from '../../queries.ts'
import { inPackages } from '../../scope.ts'
import { jsonIn } from '../shared/body.ts'
import { scopeOfName } from './names.ts'
import { isTagName, publishByNpm } from './publish.ts'
import { type SeenPackage, unpublishPackage, unpublishTarball, unpublishVersions } from './unpublish.ts'
import { type DistTags, distTags, revisionOf, type VersionRow, versionsOf } from './versions.ts'

const scoped = /^(\/api\/v4\/(?:projects\/[^/?]+\/)?packages\/npm\/(?:-\/package\/)?)@([^/?%]+)\/([^/?]+)(.*)$/s

/** `…/npm/@scope/name/-/name-1.0.0.tgz` with the name as one segment, which a route can match. */
export const encodeScope = (address: string): string | undefined => {
  const [, before, scope, name, rest] = scoped.exec(address) ?? []
  return before === undefined ? undefined : `${before}@${scope}%2F${name}${rest}`
}

const npm = packageDialect('npm', { rewrite: encodeScope })

const package_name = text('Name of the package; the slash after a scope may be encoded', {
  pattern: '^(@[A-Za-z0-9_~-][A-Za-z0-9._~-]*/)?[A-Za-z0-9_~-][A-Za-z0-9._~-]*$',
  minLength: 1,
  maxLength: 255,
  examples: ['@team/thing'],
})
const file_name = text('Name of the tarball', { maxLength: 255, examples: ['thing-1.0.0.tgz'] })
const tag = text('Name of the tag', { maxLength: 255, examples: ['next'] })

const reading = { dialect: npm, scopes: readingScopes, jobToken: true } as const
const writing = { dialect: npm, scopes: publishingScopes, jobToken: true } as const

/**
 * Where the registry of the instance looks for a name. Contract: its scope is the path of the group or user at the top (npm packages API at 14.0), so
 * that nobody else can take it. @throws Refusal 404 for a name without a scope
 */
function belowScope({ actor }: Pick<Context, 'actor'>, name: string): Where {
  const root = scopeOfName(name)
  if (root === undefined) throw notFound('Package')
  return { actor, root }
}

/** Versions whose metadata is in memory at a time. */
const BATCH = 50

/** What npm knows of a package, as it is sent: there may be thousands of versions. */
async function* documentOf(
  ctx: Context,
  name: string,
  rows: readonly VersionRow[],
  tags: DistTags,
  withRevision: boolean,
): AsyncGenerator<string> {
  const revision = withRevision ? `"_rev":${JSON.stringify(revisionOf(rows, tags))},` : ''
  yield `{"name":${JSON.stringify(name)},${revision}"versions":{`
  let isFirst = true
  for (let from = 0; from < rows.length; from += BATCH) {
    for (const [version, manifest] of await manifestsOf(ctx, name, rows.slice(from, from + BATCH))) {
      yield `${isFirst ? '' : ','}${JSON.stringify(version)}:${JSON.stringify(manifest)}`
      isFirst = false
    }
  }
  yield `},"dist-tags":${JSON.stringify(tags)}}`
}

/** The versions with what npm needs to install them; those without a tarball are left out. */
async function manifestsOf({ deps, url }: Context, name: string, rows: readonly VersionRow[]) {
  // Read as the answer is sent: the transaction of the request may be over.
  const { db } = deps.database
  const ids = rows.map(row => row.id)
  const [files, described] = [await filesOfPackages(db, ids).execute(), await metadataOfPackages(db, ids)]
  const fileOf = new Map(files.map(file => [file.package_id, file]))
  return rows.flatMap(({ id, project_id, version }) => {
    const file = fileOf.get(id)
    if (!file) return []
    const { dist, ...manifest } = (described.get(id) ?? {}) as { dist?: object }
    const tarball = `${url}/api/v4/projects/${project_id}/packages/npm/${name}/-/${encodeURIComponent(file.file_name)}`
    return [[version, { ...manifest, name, version, dist: { ...dist, tarball } }] as const]
  })
}

async function metadataOf(ctx: Context, where: Where, name: string, withRevision = false) {
  const rows = await versionsOf(ctx, where, name)
  const tags = await distTags(ctx, rows)
  return { body: Readable.from(documentOf(ctx, name, rows, tags, withRevision), { objectMode: false }) }
}

async function tarballOf(ctx: Context, where: Where, name: string, fileName: string) {
  for (const row of (await versionsOf(ctx, where, name)).toReversed()) {
    const file = await newestFile(ctx.db, row.id, fileName)
    if (file) return fileAnswer(ctx, file)
  }
  throw notFound('Package')
}

export const getNpmPackage = endpoint({
  ...reading,
  route: 'GET /projects/:id/packages/npm/:package_name',
  summary: 'Get what npm knows of a package of a project',
  scope: inPackages,
  can: 'read_package',
  params: { package_name, write: flag('With the revision, which a change of the package names', { default: false }) },
  answers: bytes('application/json'),
  run: ctx => metadataOf(ctx, { projectId: ctx.project.id }, ctx.params.package_name, ctx.params.write),
})

export const getNpmPackageOfInstance = endpoint({
  ...reading,
  route: 'GET /packages/npm/:package_name',
  summary: 'Get what npm knows of a package, of any project that the caller may read',
  scope: inInstance,
  can: 'read_instance',
  params: { package_name, write: flag('Refused: packages are changed in the registry of their project', { default: false }) },
  answers: bytes('application/json'),
  run(ctx) {
    // npm takes a later 404 for success.
    if (ctx.params.write) throw forbidden('Packages are changed in the registry of their project')
    return metadataOf(ctx, belowScope(ctx, ctx.params.package_name), ctx.params.package_name)
  },
})

export const downloadNpmTarball = endpoint({
  ...reading,
  route: 'GET /projects/:id/packages/npm/:package_name/-/:file_name',
  summary: 'Download a tarball of npm',
  scope: inPackages,
  can: 'read_package',
  params: { package_name, file_name },
  answers: ranged('application/octet-stream'),
  run: ctx => tarballOf(ctx, { projectId: ctx.project.id }, ctx.params.package_name, ctx.params.file_name),
})

export const publishNpmPackage = endpoint({
  ...writing,
  route: 'PUT /projects/:id/packages/npm/:package_name',
  summary: 'Publish a version by npm, or deprecate versions',
  scope: inPackages,
  can: 'create_package',
  rawBody: true,
  writes: 'own',
  params: { package_name },
  // Contract: 200, with the package (npm packages API).
  answers: one(PackageListed, 200),
  errors: ['too_large'],
  run: ctx => publishByNpm(ctx, ctx.project, ctx.params.package_name, ctx.body),
})

export const listNpmTags = endpoint({
  ...reading,
  route: 'GET /projects/:id/packages/npm/-/package/:package_name/dist-tags',
  summary: 'Get the tags of a package of npm',
  scope: inPackages,
  can: 'read_package',
  params: { package_name },
  answers: bytes('application/json'),
  run: async ctx => ({
    body: JSON.stringify(await distTags(ctx, await versionsOf(ctx, { projectId: ctx.project.id }, ctx.params.package_name))),
  }),
})

export const listNpmTagsOfInstance = endpoint({
  ...reading,
  route: 'GET /packages/npm/-/package/:package_name/dist-tags',
  summary: 'Get the tags of a package of npm, of any project that the caller may read',
  scope: inInstance,
  can: 'read_instance',
  params: { package_name },
  answers: bytes('application/json'),
  async run(ctx) {
    const { package_name: name } = ctx.params
    return { body: JSON.stringify(await distTags(ctx, await versionsOf(ctx, belowScope(ctx, name), name))) }
  },
})

export const setNpmTag = endpoint({
  ...writing,
  route: 'PUT /projects/:id/packages/npm/-/package/:package_name/dist-tags/:tag',
  summary: 'Make a tag of npm name a version',
  scope: inPackages,
  can: 'create_package',
  rawBody: true,
  params: { package_name, tag },
  answers: nothing,
  async run(ctx) {
    const { db, project, params, body } = ctx
    const version = await versionIn(body)
    if (!isTagName(params.tag)) throw badRequest('A tag is a word that is no version')
    const rows = await versionsOf(ctx, { projectId: project.id }, params.package_name)
    const row = rows.find(row => row.version === version)
    if (!row) throw notFound('Package')
    await assertPackagesAllow(ctx, 'push', [row])
    await tagPackage(db, ctx, row, new Map([[params.tag, row.id]]))
  },
})

export const removeNpmTag = endpoint({
  ...writing,
  route: 'DELETE /projects/:id/packages/npm/-/package/:package_name/dist-tags/:tag',
  summary: 'Remove a tag of npm',
  scope: inPackages,
  can: 'destroy_package',
  params: { package_name, tag },
  answers: nothing,
  async run(ctx) {
    const { db, project, params } = ctx
    const rows = await versionsOf(ctx, { projectId: project.id }, params.package_name)
    if ((await distTags(ctx, rows))[params.tag] === undefined) throw notFound('Package Tag')
    await assertPackagesAllow(ctx, 'push', rows)
    await untagPackage(db, { project_id: project.id, lookup_name: params.package_name }, [params.tag])
  },
})

/** The version in the body of a tag: one JSON text. */
async function versionIn(body: Readable): Promise<string> {
  const version = await jsonIn(body, 300, 'the body is no version')
  if (typeof version !== 'string') throw badRequest('the body is no version')
  return version
}

const revision = text('The revision of the package that was seen', { maxLength: 255, examples: ['1-a'] })

/** The package that a change is of, as it was seen. */
const seenBy = ({
  project,
  params: { package_name, revision },
}: {
  readonly project: { readonly id: number }
  readonly params: { readonly package_name: string; readonly revision: string }
}): SeenPackage => ({ projectId: project.id, name: package_name, revision })

export const unpublishNpmVersions = endpoint({
  ...writing,
  route: 'PUT /projects/:id/packages/npm/:package_name/-rev/:revision',
  summary: 'Delete the versions of a package of npm that a document of it leaves out',
  scope: inPackages,
  can: 'destroy_package',
  rawBody: true,
  writes: 'own',
  params: { package_name, revision },
  answers: nothing,
  errors: ['conflict'],
  run: ctx => unpublishVersions(ctx, seenBy(ctx), ctx.body),
})

export const unpublishNpmPackage = endpoint({
  ...writing,
  route: 'DELETE /projects/:id/packages/npm/:package_name/-rev/:revision',
  summary: 'Delete all versions of a package of npm',
  scope: inPackages,
  can: 'destroy_package',
  params: { package_name, revision },
  answers: nothing,
  errors: ['conflict'],
  run: ctx => unpublishPackage(ctx, seenBy(ctx)),
})

export const unpublishNpmTarball = endpoint({
  ...writing,
  route: 'DELETE /projects/:id/packages/npm/:package_name/-/:file_name/-rev/:revision',
  summary: 'Delete the version of a tarball of npm',
  scope: inPackages,
  can: 'destroy_package',
  params: { package_name, file_name, revision },
  answers: nothing,
  errors: ['conflict'],
  run: ctx => unpublishTarball(ctx, seenBy(ctx), ctx.params.file_name),
})
