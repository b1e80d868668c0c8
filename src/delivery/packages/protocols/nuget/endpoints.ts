/** The registry of NuGet, of projects and of groups (NuGet packages API at 14.0; NuGet's documentation, "Server API"). */
import { Readable } from 'node:stream'
import type { Context } from '../../../../platform/kernel/context.ts'
import { bytes, endpoint, nothing, one, ranged } from '../../../../platform/kernel/declaration/endpoint.ts'
import { flag, integer, text } from '../../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../../platform/kernel/errors.ts'
import { inGroup } from '../../../../spaces/groups/scope.ts'
import { removePackage } from '../../commands.ts'
import { packageDialect, publishingScopes, readingScopes } from '../../dialect.ts'
import { fileAnswer } from '../../downloads.ts'
import { metadataOfPackages, namesIn, newestFile, newestVersionsOf, packageOfProject, versionsIn, type Where } from '../../queries.ts'
import { inPackages } from '../../scope.ts'
import { PackagePublished } from '../shared/published.ts'
import {
  type DescribedRow,
  fileNameOf,
  newestOf,
  searchDocument,
  serviceIndex,
  type VersionRow,
  versionDocument,
  versionsDocument,
} from './documents.ts'
import { publishByNuget } from './publish.ts'
import { normalizedVersion } from './versions.ts'

const nuget = packageDialect('nuget', { challenges: true, header: 'x-nuget-apikey' })

const reading = { dialect: nuget, scopes: readingScopes, jobToken: true } as const
const writing = { dialect: nuget, scopes: publishingScopes, jobToken: true } as const
const inProjectReading = { ...reading, scope: inPackages, can: 'read_package' } as const
const inGroupReading = { ...reading, scope: inGroup, can: 'read_group_packages' } as const
const json = bytes('application/json')

const package_name = text('Name of the package', { minLength: 1, maxLength: 100, examples: ['Team.Thing'] })
const package_version = text('Version of the package', { minLength: 1, maxLength: 64, examples: ['1.0.0'] })

/** The most packages of a page of a search, and of versions of each (public behaviour at 14.0). */
const MOST_FOUND = 30
const MOST_VERSIONS = 10

const search = {
  q: text('Part of the name', { default: '', maxLength: 255 }),
  skip: integer('Packages to leave out', { default: 0, minimum: 0, maximum: 50_000 }),
  take: integer(`Packages to answer, ${MOST_FOUND} at most`, { default: 20, minimum: 1, maximum: 2_147_483_647 }),
  prerelease: flag('Pre-releases too', { default: true }),
}

type Found = Pick<Context, 'db' | 'deps' | 'url'>

const apiOf = ({ url }: Pick<Context, 'url'>) => `${url}/api/v4`
const ofProject = ({ project }: { readonly project: { readonly id: number } }): Where => ({ projectId: project.id })
const ofGroup = ({ actor, group }: Pick<Context, 'actor'> & { readonly group: { readonly id: number } }): Where => ({
  actor,
  groupId: group.id,
})

/** The versions of a package, the newest last, without what may be large. @throws Refusal 404 where there is none */
async function versionsOf({ db }: Pick<Context, 'db'>, where: Where, name: string): Promise<[VersionRow, ...VersionRow[]]> {
  const [first, ...others] = await versionsIn(db, where, { package_type: 'nuget', lookup_name: name.toLowerCase() })
    .clearSelect()
    .select(['packages.id', 'packages.project_id', 'packages.name', 'packages.lookup_name', 'packages.version'])
    .execute()
  if (!first) throw notFound('Packages')
  return [first, ...others]
}

/** A version, however it is written. @throws Refusal 404 */
async function versionOf(ctx: Pick<Context, 'db'>, where: Where, name: string, version: string): Promise<VersionRow> {
  const wanted = normalizedVersion(version)
  const rows = await versionsOf(ctx, where, name)
  const row = wanted && rows.findLast(({ version: written }) => normalizedVersion(written ?? '') === wanted)
  if (!row) throw notFound('Package')
  return row
}

/** Versions whose metadata is in memory at a time. */
const BATCH = 50

async function* describe({ deps }: Pick<Context, 'deps'>, rows: readonly VersionRow[]): AsyncGenerator<DescribedRow[]> {
  // Read as the answer is sent: the transaction of the request may be over.
  const { db } = deps.database
  for (let from = 0; from < rows.length; from += BATCH) {
    const some = rows.slice(from, from + BATCH)
    const metadata = await metadataOfPackages(
      db,
      some.map(({ id }) => id),
    )
    yield some.flatMap(row => (metadata.has(row.id) ? [{ ...row, metadata: metadata.get(row.id) as DescribedRow['metadata'] }] : []))
  }
}

async function allVersions(ctx: Found, where: Where, name: string) {
  const rows = await versionsOf(ctx, where, name)
  return { body: Readable.from(versionsDocument(apiOf(ctx), rows, describe(ctx, rows)), { objectMode: false }) }
}

async function oneVersion(ctx: Found, where: Where, name: string, version: string) {
  const row = await versionOf(ctx, where, name, version)
  const metadata = (await metadataOfPackages(ctx.db, [row.id])).get(row.id)
  if (metadata === undefined) throw notFound('Package')
  return { body: JSON.stringify(versionDocument(apiOf(ctx), { ...row, metadata })) }
}

interface Search {
  readonly q: string
  readonly skip: number
  readonly take: number
  readonly prerelease: boolean
}

async function searchPackages(ctx: Found, where: Where, { q, skip, take, prerelease }: Search) {
  const { db } = ctx
  const wanted = { text: q, prerelease, skip, take: Math.min(take, MOST_FOUND) }
  const { total, names } = await namesIn(db, where, 'nuget', wanted)
  const rows = await newestVersionsOf(db, where, 'nuget', names, prerelease, MOST_VERSIONS)
  const newest = [...Map.groupBy(rows, row => row.lookup_name).values()].map(versions => newestOf(versions).id)
  return { body: searchDocument(apiOf(ctx), total, rows, await metadataOfPackages(db, newest)) }
}

export const getNugetIndex = endpoint({
  ...inProjectReading,
  route: 'GET /projects/:id/packages/nuget/index.json',
  summary: 'Get where NuGet finds the packages of a project',
  answers: json,
  run: async ctx => ({ body: serviceIndex(`${apiOf(ctx)}/projects/${ctx.project.id}/packages/nuget`, false) }),
})

export const getNugetIndexOfGroup = endpoint({
  ...inGroupReading,
  route: 'GET /groups/:id/-/packages/nuget/index.json',
  summary: 'Get where NuGet finds the packages of the projects in a group and below it',
  answers: json,
  run: async ctx => ({ body: serviceIndex(`${apiOf(ctx)}/groups/${ctx.group.id}/-/packages/nuget`, true) }),
})

export const getNugetPackage = endpoint({
  ...inProjectReading,
  route: 'GET /projects/:id/packages/nuget/metadata/:package_name/index.json',
  summary: 'Get what NuGet knows of a package of a project',
  params: { package_name },
  answers: json,
  run: ctx => allVersions(ctx, ofProject(ctx), ctx.params.package_name),
})

export const getNugetPackageOfGroup = endpoint({
  ...inGroupReading,
  route: 'GET /groups/:id/-/packages/nuget/metadata/:package_name/index.json',
  summary: 'Get what NuGet knows of a package of the projects in a group and below it',
  params: { package_name },
  answers: json,
  run: ctx => allVersions(ctx, ofGroup(ctx), ctx.params.package_name),
})

export const getNugetVersion = endpoint({
  ...inProjectReading,
  route: 'GET /projects/:id/packages/nuget/metadata/:package_name/:package_version.json',
  summary: 'Get what NuGet knows of a version of a package of a project',
  params: { package_name, package_version },
  answers: json,
  run: ctx => oneVersion(ctx, ofProject(ctx), ctx.params.package_name, ctx.params.package_version),
})

export const getNugetVersionOfGroup = endpoint({
  ...inGroupReading,
  route: 'GET /groups/:id/-/packages/nuget/metadata/:package_name/:package_version.json',
  summary: 'Get what NuGet knows of a version of a package of the projects in a group and below it',
  params: { package_name, package_version },
  answers: json,
  run: ctx => oneVersion(ctx, ofGroup(ctx), ctx.params.package_name, ctx.params.package_version),
})

export const searchNugetPackages = endpoint({
  ...inProjectReading,
  route: 'GET /projects/:id/packages/nuget/query',
  summary: 'Search the packages of NuGet of a project',
  params: search,
  answers: json,
  run: ctx => searchPackages(ctx, ofProject(ctx), ctx.params),
})

export const searchNugetPackagesOfGroup = endpoint({
  ...inGroupReading,
  route: 'GET /groups/:id/-/packages/nuget/query',
  summary: 'Search the packages of NuGet of the projects in a group and below it',
  params: search,
  answers: json,
  run: ctx => searchPackages(ctx, ofGroup(ctx), ctx.params),
})

export const listNugetVersions = endpoint({
  ...inProjectReading,
  route: 'GET /projects/:id/packages/nuget/download/:package_name/index.json',
  summary: 'List the versions of a package of NuGet',
  params: { package_name },
  answers: json,
  async run(ctx) {
    const rows = await versionsOf(ctx, ofProject(ctx), ctx.params.package_name)
    return { body: JSON.stringify({ versions: rows.map(({ version }) => version) }) }
  },
})

export const downloadNugetPackage = endpoint({
  ...inProjectReading,
  route: 'GET /projects/:id/packages/nuget/download/:package_name/:package_version/:file_name.nupkg',
  summary: 'Download a version of a package of NuGet',
  params: {
    package_name,
    package_version,
    file_name: text('Name of the file without `.nupkg`', { maxLength: 255, examples: ['team.thing.1.0.0'] }),
  },
  answers: ranged('application/octet-stream'),
  async run(ctx) {
    const { package_name: name, package_version: version, file_name } = ctx.params
    const row = await versionOf(ctx, ofProject(ctx), name, version)
    const kept = fileNameOf(row.name, row.version ?? '')
    // Clients ask for the version as they compare it, not as it was published.
    const isAsked = [kept, fileNameOf(name, version)].includes(`${file_name}.nupkg`.toLowerCase())
    const file = isAsked ? await newestFile(ctx.db, row.id, kept) : undefined
    if (!file) throw notFound('Package')
    return fileAnswer(ctx, file)
  },
})

export const publishNugetPackage = endpoint({
  ...writing,
  route: 'PUT /projects/:id/packages/nuget',
  summary: 'Publish a package of NuGet, as a multipart form',
  scope: inPackages,
  can: 'create_package',
  rawBody: true,
  writes: 'own',
  answers: one(PackagePublished, 201),
  errors: ['too_large'],
  async run(ctx) {
    await publishByNuget(ctx, ctx.project)
    return {}
  },
})

export const deleteNugetPackage = endpoint({
  ...writing,
  route: 'DELETE /projects/:id/packages/nuget/:package_name/:package_version',
  summary: 'Delete a version of a package of NuGet',
  scope: inPackages,
  can: 'destroy_package',
  params: { package_name, package_version },
  answers: nothing,
  async run(ctx) {
    const { id } = await versionOf(ctx, ofProject(ctx), ctx.params.package_name, ctx.params.package_version)
    const found = await packageOfProject(ctx.db, ctx.project.id, id)
    if (!found) throw notFound('Package')
    await removePackage(ctx, found)
  },
})
