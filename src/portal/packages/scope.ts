/** Packages by the addresses of their pages. */
import { assertPackages, findPackage, findPackageFile, packageFilePathParams, packagePathParams } from '../../delivery/packages/scope.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'

/** A project that has packages; 403 where they are switched off. */
export const inPackagesPage = within(inProjectPage, {
  name: 'inPackagesPage',
  path: {},
  async load({ actor, project }) {
    assertPackages(actor, project)
    return {}
  },
})

/** The path of every page of a package. */
export const PACKAGE = '/:project_path/-/packages/:package_id'

/** `:package_id` becomes a package of the project that can be shown, or 404. */
export const inPackagePage = within(inPackagesPage, {
  name: 'inPackagePage',
  path: packagePathParams,
  load: async (ctx, { package_id }) => ({ package: await findPackage(ctx, package_id) }),
})

/** `:package_file_id` becomes a file of the package, or 404. */
export const inFileOfPackagePage = within(inPackagePage, {
  name: 'inFileOfPackagePage',
  path: packageFilePathParams,
  load: async (ctx, { package_file_id }) => ({ file: await findPackageFile(ctx, package_file_id) }),
})
