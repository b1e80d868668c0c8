import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound, refusedTo } from '../../platform/kernel/errors.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { fileOfPackage, packageOfProject } from './queries.ts'

/** `:id` becomes a project that has packages; 403 where they are switched off (`packages_enabled`, public behaviour at 14.0). */
export const inPackages = within(inProject, {
  name: 'inPackages',
  path: {},
  async load({ project, actor }) {
    if (!project.packages_enabled) throw refusedTo(actor)
    return {}
  },
})

/** `:package_id` becomes a package of the project that can be shown, or 404. */
export const inPackage = within(inPackages, {
  name: 'inPackage',
  path: { package_id: integer('ID of a package') },
  async load({ db, project }, { package_id }) {
    const found = await packageOfProject(db, project.id, package_id)
    if (!found) throw notFound('Package')
    return { package: found }
  },
  modifiedAt: subjects => subjects.package.updated_at,
})

/** `:package_file_id` becomes a file of the package, or 404. */
export const inPackageFile = within(inPackage, {
  name: 'inPackageFile',
  path: { package_file_id: integer('ID of a file of the package') },
  async load(ctx, { package_file_id }) {
    const file = await fileOfPackage(ctx.db, ctx.package.id, package_file_id)
    if (!file) throw notFound('Package File')
    return { file }
  },
  modifiedAt: ({ file }) => file.updated_at,
})
