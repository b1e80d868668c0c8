/** Publications by twine: one file of a version with what the file says of itself, as a multipart form. */
import type { Readable } from 'node:stream'
import type { Context } from '../../../../platform/kernel/context.ts'
import { optional, text } from '../../../../platform/kernel/declaration/types.ts'
import { badRequest } from '../../../../platform/kernel/errors.ts'
import { ParameterReader } from '../../../../platform/kernel/request/params.ts'
import type { Stored } from '../../../../spaces/projects/repository/store.ts'
import { addFile, describePackage, keepReceived, mayPublish, publishVersion } from '../../commands.ts'
import { newestFile } from '../../queries.ts'
import { type ReceivedForm, receiveForm } from '../../receive.ts'
import { unfitPackage } from '../shared/published.ts'
import { normalizedName } from './names.ts'

/** A file named `content`, and the metadata of the package, whose description may be long. */
const form = { name: 'content', fields: 500, fieldSize: 1024 * 1024, together: 2 * 1024 * 1024 }

const fields = new ParameterReader(
  {
    name: text('Name of the package'),
    version: text('Version of the package'),
    requires_python: optional(text('Versions of Python that it runs on', { maxLength: 255 })),
    md5_digest: optional(text('MD5 of the file')),
    sha256_digest: optional(text('SHA-256 of the file', { pattern: '^[0-9a-fA-F]{64}$' })),
  },
  [],
)

interface Fields {
  readonly name: string
  readonly version: string
  readonly requires_python?: string
  readonly md5_digest?: string
  readonly sha256_digest?: string
}

/** A name of a distribution (core metadata specification, "Name"). */
const NAME = /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/

/** A version as PEP 440 writes it: epoch, release, pre-release, post-release, development release, local version. */
const VERSION = new RegExp(
  [
    '^v?(\\d+!)?\\d+(\\.\\d+)*',
    '([._-]?(a|b|c|rc|alpha|beta|pre|preview)[._-]?\\d*)?',
    '(-\\d+|[._-]?(post|rev|r)[._-]?\\d*)?',
    '([._-]?dev[._-]?\\d*)?',
    '(\\+[a-z0-9]+([._-][a-z0-9]+)*)?$',
  ].join(''),
  'i',
)

const FILE_NAME = /^(?!\.{1,2}$)[A-Za-z0-9._+!~-]{1,255}$/

/**
 * Publishes the file of the form. @throws Refusal 400 for a name or a version that Python does not have, for a file that is not the one announced,
 * and for a name of a file that the version has already
 */
export const publishByTwine = (ctx: Context & { readonly body: Readable }, project: Stored): Promise<void> =>
  receiveForm(
    ctx,
    project,
    form,
    { type: 'pypi', digests: ['md5'], assertAllowed: mayPublishFields(ctx, project) },
    async (sent, counted) => {
      const said = fields.read(sent.fields, ctx.tier) as unknown as Fields
      assertFits(sent, said)
      const { name, version, requires_python = '' } = said
      const wanted = { package_type: 'pypi', name, lookup_name: normalizedName(name), version, metadata: { requires_python } } as const
      await keepReceived(ctx, sent.received, counted, async db => {
        const published = await publishVersion(db, ctx, project.id, wanted)
        // Contract: the words by which `twine upload --skip-existing` knows that the file is there (public behaviour at 14.0).
        if (await newestFile(db, published.package.id, sent.filename)) throw unfitPackage('File name has already been taken')
        if (!published.isNew) await describePackage(db, published.package.id, wanted.metadata)
        return { file: await addFile(db, ctx, published.package, sent.filename, sent.received) }
      })
    },
  )

/** Asks by the fields before the file, where twine says the name. One that says it later is asked when all has come. */
const mayPublishFields =
  (ctx: Context, project: Stored) =>
  async ({ name }: Readonly<Record<string, string>>): Promise<void> => {
    if (name !== undefined) await mayPublish(ctx, project, { package_type: 'pypi', name, lookup_name: normalizedName(name) })()
  }

function assertFits({ filename, received }: ReceivedForm, { name, version, md5_digest, sha256_digest }: Fields): void {
  if (name.length > 255 || !NAME.test(name)) throw unfitPackage('Name is invalid')
  if (version.length > 255 || !VERSION.test(version)) throw unfitPackage('Version is invalid')
  if (!FILE_NAME.test(filename)) throw unfitPackage('File name is invalid')
  if (sha256_digest !== undefined && sha256_digest.toLowerCase() !== received.sha256)
    throw badRequest('The sha256 of the file is not the one announced')
  if (md5_digest !== undefined && md5_digest !== '' && md5_digest.toLowerCase() !== received.digests.md5)
    throw badRequest('The md5 of the file is not the one announced')
}
