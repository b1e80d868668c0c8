/** What is there of a recipe, or 404. */
import { Readable } from 'node:stream'
import type { Context } from '../../../../platform/kernel/context.ts'
import { notFound } from '../../../../platform/kernel/errors.ts'
import { fileAnswer } from '../../downloads.ts'
import type { PackageFileRow, PackageRow } from '../../queries.ts'
import { objectOf } from '../shared/json_members.ts'
import { buildInfoOf } from './info.ts'
import { NO_REVISION, packageFolder, type Recipe, recipeFolder } from './names.ts'
import {
  contentsOfInfos,
  fileInFolder,
  filesInFolder,
  infoFilesOf,
  packageRevisions,
  publishedRecipe,
  type Revision,
  recipeRevisions,
} from './queries.ts'

/** A recipe of a project, as a scope has found it. */
export interface InRecipe {
  readonly project: { readonly id: number }
  readonly recipe: Recipe
}

/** @throws Refusal 404 where the recipe was not published */
export async function findRecipe({ db, project, recipe }: Pick<Context, 'db'> & InRecipe): Promise<PackageRow> {
  const found = await publishedRecipe(db, project.id, recipe)
  if (!found) throw notFound('Package')
  return found
}

/** @throws Refusal 404 where there is none */
export function newestOf([newest]: readonly Revision[]): Revision {
  if (!newest) throw notFound('Revision')
  return newest
}

/** The files of a folder. @throws Refusal 404 for an empty one */
export async function findFiles(ctx: Pick<Context, 'db'> & InRecipe, folder: string): Promise<PackageFileRow[]> {
  const files = await filesInFolder(ctx.db, (await findRecipe(ctx)).id, folder)
  if (files.length === 0) throw notFound('Package')
  return files
}

/** A file of a folder, to download. @throws Refusal 404 */
export async function download(ctx: Context & InRecipe, folder: string, fileName: string) {
  const file = await fileInFolder(ctx.db, (await findRecipe(ctx)).id, folder, fileName)
  if (!file) throw notFound('Package')
  return fileAnswer(ctx, file)
}

/** The folder that clients without revisions see: that of the newest revision, or the one that they write. */
export async function shownFolder({ db }: Pick<Context, 'db'>, packageId: number, reference: string | undefined): Promise<string> {
  const [recipe] = await recipeRevisions(db, packageId)
  const revision = recipe?.revision ?? NO_REVISION
  if (reference === undefined) return recipeFolder(revision)
  const [newest] = await packageRevisions(db, packageId, revision, reference)
  return packageFolder(revision, reference, newest?.revision ?? NO_REVISION)
}

/** Files whose contents are in memory at a time. */
const BATCH = 50

/** How each package of a revision of a recipe was built, by its ID, in JSON. */
export async function infosOf({ db, deps }: Pick<Context, 'db' | 'deps'>, packageId: number, revision: string) {
  // Read as the answer is sent: the transaction of the request may be over.
  const document = objectOf(await infoFilesOf(db, packageId, revision), {
    batch: BATCH,
    nameOf: ({ reference }) => reference,
    async read(some) {
      const contents = await contentsOfInfos(
        deps.database.db,
        some.map(({ id }) => id),
      )
      return ({ id }) => {
        const content = contents.get(id)
        return content === undefined ? undefined : buildInfoOf(content)
      }
    },
  })
  return { body: Readable.from(document, { objectMode: false }) }
}
