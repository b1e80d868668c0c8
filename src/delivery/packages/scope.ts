import { allows } from '../../platform/access/abilities.ts'
import { type Actor, hasScope } from '../../platform/access/actor.ts'
import type { DeployTokenScope } from '../../platform/access/credentials/token_scopes.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound, refusedTo } from '../../platform/kernel/errors.ts'
import { inProject, projectSubject } from '../../spaces/projects/scope.ts'
import { fileOfPackage, type PackageFileRow, type PackageRow, packageOfProject } from './queries.ts'

/** @throws Refusal 403 where packages are switched off (`packages_enabled`, public behaviour at 14.0) */
export function assertPackages(actor: Actor, project: { readonly packages_enabled: boolean }): void {
  if (!project.packages_enabled) throw refusedTo(actor)
}

/**
 * For packages that are made of the repository.
 * @param scopes a deploy token needs one of them: its role would open the code whatever it was given for
 * @throws Refusal 403 for those who may not read the code
 */
export function assertCode(actor: Actor, project: Parameters<typeof projectSubject>[0], scopes: readonly DeployTokenScope[]): void {
  const isGiven = actor.credential?.kind !== 'deploy_token' || hasScope(actor, scopes)
  if (!isGiven || allows(actor, 'read_code', projectSubject(project)) !== 'yes') throw refusedTo(actor)
}

/** `:id` becomes a project that has packages. */
export const inPackages = within(inProject, {
  name: 'inPackages',
  path: {},
  async load({ project, actor }) {
    assertPackages(actor, project)
    return {}
  },
})

/** The part of an address that names a package. */
export const packagePathParams = { package_id: integer('ID of a package') }

/** @throws Refusal 404 unless it is a package of the project that can be shown */
export async function findPackage(
  { db, project }: Pick<Context, 'db'> & { readonly project: { readonly id: number } },
  id: number,
): Promise<PackageRow> {
  const found = await packageOfProject(db, project.id, id)
  if (!found) throw notFound('Package')
  return found
}

/** The part of an address that names a file of a package. */
export const packageFilePathParams = { package_file_id: integer('ID of a file of the package') }

/** @throws Refusal 404 unless it is a file of the package */
export async function findPackageFile(ctx: Pick<Context, 'db'> & { readonly package: PackageRow }, id: number): Promise<PackageFileRow> {
  const file = await fileOfPackage(ctx.db, ctx.package.id, id)
  if (!file) throw notFound('Package File')
  return file
}

/** `:package_id` becomes a package of the project that can be shown, or 404. */
export const inPackage = within(inPackages, {
  name: 'inPackage',
  path: packagePathParams,
  load: async (ctx, { package_id }) => ({ package: await findPackage(ctx, package_id) }),
  modifiedAt: subjects => subjects.package.updated_at,
})

/** `:package_file_id` becomes a file of the package, or 404. */
export const inPackageFile = within(inPackage, {
  name: 'inPackageFile',
  path: packageFilePathParams,
  load: async (ctx, { package_file_id }) => ({ file: await findPackageFile(ctx, package_file_id) }),
  modifiedAt: ({ file }) => file.updated_at,
})
