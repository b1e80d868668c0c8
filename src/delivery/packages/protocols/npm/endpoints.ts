/** The registry of npm, of projects and of the instance (npm packages API at 14.0). */
import { Readable } from 'node:stream'
import type { Context } from '../../../../platform/kernel/context.ts'
import { bytes, endpoint, nothing, one, ranged } from '../../../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../../../platform/kernel/declaration/scope.ts'
import { text } from '../../../../platform/kernel/declaration/types.ts'
import { badRequest, notFound } from '../../../../platform/kernel/errors.ts'
import { tagPackage, untagPackage } from '../../commands.ts'
import { packageDialect, publishingScopes, readingScopes } from '../../dialect.ts'
import { fileAnswer } from '../../downloads.ts'
import { PackageListed } from '../../entity.ts'
import { filesOfPackages, metadataOfPackages, newestFile, type PackageRow, tagsOf, versionsIn, type Where } from '../../queries.ts'
import { inPackages } from '../../scope.ts'
import { isTagName, publishByNpm } from './publish.ts'

const scoped = /^(\/api\/v4\/(?:projects\/[^/?]+\/)?packages\/npm\/(?:-\/package\/)?)@([^/?%]+)\/([^/?]+)(.*)$/

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

/** A version without its metadata, which all together may be large. */
type VersionRow = Pick<PackageRow, 'id' | 'project_id' | 'lookup_name' | 'version'>

/** The versions of a package, of one project: of several that have the name, the one that published it last. */
async function versionsOf({ db }: Pick<Context, 'db'>, where: Where, name: string): Promise<VersionRow[]> {
  const rows = await versionsIn(db, where, { package_type: 'npm', lookup_name: name })
    .clearSelect()
    .select(['packages.id', 'packages.project_id', 'packages.lookup_name', 'packages.version'])
    .execute()
  const project = rows.at(-1)?.project_id
  if (project === undefined) throw notFound('Package')
  return rows.filter(row => row.project_id === project)
}

/**
 * Where the registry of the instance looks for a name. Contract: its scope is the path of the group or user at the top (npm packages API at 14.0), so
 * that nobody else can take it. @throws Refusal 404 for a name without a scope
 */
function belowScope({ actor }: Pick<Context, 'actor'>, name: string): Where {
  const [, root] = /^@([^/]+)\//.exec(name) ?? []
  if (root === undefined) throw notFound('Package')
  return { actor, root }
}

/** The tags of these versions; `latest` is the newest one unless a tag says otherwise. */
async function distTags({ db }: Pick<Context, 'db'>, rows: readonly VersionRow[]): Promise<Record<string, string | null>> {
  const byId = await tagsOf(
    db,
    rows.map(row => row.id),
  )
  const tags = rows.flatMap(row => (byId.get(row.id) ?? []).map(name => [name, row.version] as const))
  return { latest: rows.at(-1)?.version ?? null, ...Object.fromEntries(tags) }
}

/** Versions whose metadata is in memory at a time. */
const BATCH = 50

/** What npm knows of a package, as it is sent: there may be thousands of versions. */
async function* documentOf(
  ctx: Context,
  name: string,
  rows: readonly VersionRow[],
  tags: Record<string, string | null>,
): AsyncGenerator<string> {
  yield `{"name":${JSON.stringify(name)},"versions":{`
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

async function metadataOf(ctx: Context, where: Where, name: string) {
  const rows = await versionsOf(ctx, where, name)
  const tags = await distTags(ctx, rows)
  return { body: Readable.from(documentOf(ctx, name, rows, tags), { objectMode: false }) }
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
  params: { package_name },
  answers: bytes('application/json'),
  run: ctx => metadataOf(ctx, { projectId: ctx.project.id }, ctx.params.package_name),
})

export const getNpmPackageOfInstance = endpoint({
  ...reading,
  route: 'GET /packages/npm/:package_name',
  summary: 'Get what npm knows of a package, of any project that the caller may read',
  scope: inInstance,
  can: 'read_instance',
  params: { package_name },
  answers: bytes('application/json'),
  run: ctx => metadataOf(ctx, belowScope(ctx, ctx.params.package_name), ctx.params.package_name),
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
    await tagPackage(db, ctx, row, params.tag)
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
    await untagPackage(db, project.id, params.package_name, params.tag)
  },
})

/** The version in the body of a tag: one JSON text. */
async function versionIn(body: Readable): Promise<string> {
  let text = ''
  for await (const chunk of body.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk
    if (text.length > 300) throw badRequest('the body is no version')
  }
  try {
    const version: unknown = JSON.parse(text)
    if (typeof version === 'string') return version
  } catch {
    // Said below, as for every other body.
  }
  throw badRequest('the body is no version')
}
