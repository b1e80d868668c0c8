/** Publications by npm: a new version with its tarball, or a message that versions are deprecated. */
import { transact } from '../../../../platform/db/transact.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import { badRequest, forbidden, notFound } from '../../../../platform/kernel/errors.ts'
import { whenBrokenOff } from '../../../../platform/kernel/request/wire.ts'
import type { Stored } from '../../../../spaces/projects/repository/store.ts'
import { assertPackagesAllow } from '../../../registry_protection/rights.ts'
import { addFile, describePackage, keepReceived, mayPublish, publishVersion, tagPackage } from '../../commands.ts'
import { type PackageRow, versionsIn } from '../../queries.ts'
import { type Received, receiveFile } from '../../receive.ts'
import { isObject, type Json } from '../shared/body.ts'
import { PublishedDocument } from './document.ts'
import { assertOwnName } from './names.ts'

/** What a `package.json` says that those who install a version need to know. */
const keptFields = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'peerDependenciesMeta',
  'bundleDependencies',
  'bundledDependencies',
  'bin',
  'engines',
  'os',
  'cpu',
  'directories',
  'deprecated',
  'funding',
  'hasInstallScript',
  '_hasShrinkwrap',
] as const

/** Characters of these fields of a version: everybody who installs the package reads those of all its versions. */
const MOST_KEPT = 64 * 1024

/** A version as semantic versioning writes it, with the limit of a name. */
const VERSION = /^\d{1,15}\.\d{1,15}\.\d{1,15}(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/

/** The name of a tag, which is no version and no range of versions. */
export const isTagName = (name: string): boolean => /^[A-Za-z][\w.~-]{0,254}$/.test(name) && !/^v?\d/.test(name)

/**
 * Publishes what the body says, and answers the version.
 * @throws Refusal 400 for a document that is none of this package and a name that another project has, 403 for a version that is there already
 */
export async function publishByNpm(ctx: Context, project: Stored, name: string, body: NodeJS.ReadableStream): Promise<PackageRow> {
  // Nothing else listens to it meanwhile.
  body.on('error', () => {})
  await mayPublish(ctx, project, { package_type: 'npm', name })()
  const document = new PublishedDocument()
  whenBrokenOff(body, error => document.destroy(error))
  body.pipe(document)
  document.once('error', () => {
    body.unpipe(document)
    body.resume()
  })
  return receiveFile(ctx, project, document, { type: 'npm', digests: ['sha1', 'sha512'] }, async (received, counted) => {
    const said = document.parsed()
    if (said.name !== name) throw badRequest('The name of the package is not the one in the address')
    if (!isObject(said.versions)) throw badRequest('"versions" is missing')
    const attachments = isObject(said._attachments) ? Object.entries(said._attachments) : []
    if (attachments.length === 0) {
      await ctx.deps.objects.delete([received.key])
      return deprecate(ctx, project.id, name, said.versions)
    }
    const [versions, [[fileName, attachment]]] = [Object.entries(said.versions), attachments as [[string, unknown]]]
    const [[version, manifest] = []] = versions
    if (attachments.length !== 1 || versions.length !== 1 || version === undefined || !isObject(manifest))
      throw badRequest('One version with one attachment is published at a time')
    if (!VERSION.test(version) || version.length > 255) throw badRequest('The version is no semantic version')
    assertAsAnnounced(received, manifest, attachment)
    const tags = Object.keys(isObject(said['dist-tags']) ? said['dist-tags'] : {})
    const wrongTag = tags.find(tag => !isTagName(tag))
    if (wrongTag !== undefined) throw badRequest('A tag is a word that is no version')
    const file_name = fileName.split('/').at(-1) as string
    if (!/^[A-Za-z0-9._+~-]{1,255}$/.test(file_name) || /^\.{1,2}$/.test(file_name))
      throw badRequest('The name of the attachment is no file name')
    const kept = pick(manifest)
    if (JSON.stringify(kept).length > MOST_KEPT) throw badRequest('The metadata of the package is too large')
    const published = await keepReceived(ctx, received, counted, async db => {
      const metadata = { ...kept, dist: { shasum: received.digests.sha1, integrity: integrityOf(received) } }
      await assertOwnName(db, project.id, name)
      const { package: row, isNew } = await publishVersion(db, ctx, project.id, { package_type: 'npm', name, version, metadata })
      if (!isNew) throw forbidden('Package already exists.')
      const file = await addFile(db, ctx, row, file_name, received)
      await tagPackage(db, ctx, row, new Map(tags.map(tag => [tag, row.id])))
      return { row, file }
    })
    return published.row
  })
}

const pick = (manifest: Json): object =>
  Object.fromEntries(keptFields.flatMap(name => (manifest[name] === undefined ? [] : [[name, manifest[name]]])))

const integrityOf = ({ digests }: Received): string => `sha512-${Buffer.from(digests.sha512 as string, 'hex').toString('base64')}`

/** The digests and the size of the document must be those of the tarball. */
function assertAsAnnounced(received: Received, { dist }: Json, attachment: unknown): void {
  const { shasum, integrity } = isObject(dist) ? dist : {}
  const length = isObject(attachment) ? attachment.length : undefined
  if (shasum !== undefined && shasum !== received.digests.sha1) throw badRequest('The shasum of the tarball is not the one announced')
  const isOther = typeof integrity === 'string' && integrity.startsWith('sha512-') && integrity !== integrityOf(received)
  if (isOther) throw badRequest('The integrity of the tarball is not the one announced')
  if (typeof length === 'number' && length !== received.size) throw badRequest('The size of the tarball is not the one announced')
}

/** Notes which versions are deprecated, and why; an empty reason takes that back. */
async function deprecate(ctx: Context, projectId: number, name: string, said: Json): Promise<PackageRow> {
  return transact(ctx.deps.database.db, async db => {
    const rows = await versionsIn(db, { projectId }, { package_type: 'npm', lookup_name: name }).forUpdate('packages').execute()
    const last = rows.at(-1)
    if (!last) throw notFound('Package')
    await assertPackagesAllow({ ...ctx, db }, 'push', [last])
    for (const row of rows) {
      const manifest = said[row.version as string]
      if (!isObject(manifest) || typeof manifest.deprecated !== 'string') continue
      const { deprecated: _, ...others } = row.metadata as Record<string, unknown>
      await describePackage(
        db,
        row.id,
        manifest.deprecated === '' ? others : { ...others, deprecated: manifest.deprecated.slice(0, 1_000) },
      )
    }
    return last
  })
}
