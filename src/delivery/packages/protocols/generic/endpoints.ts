/** Generic packages: files of any kind under a name and a version (generic packages API at 14.0). */
import { choice } from '../../../../platform/kernel/answer/entity.ts'
import { endpoint, one, ranged } from '../../../../platform/kernel/declaration/endpoint.ts'
import { OneOf, optional, text } from '../../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../../platform/kernel/errors.ts'
import { publishFile } from '../../commands.ts'
import { packageDialect, publishingScopes, readingScopes } from '../../dialect.ts'
import { fileAnswer } from '../../downloads.ts'
import { newestFile, versionsIn } from '../../queries.ts'
import { announcedSize } from '../../receive.ts'
import { inPackages } from '../../scope.ts'
import { PackagePublished } from '../shared/published.ts'
import { PublishedPackageFile, type PublishedRow } from '../shared/published_file.ts'

const generic = packageDialect('generic_packages', { challenges: true })

/** Letters, digits and what names of files and versions have besides, but no way out of a folder. */
const name = (about: string, example: string) =>
  text(about, { pattern: '^(?!\\.{1,2}$)[A-Za-z0-9._+~@-]+$', minLength: 1, maxLength: 255, examples: [example] })

const path = {
  package_name: name('Name of the package', 'my-package'),
  package_version: text('Version of the package', {
    pattern: '^(?!\\.$)(?!.*\\.\\.)[A-Za-z0-9_+.-]+$',
    minLength: 1,
    maxLength: 255,
    examples: ['1.0.0'],
  }),
  file_name: name('Name of the file', 'program.tar.gz'),
}

export const publishGenericFile = endpoint({
  route: 'PUT /projects/:id/packages/generic/:package_name/:package_version/:file_name',
  summary: 'Publish a file of a generic package',
  dialect: generic,
  scope: inPackages,
  can: 'create_package',
  scopes: publishingScopes,
  jobToken: true,
  rawBody: true,
  writes: 'own',
  params: {
    ...path,
    status: optional(OneOf(['default', 'hidden'], { description: 'Status of a new package' })),
    select: optional(OneOf(['package_file'], { description: '`package_file`: the answer is the file' })),
  },
  answers: one(
    choice<PublishedRow>([PackagePublished, PublishedPackageFile], (_facts, params) =>
      params.select === 'package_file' ? PublishedPackageFile : PackagePublished,
    ),
    201,
  ),
  errors: ['too_large'],
  async run(ctx) {
    const { project, params, body } = ctx
    const { package_name, package_version, file_name, status } = params
    const wanted = { package_type: 'generic', name: package_name, version: package_version, status, file_name } as const
    const { file } = await publishFile(ctx, project, body, wanted, { size: announcedSize(ctx) })
    return { file, projectPath: project.full_path }
  },
})

export const downloadGenericFile = endpoint({
  route: 'GET /projects/:id/packages/generic/:package_name/:package_version/:file_name',
  summary: 'Download a file of a generic package',
  dialect: generic,
  scope: inPackages,
  can: 'read_package',
  scopes: readingScopes,
  jobToken: true,
  params: path,
  answers: ranged('application/octet-stream'),
  async run(ctx) {
    const { db, project, params } = ctx
    const named = { package_type: 'generic', lookup_name: params.package_name } as const
    const found = await versionsIn(db, { projectId: project.id }, named)
      .where('packages.version', '=', params.package_version)
      .executeTakeFirst()
    const file = found && (await newestFile(db, found.id, params.file_name))
    if (!file) throw notFound('Package')
    return fileAnswer(ctx, file)
  },
})
