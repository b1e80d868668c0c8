/** The registry of Conan of projects and of the instance, as clients without revisions use it (Conan packages API at 14.0). */
import type { TProperties } from 'typebox'
import Type from 'typebox'
import { entity } from '../../../../platform/kernel/answer/entity.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import { bytes, endpoint, one, ranged } from '../../../../platform/kernel/declaration/endpoint.ts'
import type { Scope } from '../../../../platform/kernel/declaration/scope.ts'
import { DateTime, integer, Nullable, OneOf, text } from '../../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../../platform/kernel/errors.ts'
import type { ProjectWithRole } from '../../../../spaces/projects/scope.ts'
import { removePackage } from '../../commands.ts'
import type { PackageRow } from '../../queries.ts'
import { reading, writing } from './dialect.ts'
import { addressesOf, document, snapshotOf } from './documents.ts'
import * as names from './names.ts'
import { publication, publishConanFile, removePart } from './publish.ts'
import { filesInFolder, publishedRecipe } from './queries.ts'
import { download, findRecipe, type InRecipe, infosOf, shownFolder } from './reading.ts'
import { announcedNames } from './requests.ts'
import { inConanRecipe, inInstanceRecipe } from './scope.ts'

const json = bytes('application/json')

const DeletedRecipe = entity({
  name: 'DeletedConanRecipe',
  schema: Type.Object({
    id: integer('ID that it had'),
    project_id: integer('ID of the project'),
    created_at: DateTime('When it was published'),
    updated_at: DateTime('When it was last changed'),
    name: text('Name of the package'),
    version: text('Version of the package'),
    package_type: OneOf(['conan'], { description: '`conan`' }),
    creator_id: Nullable(integer('ID of the user who published it; null where the account is deleted')),
    status: text('Status that it had'),
  }),
  present: ({ id, project_id, created_at, updated_at, name, version, creator_id, status }: PackageRow) => ({
    id,
    project_id,
    created_at,
    updated_at,
    name,
    version: version as string,
    package_type: 'conan' as const,
    creator_id,
    status,
  }),
})

interface Registry<S extends InRecipe> {
  /** As in "of a project". */
  readonly noun: string
  readonly path: `/${string}`
  readonly scope: Scope<S, TProperties, 'project'>
  /** The address of the registry. */
  addressIn(ctx: Context & InRecipe): string
}

const recipe_file = OneOf(names.recipeFiles as [string, ...string[]], { description: 'Name of the file', examples: ['conanfile.py'] })
const package_file = OneOf(names.packageFiles as [string, ...string[]], { description: 'Name of the file', examples: [names.INFO] })

const { recipe_revision, package_revision, conan_package_reference } = names

const RECIPE = ':package_name/:package_version/:package_username/:package_channel'

function recipeEndpoints<S extends InRecipe & { readonly project: ProjectWithRole }>({ noun, path, scope, addressIn }: Registry<S>) {
  const conans: `/${string}` = `${path}/conans/${RECIPE}`
  const files: `/${string}` = `${path}/files/${RECIPE}/:recipe_revision`
  const inRead = { ...reading, scope, can: 'read_package' } as const
  const inWrite = { ...writing, scope, can: 'create_package' } as const
  const inDelete = { ...writing, scope, can: 'destroy_package' } as const

  /** The address of a folder of files. */
  const addressOf = (ctx: Context & InRecipe, folder: string): string => {
    const { name, version, username, channel } = ctx.recipe
    return `${addressIn(ctx)}/files/${name}/${version}/${username}/${channel}/${folder}`
  }

  const snapshot = async (ctx: Context & InRecipe, reference: string | undefined) => {
    const published = await publishedRecipe(ctx.db, ctx.project.id, ctx.recipe)
    return snapshotOf(published ? await filesInFolder(ctx.db, published.id, await shownFolder(ctx, published.id, reference)) : [])
  }

  const downloads = async (ctx: Context & InRecipe, reference: string | undefined) => {
    const { id } = await findRecipe(ctx)
    const folder = await shownFolder(ctx, id, reference)
    const found = await filesInFolder(ctx.db, id, folder)
    if (found.length === 0) throw notFound('Package')
    return addressesOf(
      found.map(file => file.file_name),
      addressOf(ctx, folder),
    )
  }

  /** Two addresses answer where files are. */
  const whereRecipeIs = (last: string, about: string) =>
    endpoint({
      ...inRead,
      route: `GET ${conans}/${last}`,
      summary: `Get where the files of a recipe of Conan of ${noun} are, ${about}`,
      answers: json,
      run: ctx => downloads(ctx, undefined),
    })
  const wherePackageIs = (last: string, about: string) =>
    endpoint({
      ...inRead,
      route: `GET ${conans}/packages/:conan_package_reference/${last}`,
      summary: `Get where the files of a package of Conan of ${noun} are, ${about}`,
      params: { conan_package_reference },
      answers: json,
      run: ctx => downloads(ctx, ctx.params.conan_package_reference),
    })

  return [
    endpoint({
      ...inRead,
      route: `GET ${conans}`,
      summary: `Get the digests of the files of a recipe of Conan of ${noun}`,
      answers: json,
      run: ctx => snapshot(ctx, undefined),
    }),
    endpoint({
      ...inRead,
      route: `GET ${conans}/packages/:conan_package_reference`,
      summary: `Get the digests of the files of a package of Conan of ${noun}`,
      params: { conan_package_reference },
      answers: json,
      run: ctx => snapshot(ctx, ctx.params.conan_package_reference),
    }),
    whereRecipeIs('digest', 'to compare them'),
    whereRecipeIs('download_urls', 'to download them'),
    wherePackageIs('digest', 'to compare them'),
    wherePackageIs('download_urls', 'to download them'),
    endpoint({
      ...inRead,
      route: `GET ${conans}/search`,
      summary: `List the packages of a recipe of Conan of ${noun}, with how they were built`,
      cost: 'heavy',
      answers: json,
      async run(ctx) {
        const { id } = await findRecipe(ctx)
        const [revision = names.NO_REVISION] = (await shownFolder(ctx, id, undefined)).split('/')
        return infosOf(ctx, id, revision)
      },
    }),
    endpoint({
      ...inWrite,
      route: `POST ${conans}/upload_urls`,
      summary: `Get where the files of a recipe of Conan of ${noun} are uploaded to`,
      rawBody: true,
      writes: 'own',
      answers: json,
      run: async ctx =>
        addressesOf(await announcedNames(ctx.body, names.recipeFiles), addressOf(ctx, names.recipeFolder(names.NO_REVISION))),
    }),
    endpoint({
      ...inWrite,
      route: `POST ${conans}/packages/:conan_package_reference/upload_urls`,
      summary: `Get where the files of a package of Conan of ${noun} are uploaded to`,
      params: { conan_package_reference },
      rawBody: true,
      writes: 'own',
      answers: json,
      async run(ctx) {
        const folder = names.packageFolder(names.NO_REVISION, ctx.params.conan_package_reference, names.NO_REVISION)
        return addressesOf(await announcedNames(ctx.body, names.packageFiles), addressOf(ctx, folder))
      },
    }),
    endpoint({
      ...inDelete,
      route: `DELETE ${conans}`,
      summary: `Delete a recipe of Conan of ${noun} with its packages`,
      answers: one(DeletedRecipe),
      async run(ctx) {
        const published = await findRecipe(ctx)
        await removePackage(ctx, published)
        return published
      },
    }),
    endpoint({
      ...inDelete,
      route: `POST ${conans}/packages/delete`,
      summary: `Delete packages of a recipe of Conan of ${noun}`,
      params: {
        package_ids: Type.Array(conan_package_reference, {
          description: 'IDs of the packages; none for all',
          maxItems: 1_000,
          examples: [[]],
        }),
      },
      answers: json,
      async run(ctx) {
        const published = await findRecipe(ctx)
        const [revision = names.NO_REVISION] = (await shownFolder(ctx, published.id, undefined)).split('/')
        const { package_ids } = ctx.params
        const folders =
          package_ids.length === 0 ? [names.packagesFolder(revision)] : package_ids.map(id => names.packagesFolder(revision, id))
        for (const below of folders) await removePart(ctx, published, { below })
        return document({})
      },
    }),
    endpoint({
      ...inRead,
      route: `GET ${files}/export/:file_name`,
      summary: `Download a file of a recipe of Conan of ${noun}`,
      params: { recipe_revision, file_name: recipe_file },
      answers: ranged('application/octet-stream'),
      run: ctx => download(ctx, names.recipeFolder(ctx.params.recipe_revision), ctx.params.file_name),
    }),
    endpoint({
      ...inRead,
      route: `GET ${files}/package/:conan_package_reference/:package_revision/:file_name`,
      summary: `Download a file of a package of Conan of ${noun}`,
      params: { recipe_revision, conan_package_reference, package_revision, file_name: package_file },
      answers: ranged('application/octet-stream'),
      run: ({ params, ...ctx }) =>
        download(
          ctx,
          names.packageFolder(params.recipe_revision, params.conan_package_reference, params.package_revision),
          params.file_name,
        ),
    }),
    endpoint({
      ...inWrite,
      ...publication,
      route: `PUT ${files}/export/:file_name`,
      summary: `Publish a file of a recipe of Conan of ${noun}`,
      params: { recipe_revision, file_name: recipe_file },
      run: ctx => publishConanFile(ctx, names.recipeFolder(ctx.params.recipe_revision)),
    }),
    endpoint({
      ...inWrite,
      ...publication,
      route: `PUT ${files}/package/:conan_package_reference/:package_revision/:file_name`,
      summary: `Publish a file of a package of Conan of ${noun}`,
      params: { recipe_revision, conan_package_reference, package_revision, file_name: package_file },
      run: ctx => {
        const { recipe_revision, conan_package_reference, package_revision } = ctx.params
        return publishConanFile(ctx, names.packageFolder(recipe_revision, conan_package_reference, package_revision))
      },
    }),
  ] as const
}

export const projectRecipes = recipeEndpoints({
  noun: 'a project',
  path: '/projects/:id/packages/conan/v1',
  scope: inConanRecipe,
  addressIn: ({ url, project }) => `${url}/api/v4/projects/${project.id}/packages/conan/v1`,
})

export const instanceRecipes = recipeEndpoints({
  noun: 'the instance',
  path: '/packages/conan/v1',
  scope: inInstanceRecipe,
  addressIn: ({ url }) => `${url}/api/v4/packages/conan/v1`,
})
