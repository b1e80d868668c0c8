/** The registry of Conan of projects, as clients with revisions use it (Conan 2; Conan v2 packages API of later releases). */
import { bytes, endpoint, ranged } from '../../../../platform/kernel/declaration/endpoint.ts'
import { OneOf } from '../../../../platform/kernel/declaration/types.ts'
import { reading, writing } from './dialect.ts'
import { document, latestOf, namesOf, revisionsOf } from './documents.ts'
import * as names from './names.ts'
import { publication, publishConanFile, removePart, wholeRevision } from './publish.ts'
import { packageRevisions, recipeRevisions } from './queries.ts'
import { download, findFiles, findRecipe, infosOf, newestOf } from './reading.ts'
import { inConanRecipe } from './scope.ts'

const json = bytes('application/json')

const inRead = { ...reading, scope: inConanRecipe, can: 'read_package' } as const
const inWrite = { ...writing, scope: inConanRecipe, can: 'create_package' } as const
const inDelete = { ...writing, scope: inConanRecipe, can: 'destroy_package', answers: json } as const

const recipe = { recipe_revision: names.recipe_revision }
const packages = { ...recipe, conan_package_reference: names.conan_package_reference }
const revision = { ...packages, package_revision: names.package_revision }

const recipe_file = OneOf(names.recipeFiles as [string, ...string[]], { description: 'Name of the file', examples: ['conanfile.py'] })
const package_file = OneOf(names.packageFiles as [string, ...string[]], { description: 'Name of the file', examples: [names.INFO] })

interface OfRevision {
  readonly recipe_revision: string
  readonly conan_package_reference: string
  readonly package_revision: string
}

const folderOf = ({ recipe_revision, conan_package_reference, package_revision }: OfRevision): string =>
  names.packageFolder(recipe_revision, conan_package_reference, package_revision)

const RECIPE = '/projects/:id/packages/conan/v2/conans/:package_name/:package_version/:package_username/:package_channel'
const REVISION = `${RECIPE}/revisions/:recipe_revision` as const
const PACKAGE = `${REVISION}/packages/:conan_package_reference` as const
const PACKAGE_REVISION = `${PACKAGE}/revisions/:package_revision` as const

export const getLatestConanRecipe = endpoint({
  ...inRead,
  route: `GET ${RECIPE}/latest`,
  summary: 'Get the newest revision of a recipe of Conan',
  answers: json,
  run: async ctx => latestOf(newestOf(await recipeRevisions(ctx.db, (await findRecipe(ctx)).id))),
})

export const listConanRecipeRevisions = endpoint({
  ...inRead,
  route: `GET ${RECIPE}/revisions`,
  summary: 'List the revisions of a recipe of Conan, the newest first',
  answers: json,
  run: async ctx => revisionsOf(names.written(ctx.recipe), await recipeRevisions(ctx.db, (await findRecipe(ctx)).id)),
})

export const listNewestConanPackages = endpoint({
  ...inRead,
  route: `GET ${RECIPE}/search`,
  summary: 'List the packages of the newest revision of a recipe of Conan, with how they were built',
  cost: 'heavy',
  answers: json,
  async run(ctx) {
    const { id } = await findRecipe(ctx)
    return infosOf(ctx, id, newestOf(await recipeRevisions(ctx.db, id)).revision)
  },
})

export const listConanPackages = endpoint({
  ...inRead,
  route: `GET ${REVISION}/search`,
  summary: 'List the packages of a revision of a recipe of Conan, with how they were built',
  cost: 'heavy',
  params: recipe,
  answers: json,
  run: async ctx => infosOf(ctx, (await findRecipe(ctx)).id, ctx.params.recipe_revision),
})

export const deleteConanRecipeRevision = endpoint({
  ...inDelete,
  route: `DELETE ${REVISION}`,
  summary: 'Delete a revision of a recipe of Conan with its packages, and the recipe with its last one',
  params: recipe,
  async run(ctx) {
    await removePart(ctx, await findRecipe(ctx), wholeRevision(ctx.params.recipe_revision))
    return document({})
  },
})

export const listConanRecipeFiles = endpoint({
  ...inRead,
  route: `GET ${REVISION}/files`,
  summary: 'List the files of a revision of a recipe of Conan',
  params: recipe,
  answers: json,
  run: async ctx => namesOf(await findFiles(ctx, names.recipeFolder(ctx.params.recipe_revision))),
})

export const downloadConanRecipeFile = endpoint({
  ...inRead,
  route: `GET ${REVISION}/files/:file_name`,
  summary: 'Download a file of a revision of a recipe of Conan',
  params: { ...recipe, file_name: recipe_file },
  answers: ranged('application/octet-stream'),
  run: ctx => download(ctx, names.recipeFolder(ctx.params.recipe_revision), ctx.params.file_name),
})

export const publishConanRecipeFile = endpoint({
  ...inWrite,
  ...publication,
  route: `PUT ${REVISION}/files/:file_name`,
  summary: 'Publish a file of a revision of a recipe of Conan',
  params: { ...recipe, file_name: recipe_file },
  run: ctx => publishConanFile(ctx, names.recipeFolder(ctx.params.recipe_revision)),
})

export const deleteConanPackages = endpoint({
  ...inDelete,
  route: `DELETE ${REVISION}/packages`,
  summary: 'Delete all packages of a revision of a recipe of Conan',
  params: recipe,
  async run(ctx) {
    await removePart(ctx, await findRecipe(ctx), { below: names.packagesFolder(ctx.params.recipe_revision) })
    return document({})
  },
})

export const getLatestConanPackage = endpoint({
  ...inRead,
  route: `GET ${PACKAGE}/latest`,
  summary: 'Get the newest revision of a package of Conan',
  params: packages,
  answers: json,
  async run(ctx) {
    const { recipe_revision, conan_package_reference } = ctx.params
    return latestOf(newestOf(await packageRevisions(ctx.db, (await findRecipe(ctx)).id, recipe_revision, conan_package_reference)))
  },
})

export const listConanPackageRevisions = endpoint({
  ...inRead,
  route: `GET ${PACKAGE}/revisions`,
  summary: 'List the revisions of a package of Conan, the newest first',
  params: packages,
  answers: json,
  async run(ctx) {
    const { recipe_revision, conan_package_reference } = ctx.params
    const found = await packageRevisions(ctx.db, (await findRecipe(ctx)).id, recipe_revision, conan_package_reference)
    return revisionsOf(`${names.written(ctx.recipe)}#${recipe_revision}:${conan_package_reference}`, found)
  },
})

export const deleteConanPackageRevision = endpoint({
  ...inDelete,
  route: `DELETE ${PACKAGE_REVISION}`,
  summary: 'Delete a revision of a package of Conan',
  params: revision,
  async run(ctx) {
    await removePart(ctx, await findRecipe(ctx), { folder: folderOf(ctx.params) })
    return document({})
  },
})

export const listConanPackageFiles = endpoint({
  ...inRead,
  route: `GET ${PACKAGE_REVISION}/files`,
  summary: 'List the files of a revision of a package of Conan',
  params: revision,
  answers: json,
  run: async ctx => namesOf(await findFiles(ctx, folderOf(ctx.params))),
})

export const downloadConanPackageFile = endpoint({
  ...inRead,
  route: `GET ${PACKAGE_REVISION}/files/:file_name`,
  summary: 'Download a file of a revision of a package of Conan',
  params: { ...revision, file_name: package_file },
  answers: ranged('application/octet-stream'),
  run: ctx => download(ctx, folderOf(ctx.params), ctx.params.file_name),
})

export const publishConanPackageFile = endpoint({
  ...inWrite,
  ...publication,
  route: `PUT ${PACKAGE_REVISION}/files/:file_name`,
  summary: 'Publish a file of a revision of a package of Conan',
  params: { ...revision, file_name: package_file },
  run: ctx => publishConanFile(ctx, folderOf(ctx.params)),
})
