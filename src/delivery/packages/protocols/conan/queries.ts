/** Reads of recipes of Conan: a version of a recipe is the package, and its revisions and packages are folders of its files. */
import { type RawBuilder, sql } from 'kysely'
import { projectsAllowing } from '../../../../platform/access/ability_conditions.ts'
import type { Actor } from '../../../../platform/access/actor.ts'
import type { Db } from '../../../../platform/db/connection.ts'
import { anyOf } from '../../../../platform/db/statements/any.ts'
import { installable, type PackageFileRow, type PackageRow, packageFiles, versionsIn } from '../../queries.ts'
import { MOST_INFO } from './info.ts'
import { INFO, lookupName, MANIFEST, packagesFolder, type Recipe, recipeFolder } from './names.ts'

/** A recipe of a project, if it was published. */
export const publishedRecipe = (db: Db, projectId: number, recipe: Recipe): Promise<PackageRow | undefined> =>
  versionsIn(db, { projectId }, { package_type: 'conan', lookup_name: lookupName(recipe) })
    .where('packages.version', '=', recipe.version)
    .executeTakeFirst()

/** The newest file of each name in a folder. */
export const filesInFolder = (db: Db, packageId: number, folder: string): Promise<PackageFileRow[]> =>
  packageFiles(db)
    .where('package_files.package_id', '=', packageId)
    .where('package_files.channel', '=', folder)
    .distinctOn('package_files.file_name')
    .orderBy('package_files.file_name')
    .orderBy('package_files.id', 'desc')
    .execute()

/** The newest file of a name in a folder. */
export const fileInFolder = (db: Db, packageId: number, folder: string, fileName: string): Promise<PackageFileRow | undefined> =>
  packageFiles(db)
    .where('package_files.package_id', '=', packageId)
    .where('package_files.file_name', '=', fileName)
    .where('package_files.channel', '=', folder)
    .orderBy('package_files.id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** A revision that is complete. */
export interface Revision {
  readonly revision: string
  /** When the last of its files came. */
  readonly time: Date | string
}

const PART = (place: number): RawBuilder<string> => sql`split_part(package_files.channel, '/', ${sql.lit(place)})`

/** What is complete in the folders that a condition selects, by a part of their path, the newest first. */
const revisionsIn = (db: Db, packageId: number, inFolder: RawBuilder<boolean>, revision: RawBuilder<string>): Promise<Revision[]> =>
  db
    .selectFrom('package_files')
    .select(({ fn }) => [revision.as('revision'), fn.max('created_at').as('time')])
    .where('package_id', '=', packageId)
    .where('file_name', '=', MANIFEST)
    .where(inFolder)
    .groupBy(revision)
    .orderBy(({ fn }) => fn.max('id'), 'desc')
    .execute()

/** The revisions of a recipe, the newest first. */
export const recipeRevisions = (db: Db, packageId: number): Promise<Revision[]> =>
  revisionsIn(db, packageId, sql<boolean>`package_files.channel = ${PART(1)} || ${recipeFolder('')}`, PART(1))

/** The revisions of a package of a revision of the recipe, the newest first. */
export const packageRevisions = (db: Db, packageId: number, revision: string, reference: string): Promise<Revision[]> =>
  revisionsIn(db, packageId, sql<boolean>`starts_with(package_files.channel, ${packagesFolder(revision, reference)})`, PART(4))

/** The `conaninfo.txt` of a package. */
export interface InfoFile {
  readonly id: number
  readonly reference: string
}

/** The `conaninfo.txt` of each package of a revision of the recipe, of the newest revision of the package, without what it says. */
export const infoFilesOf = (db: Db, packageId: number, revision: string): Promise<InfoFile[]> =>
  db
    .selectFrom('package_files')
    .distinctOn(PART(3))
    .select(['id', PART(3).as('reference')])
    .where('package_id', '=', packageId)
    .where('file_name', '=', INFO)
    .where(sql<boolean>`starts_with(package_files.channel, ${packagesFolder(revision)})`)
    .orderBy(PART(3))
    .orderBy('id', 'desc')
    .execute()

/**
 * What these files say of how packages were built, by file: one statement. One that was published before there was a limit, and is larger, says nothing.
 */
export async function contentsOfInfos(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('package_files')
    .select(['id', sql<string | null>`case when size <= ${sql.lit(MOST_INFO)} then metadata->>'content' end`.as('content')])
    .where('id', '=', anyOf(ids))
    .execute()
  return new Map(rows.map(({ id, content }) => [id, content ?? '']))
}

/** Which files of a recipe are meant: all of a revision, of its packages, or of a revision of a package. */
export type Part = { readonly below: string } | { readonly folder: string }

/** Those files, in the order in which they came. */
export const filesOfPart = (db: Db, packageId: number, part: Part): Promise<PackageFileRow[]> =>
  packageFiles(db)
    .where('package_files.package_id', '=', packageId)
    .where(
      'below' in part
        ? sql<boolean>`starts_with(package_files.channel, ${part.below})`
        : sql<boolean>`package_files.channel = ${part.folder}`,
    )
    .orderBy('package_files.id')
    .execute()

/** Recipes that a search finds at most (public behaviour at 14.0). */
const MOST_FOUND = 500

const user = sql<string>`(packages.metadata->>'username')`
const channel = sql<string>`(packages.metadata->>'channel')`

/** A search of Conan as `like` has it: `*` stands for any text and `?` for a character. */
const searched = (pattern: string): string =>
  pattern
    .replace(/[\\%_]/g, '\\$&')
    .replaceAll('*', '%')
    .replaceAll('?', '_')

/** Where recipes are searched: in a project, or in all whose packages the actor may read, as far as they can be installed from the instance. */
export type SearchPlace = { readonly projectId: number } | { readonly actor: Actor }

/** The recipes whose name, or a beginning of it that ends with a part, is like the pattern; all for none. */
export function findRecipes(db: Db, place: SearchPlace, pattern: string | undefined, ignoresCase: boolean): Promise<Recipe[]> {
  const like = ignoresCase ? sql`ilike` : sql`like`
  const inPlace =
    'projectId' in place
      ? sql<boolean>`packages.project_id = ${place.projectId}`
      : sql<boolean>`replace(routes.path, '/', '+') = ${user} and packages.project_id in (${projectsAllowing(
          place.actor,
          'read_package',
          sql<boolean>`projects.packages_enabled and projects.id in (select project_id from packages where package_type = 'conan')`,
        )})`
  const whole = [sql`packages.name`, sql`'/' || packages.version`, sql`'@' || ${user}`, sql`'/' || ${channel}`]
  const beginnings = whole.map((_, index) => sql`${sql.join(whole.slice(0, index + 1), sql` || `)}`)
  return db
    .selectFrom('packages')
    .innerJoin('routes', 'routes.project_id', 'packages.project_id')
    .select(['packages.name', sql<string>`packages.version`.as('version'), user.as('username'), channel.as('channel')])
    .where('packages.package_type', '=', 'conan')
    .where('packages.status', 'in', installable)
    .where(inPlace)
    .$if(pattern !== undefined && pattern !== '', query =>
      query.where(
        sql<boolean>`(${sql.join(
          beginnings.map(text => sql`(${text}) ${like} ${searched(pattern as string)}`),
          sql` or `,
        )})`,
      ),
    )
    .orderBy('packages.name')
    .orderBy('packages.id')
    .limit(MOST_FOUND)
    .execute()
}
