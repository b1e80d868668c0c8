/** Reads of resource groups. */
import type { Db } from '../../platform/db/connection.ts'

/** The resource groups of a project, by name. */
export const resourceGroupsOf = (db: Db, projectId: number) =>
  db.selectFrom('resource_groups').selectAll().where('project_id', '=', projectId).orderBy('key')

export type ResourceGroupRow = Awaited<ReturnType<ReturnType<typeof resourceGroupsOf>['executeTakeFirstOrThrow']>>
