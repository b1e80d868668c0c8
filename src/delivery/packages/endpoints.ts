/** Packages of projects and groups (packages API at 14.0). */
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { flag, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { inGroup } from '../../spaces/groups/scope.ts'
import * as commands from './commands.ts'
import { Package, PackageFile, PackageListed, PackageOfGroup, PackagePipeline } from './entity.ts'
import { packageOrders, packagesOf, packagesOfGroup } from './lists.ts'
import { filesOf, pipelinesOf } from './queries.ts'
import { inPackage, inPackageFile, inPackages } from './scope.ts'
import { packageStatuses, packageTypes } from './types.ts'

const filters = {
  sort: OneOf(['asc', 'desc'], { description: '`asc` or `desc`', default: 'asc' }),
  package_type: optional(OneOf(packageTypes, { description: 'Only packages for this package manager' })),
  package_name: optional(text('Part of the name')),
  include_versionless: optional(flag('Those without a version too, as metadata of Maven')),
  status: optional(OneOf(packageStatuses, { description: 'Only packages of this status; unless given, those that can be shown' })),
}

export const listPackages = endpoint({
  route: 'GET /projects/:id/packages',
  summary: 'List the packages of a project',
  scope: inPackages,
  can: 'read_package',
  jobToken: true,
  params: { order_by: OneOf(packageOrders, { description: 'What the list is ordered by', default: 'created_at' }), ...filters },
  answers: pageOf(PackageListed),
  run: ({ db, project, params }) => packagesOf(db, project.id, params),
})

export const listGroupPackages = endpoint({
  route: 'GET /groups/:id/packages',
  summary: 'List the packages of the projects in a group and below it',
  scope: inGroup,
  can: 'read_group_packages',
  jobToken: true,
  params: {
    order_by: OneOf([...packageOrders, 'project_path'], { description: 'What the list is ordered by', default: 'created_at' }),
    exclude_subgroups: flag('Only the projects of the group itself', { default: false }),
    ...filters,
  },
  answers: pageOf(PackageOfGroup),
  run: ({ db, actor, group, params: { exclude_subgroups, ...rest } }) => packagesOfGroup(db, actor, group.id, !exclude_subgroups, rest),
})

export const getPackage = endpoint({
  route: 'GET /projects/:id/packages/:package_id',
  summary: 'Get a package',
  scope: inPackage,
  can: 'read_package',
  jobToken: true,
  answers: one(Package),
  run: subjects => subjects.package,
})

export const listPackageFiles = endpoint({
  route: 'GET /projects/:id/packages/:package_id/package_files',
  summary: 'List the files of a package',
  scope: inPackage,
  can: 'read_package',
  jobToken: true,
  answers: pageOf(PackageFile),
  run: subjects => filesOf(subjects.db, subjects.package.id),
})

export const listPackagePipelines = endpoint({
  route: 'GET /projects/:id/packages/:package_id/pipelines',
  summary: 'List the pipelines that made a package, the newest first',
  scope: inPackage,
  can: 'read_package',
  jobToken: true,
  params: {},
  answers: pageOf(PackagePipeline),
  run: subjects => pipelinesOf(subjects.db, subjects.actor, subjects.package.id),
})

export const deletePackage = endpoint({
  route: 'DELETE /projects/:id/packages/:package_id',
  summary: 'Delete a package with its files',
  scope: inPackage,
  can: 'destroy_package',
  jobToken: true,
  answers: nothing,
  run: ctx => commands.removePackage(ctx, ctx.package),
})

export const deletePackageFile = endpoint({
  route: 'DELETE /projects/:id/packages/:package_id/package_files/:package_file_id',
  summary: 'Delete a file of a package',
  scope: inPackageFile,
  can: 'destroy_package',
  jobToken: true,
  answers: nothing,
  run: ctx => commands.removeFile(ctx, ctx.package, ctx.file),
})
