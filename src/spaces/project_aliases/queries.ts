/** Reads of project aliases. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'

/** All aliases. */
export const projectAliases = (db: Db) =>
  db
    .selectFrom('project_aliases')
    .select(['project_aliases.id', 'project_aliases.project_id', 'project_aliases.name'])
    .orderBy('project_aliases.id')

export type ProjectAliasRow = Awaited<ReturnType<ReturnType<typeof projectAliases>['executeTakeFirstOrThrow']>>

/** The alias of this name, ignoring case. */
export const projectAliasByName = (db: Db, name: string) =>
  projectAliases(db).where(sql<boolean>`lower(project_aliases.name) = lower(${name})`).executeTakeFirst()
