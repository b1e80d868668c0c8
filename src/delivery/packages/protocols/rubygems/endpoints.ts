/** The registry of gems of a project (RubyGems packages API at 14.0, with what it left out; RubyGems' documentation, "Compact Index API"). */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { deflate, gzip } from 'node:zlib'
import { breather } from '../../../../platform/kernel/answer/time_slicing.ts'
import type { ByteAnswer } from '../../../../platform/kernel/declaration/endpoint.ts'
import { bytes, endpoint, nothing, one, ranged } from '../../../../platform/kernel/declaration/endpoint.ts'
import { text } from '../../../../platform/kernel/declaration/types.ts'
import { badRequest, notFound } from '../../../../platform/kernel/errors.ts'
import { packageDialect, publishingScopes, readingScopes } from '../../dialect.ts'
import { fileAnswer } from '../../downloads.ts'
import { inPackages } from '../../scope.ts'
import { PackagePublished } from '../shared/published.ts'
import { compactDocument, dependenciesDocument, type GemVersion, specificationDocument, specsDocument } from './documents.ts'
import { publishGem, withdrawGem } from './publish.ts'
import { filesOfGems, type GemMetadata, gemFile, gemIndexOf, gemNamesOf, gemsOf, infoLinesOf, neededOf } from './queries.ts'
import { ANYWHERE, compareGemVersions, isPrerelease } from './versions.ts'

// RubyGems sends its key alone in the header.
const rubygems = packageDialect('rubygems', { challenges: true, header: 'authorization' })

const reading = { dialect: rubygems, scopes: readingScopes, jobToken: true, scope: inPackages, can: 'read_package' } as const
const writing = { dialect: rubygems, scopes: publishingScopes, jobToken: true, scope: inPackages } as const

const octets = 'application/octet-stream'
const lines = 'text/plain; charset=utf-8'

const gem_name = text('Name of the gem', { minLength: 1, maxLength: 150, examples: ['thing'] })
const file_name = text('Name, version and platform of the gem', { minLength: 1, maxLength: 255, examples: ['thing-1.0.0'] })

/** Gems that a request may ask the dependencies of: Bundler asks for so many at most. */
const MOST_NAMES = 100

/** What clients keep of an index: they compare its tag with the MD5 of what they have. An index may be long. */
async function tagged(pieces: Iterable<Buffer>): Promise<ByteAnswer> {
  const pause = breather()
  const hash = createHash('md5')
  const body: Buffer[] = []
  for (const piece of pieces) {
    await pause()
    hash.update(piece)
    body.push(piece)
  }
  const [first, ...others] = body
  return { body: first && others.length === 0 ? first : Readable.from(body, { objectMode: false }), etag: `"${hash.digest('hex')}"` }
}

/** An index of RubyGems, with the gems that belong in it. */
const specsEndpoint = (file: string, about: string, chosen: (gems: readonly GemVersion[]) => readonly GemVersion[]) =>
  endpoint({
    ...reading,
    route: `GET /projects/:id/packages/rubygems/${file}.4.8.gz`,
    summary: `Get the index of ${about} of gems, as RubyGems reads it`,
    cost: 'heavy',
    answers: bytes(octets),
    errors: ['not_modified'],
    async run({ db, project }) {
      const document = await specsDocument(chosen(await gemsOf(db, project.id)))
      return tagged([await promisify(gzip)(Buffer.concat(document))])
    },
  })

const releases = (gems: readonly GemVersion[]) => gems.filter(({ version }) => !isPrerelease(version))

/** The newest release of each gem for each platform. */
const newest = (gems: readonly GemVersion[]): GemVersion[] =>
  [...Map.groupBy(releases(gems), ({ name, platform }) => `${name} ${platform}`).values()].map(versions =>
    versions.reduce((best, other) => (compareGemVersions(other.version, best.version) > 0 ? other : best)),
  )

export const getGemSpecs = specsEndpoint('specs', 'the releases', releases)

export const getLatestGemSpecs = specsEndpoint('latest_specs', 'the newest releases', newest)

export const getPrereleaseGemSpecs = specsEndpoint('prerelease_specs', 'the pre-releases', gems =>
  gems.filter(({ version }) => isPrerelease(version)),
)

export const getGemspec = endpoint({
  ...reading,
  route: 'GET /projects/:id/packages/rubygems/quick/Marshal.4.8/:file_name.gemspec.rz',
  summary: 'Get the specification of a gem, as RubyGems reads it',
  params: { file_name },
  answers: bytes(octets),
  errors: ['not_modified'],
  async run({ db, project, params }) {
    const file = await gemFile(db, project.id, params.file_name)
    if (!file) throw notFound('Package')
    return tagged([await promisify(deflate)(specificationDocument((file.metadata as unknown as GemMetadata).gemspec))])
  },
})

export const downloadGem = endpoint({
  ...reading,
  route: 'GET /projects/:id/packages/rubygems/gems/:file_name.gem',
  summary: 'Download a gem',
  params: { file_name },
  answers: ranged(octets),
  async run(ctx) {
    const file = await gemFile(ctx.db, ctx.project.id, ctx.params.file_name)
    if (!file) throw notFound('Package')
    return fileAnswer(ctx, file)
  },
})

export const listGemDependencies = endpoint({
  ...reading,
  route: 'GET /projects/:id/packages/rubygems/api/v1/dependencies',
  summary: 'List what all versions of some gems need to run, as RubyGems reads it',
  cost: 'heavy',
  params: { gems: text('Names of gems, with commas', { default: '', maxLength: 20_000 }) },
  answers: bytes(octets),
  errors: ['not_modified'],
  async run(ctx) {
    const { db, deps, project, params } = ctx
    const names = params.gems.split(',').filter(name => name !== '')
    if (names.length > MOST_NAMES) throw badRequest(`Too many gems, ${MOST_NAMES} at most`)
    const files = await filesOfGems(db, project.id, names)
    // It is made as a whole: its tag stands before it.
    deps.limiter.answer(
      ctx,
      files.reduce((sum, { bytes }) => sum + bytes, 0),
    )
    return tagged(await dependenciesDocument(neededOf(db, project.id, files)))
  },
})

export const listGemNames = endpoint({
  ...reading,
  route: 'GET /projects/:id/packages/rubygems/names',
  summary: 'List the names of all gems, as Bundler reads it',
  cost: 'heavy',
  answers: bytes(lines),
  errors: ['not_modified'],
  run: async ({ db, project }) => tagged(compactDocument(await gemNamesOf(db, project.id))),
})

export const listGemVersions = endpoint({
  ...reading,
  route: 'GET /projects/:id/packages/rubygems/versions',
  summary: 'List the versions of all gems, as Bundler reads it',
  cost: 'heavy',
  answers: bytes(lines),
  errors: ['not_modified'],
  async run({ db, project }) {
    const gems = await gemIndexOf(db, project.id)
    const changes = gems.map(({ changed_at }) => new Date(changed_at).toISOString()).sort()
    return tagged(
      compactDocument(
        gems.map(({ name, versions, digest }) => `${name} ${versions} ${digest}`),
        changes.slice(-1).map(time => `created_at: ${time}`),
      ),
    )
  },
})

export const getGemInfo = endpoint({
  ...reading,
  route: 'GET /projects/:id/packages/rubygems/info/:gem_name',
  summary: 'List the versions of a gem with what they need, as Bundler reads it',
  cost: 'heavy',
  params: { gem_name },
  answers: bytes(lines),
  errors: ['not_modified'],
  async run({ db, project, params }) {
    const versions = await infoLinesOf(db, project.id, params.gem_name)
    if (versions.length === 0) throw notFound('Package')
    return tagged(compactDocument(versions))
  },
})

export const publishGemFile = endpoint({
  ...writing,
  route: 'POST /projects/:id/packages/rubygems/api/v1/gems',
  summary: 'Publish a gem',
  can: 'create_package',
  rawBody: true,
  writes: 'own',
  answers: one(PackagePublished, 201),
  errors: ['too_large', 'conflict'],
  async run(ctx) {
    await publishGem(ctx, ctx.project, ctx.body)
    return {}
  },
})

export const withdrawGemVersion = endpoint({
  ...writing,
  route: 'DELETE /projects/:id/packages/rubygems/api/v1/gems/yank',
  summary: 'Delete a version of a gem for a platform, as `gem yank` asks for it',
  can: 'destroy_package',
  params: {
    gem_name,
    version: text('Version of the gem', { minLength: 1, maxLength: 100, examples: ['1.0.0'] }),
    platform: text('Platform of the gem', { default: ANYWHERE, maxLength: 100 }),
  },
  answers: nothing,
  async run(ctx) {
    const { gem_name: name, version, platform } = ctx.params
    await withdrawGem(ctx, ctx.project, { name, version, platform })
  },
})
