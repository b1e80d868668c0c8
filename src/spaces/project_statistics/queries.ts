/** Reads of project statistics. */
import type { Selectable } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { ProjectStatistics } from '../../platform/db/schema.ts'
import { anyOf } from '../../platform/db/statements/any.ts'

/** Sizes in bytes, `storage_size` is their sum; commits of the default branch. */
export type StatisticsRow = Selectable<ProjectStatistics>

/** The statistics of these projects: one statement for a page. */
export async function statisticsByProject(db: Db, projectIds: readonly number[]): Promise<Map<number, StatisticsRow>> {
  if (projectIds.length === 0) return new Map()
  const rows = await db.selectFrom('project_statistics').selectAll().where('project_id', '=', anyOf(projectIds)).execute()
  return new Map(rows.map(row => [row.project_id, row]))
}
