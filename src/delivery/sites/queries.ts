/** Reads of the static sites of projects. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'

/** Sites with the archives that they are served from. */
const sites = (db: Db) =>
  db
    .selectFrom('project_sites')
    .innerJoin('stored_objects', 'stored_objects.id', 'project_sites.object_id')
    .selectAll('project_sites')
    .select(['stored_objects.key', 'stored_objects.sha256'])

export type SiteRow = Awaited<ReturnType<ReturnType<typeof sites>['executeTakeFirstOrThrow']>>

/** The site of a project. */
export const siteOf = (db: Db, projectId: number) => sites(db).where('project_sites.project_id', '=', projectId).executeTakeFirst()

/** What is needed to serve a site. */
const served = (db: Db) =>
  sites(db)
    .innerJoin('projects', 'projects.id', 'project_sites.project_id')
    .innerJoin('routes', 'routes.project_id', 'projects.id')
    .select(['routes.path as full_path', 'projects.pages_access_level'])
    .where('projects.deleting', '=', false)
    .where('projects.marked_for_deletion_on', 'is', null)
    .where('projects.pages_access_level', '<>', 'disabled')

export type ServedSite = Awaited<ReturnType<ReturnType<typeof served>['executeTakeFirstOrThrow']>>

/** The sites of the projects that have one of these full paths, in any case of letters. */
export const sitesAt = (db: Db, paths: readonly string[]): Promise<ServedSite[]> =>
  served(db)
    .where(sql<boolean>`lower(routes.path) = ${anyOf(paths.map(path => path.toLowerCase()))}`)
    .execute()

/** The site that a domain leads to now. */
export const siteOfDomain = (db: Db, domain: string, now: Date): Promise<ServedSite | undefined> =>
  served(db)
    .innerJoin('site_domains', 'site_domains.project_id', 'projects.id')
    .where('site_domains.domain', '=', domain)
    .where(isEnabled(now))
    .executeTakeFirst()

/** Does the row of `site_domains` lead to its site: verified lately, or where domains are not verified? */
export const isEnabled = (now: Date) => sql<boolean>`(
  site_domains.enabled_until > ${now} or not (select pages_domain_verification_enabled from application_settings))`
