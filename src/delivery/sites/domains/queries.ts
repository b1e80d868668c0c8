/** Reads of the domains of sites. */
import type { Selectable } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import type { SiteDomains } from '../../../platform/db/schema.ts'

export type SiteDomainRow = Selectable<SiteDomains>

const domains = (db: Db) => db.selectFrom('site_domains').selectAll()

/** All domains, by their names. */
export const allDomains = (db: Db) => domains(db).orderBy('domain')

/** The domains of a project, by their names. */
export const domainsOf = (db: Db, projectId: number) => domains(db).where('project_id', '=', projectId).orderBy('domain')

/** The domain with this id. */
export const domainById = (db: Db, id: number) => domains(db).where('id', '=', id).executeTakeFirst()
