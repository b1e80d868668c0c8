/** Repositories of Debian packages, of projects and of groups (Debian packages API at 14.0, and what later releases have added). */
import type { Ability } from '../../../../platform/access/abilities.ts'
import { etagOf } from '../../../../platform/kernel/answer/object.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import { type ByteAnswer, bytes, endpoint, one, ranged } from '../../../../platform/kernel/declaration/endpoint.ts'
import type { Scope } from '../../../../platform/kernel/declaration/scope.ts'
import { integer, optional, text } from '../../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../../platform/kernel/errors.ts'
import { packageDialect, publishingScopes, readingScopes } from '../../dialect.ts'
import { fileAnswer } from '../../downloads.ts'
import { filesInChannel } from '../../queries.ts'
import { inPackages } from '../../scope.ts'
import { PackagePublished } from '../shared/published.ts'
import { type InDistributionPlace, inDistributionFolder, inGroupDistributions, inProjectDistributions } from './distributions/scope.ts'
import { letterOf } from './names.ts'
import { destinationOf, publishDebianFile } from './publish.ts'
import { currentRelease, indexAt, type Listing, type ReleaseRow } from './releases.ts'

const debian = packageDialect('debian', { challenges: true })

const reading = { dialect: debian, scopes: readingScopes, jobToken: true } as const

const file_name = text('Name of the file', { minLength: 1, maxLength: 255, examples: ['thing_1.0.0_amd64.deb'] })

export const publishDebianPackage = endpoint({
  route: 'PUT /projects/:id/packages/debian/:file_name',
  summary: 'Upload a file of a Debian package; a `.changes` publishes what it names',
  dialect: debian,
  scope: inPackages,
  can: 'create_package',
  scopes: publishingScopes,
  jobToken: true,
  rawBody: true,
  writes: 'own',
  params: {
    file_name,
    distribution: optional(text('Codename or suite of the distribution, for a binary package without a `.changes`', { maxLength: 255 })),
    component: optional(text('Component, for a binary package without a `.changes`', { maxLength: 255 })),
  },
  answers: one(PackagePublished, 201),
  errors: ['too_large'],
  async run(ctx) {
    const { project, params } = ctx
    await publishDebianFile(ctx, project, params.file_name, destinationOf(params))
    return {}
  },
})

interface Kind<S extends InDistributionPlace> {
  readonly noun: 'Project' | 'Group'
  readonly scope: Scope<S>
  readonly path: '/projects/:id/packages/debian' | '/groups/:id/-/packages/debian'
  readonly can: Ability
}

/** A part of a release, which apt fetches again only where there is another one. */
function partOf(release: ReleaseRow, part: 'release' | 'signature' | 'in_release'): ByteAnswer {
  const body = release[part]
  return { body, etag: etagOf(body), modifiedAt: new Date(release.created_at) }
}

function repositoryEndpoints<S extends InDistributionPlace>({ noun, scope, path, can }: Kind<S>) {
  const of = `a distribution of Debian of a ${noun.toLowerCase()}`
  const errors = ['unprocessable', 'not_modified'] as const
  const whole = { ...reading, scope: inDistributionFolder(scope, noun), can, errors, cost: 'heavy' } as const

  const release = endpoint({
    ...whole,
    route: `GET ${path}/dists/:distribution/Release`,
    summary: `Get the digests of the indexes of ${of}`,
    answers: bytes('text/plain'),
    run: async ctx => partOf(await currentRelease(ctx, ctx), 'release'),
  })
  const signature = endpoint({
    ...whole,
    route: `GET ${path}/dists/:distribution/Release.gpg`,
    summary: `Get the signature of the digests of the indexes of ${of}`,
    answers: bytes('text/plain'),
    run: async ctx => partOf(await currentRelease(ctx, ctx), 'signature'),
  })
  const signed = endpoint({
    ...whole,
    route: `GET ${path}/dists/:distribution/InRelease`,
    summary: `Get the digests of the indexes of ${of}, signed`,
    answers: bytes('text/plain'),
    run: async ctx => partOf(await currentRelease(ctx, ctx), 'in_release'),
  })
  const index = endpoint({
    ...whole,
    route: `GET ${path}/dists/:distribution/*index_path`,
    summary: `Get an index of ${of}: of binary packages, of the installer, or of sources; as text, compressed, or by its digest`,
    params: {
      index_path: text('Path of the index: `main/binary-amd64/Packages`, `main/source/Sources.gz`, `main/binary-all/by-hash/SHA256/…`', {
        maxLength: 500,
        examples: ['main/binary-amd64/Packages'],
      }),
    },
    answers: bytes('text/plain'),
    async run(ctx) {
      const { body, isCompressed, madeAt, digest } = await indexAt(ctx, ctx, ctx.params.index_path)
      return { body, etag: etagOf(digest), modifiedAt: madeAt, ...(isCompressed && { headers: { 'content-type': 'application/gzip' } }) }
    },
  })
  return [release, signature, signed, index] as const
}

export const projectRepository = repositoryEndpoints({
  noun: 'Project',
  scope: inProjectDistributions,
  path: '/projects/:id/packages/debian',
  can: 'read_package',
})

export const groupRepository = repositoryEndpoints({
  noun: 'Group',
  scope: inGroupDistributions,
  path: '/groups/:id/-/packages/debian',
  can: 'read_group_packages',
})

const inPool = {
  letter: text('First letter of the source package; four of a library', { maxLength: 4, examples: ['t'] }),
  package_name: text('Name of the source package', { maxLength: 255, examples: ['thing'] }),
  package_version: text('Version of the source package', { maxLength: 255, examples: ['1.0.0'] }),
  file_name,
}

interface PoolAddress {
  readonly letter: string
  readonly package_name: string
  readonly package_version: string
  readonly file_name: string
  readonly project_id?: number
}

/** @throws Refusal 404 unless the distribution has this file at this address */
async function download(ctx: Context, { distribution, where }: Listing, address: PoolAddress) {
  const { letter, package_name, package_version, file_name, project_id } = address
  const file = await filesInChannel(ctx.db, where, { package_type: 'debian', name: distribution.codename })
    .where('packages.name', '=', package_name)
    .where('packages.version', '=', package_version)
    .where('package_files.file_name', '=', file_name)
    .$if(project_id !== undefined, query => query.where('packages.project_id', '=', project_id as number))
    .orderBy('package_files.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!file || letter !== letterOf(package_name)) throw notFound('Package')
  return fileAnswer(ctx, file)
}

export const downloadDebianFile = endpoint({
  ...reading,
  route: 'GET /projects/:id/packages/debian/pool/:distribution/:letter/:package_name/:package_version/:file_name',
  summary: 'Download a file of a Debian package',
  scope: inDistributionFolder(inProjectDistributions, 'Project'),
  can: 'read_package',
  params: inPool,
  answers: ranged('application/octet-stream'),
  run: ctx => download(ctx, ctx, ctx.params),
})

export const downloadDebianFileOfGroup = endpoint({
  ...reading,
  route: 'GET /groups/:id/-/packages/debian/pool/:distribution/:project_id/:letter/:package_name/:package_version/:file_name',
  summary: 'Download a file of a Debian package of the projects in a group and below it',
  scope: inDistributionFolder(inGroupDistributions, 'Group'),
  can: 'read_group_packages',
  params: { project_id: integer('ID of the project'), ...inPool },
  answers: ranged('application/octet-stream'),
  run: ctx => download(ctx, ctx, ctx.params),
})
