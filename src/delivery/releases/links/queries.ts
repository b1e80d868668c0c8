/** Reads of the links of releases. */

import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'

/** Links with the tag of their release and the full path of its project, which their addresses need. */
const links = (db: Db) =>
  db
    .selectFrom('release_links')
    .leftJoin('releases', 'releases.id', 'release_links.release_id')
    .leftJoin('routes', 'routes.project_id', 'releases.project_id')
    .selectAll('release_links')
    .select(({ ref }) => [ref('releases.tag').$notNull().as('tag'), ref('routes.path').$notNull().as('full_path')])

export type LinkRow = Awaited<ReturnType<ReturnType<typeof links>['executeTakeFirstOrThrow']>>

/** The links of a release, the newest first. */
export const linksOfRelease = (db: Db, releaseId: number) =>
  links(db).where('release_links.release_id', '=', releaseId).orderBy('release_links.id', 'desc')

/** The links of releases, by release, the newest first: one statement. */
export const linksOfReleases = async (db: Db, releaseIds: readonly number[]): Promise<Map<number, LinkRow[]>> =>
  Map.groupBy(
    await links(db).where('release_links.release_id', '=', anyOf(releaseIds)).orderBy('release_links.id', 'desc').execute(),
    link => link.release_id,
  )

/** The link of a release with this id. */
export const linkById = (db: Db, releaseId: number, id: number) =>
  linksOfRelease(db, releaseId).where('release_links.id', '=', id).executeTakeFirst()

/** The link of a release with this download path. */
export const linkAtPath = (db: Db, releaseId: number, filepath: string) =>
  linksOfRelease(db, releaseId).where('release_links.filepath', '=', filepath).executeTakeFirst()
