/** The permanent addresses of files of packages, below the page of their project. */
import { contentDisposition } from '../../platform/kernel/answer/disposition.ts'
import { objectAnswer } from '../../platform/kernel/answer/object.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../platform/kernel/declaration/endpoint.ts'
import { endpoint, ranged } from '../../platform/kernel/declaration/endpoint.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inProjectPage, projectPages } from '../../spaces/projects/pages/scope.ts'
import { type PackageFileRow, packageFiles } from './queries.ts'
import { assertPackages } from './scope.ts'

/** A file as an attachment, in whole or in part. */
export const fileAnswer = (ctx: Context, file: PackageFileRow, mediaType = 'application/octet-stream'): Promise<ByteAnswer> =>
  objectAnswer(ctx, file, { mediaType, disposition: contentDisposition('attachment', file.file_name) })

/** `:package_file_id` below the page of a project becomes a file of one of its packages, or 404. */
export const inPackageFilePage = within(inProjectPage, {
  name: 'inPackageFilePage',
  path: { package_file_id: integer('ID of a file of a package') },
  async load({ db, project, actor }, { package_file_id }) {
    assertPackages(actor, project)
    const file = await packageFiles(db)
      .innerJoin('packages', 'packages.id', 'package_files.package_id')
      .where('packages.project_id', '=', project.id)
      .where('package_files.id', '=', package_file_id)
      .executeTakeFirst()
    if (!file) throw notFound('Package File')
    return { file }
  },
})

export const downloadPackageFile = endpoint({
  route: 'GET /:project_path/-/package_files/:package_file_id/download',
  summary: 'Download a file of a package',
  dialect: projectPages,
  scope: inPackageFilePage,
  can: 'read_package',
  answers: ranged('application/octet-stream'),
  run: ctx => fileAnswer(ctx, ctx.file),
})
