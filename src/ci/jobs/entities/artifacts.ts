/** Files that jobs have left behind. */

import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'

/** Artifacts with their objects in the store. */
export const artifacts = (db: Db) =>
  db
    .selectFrom('job_artifacts')
    .innerJoin('stored_objects', 'stored_objects.id', 'job_artifacts.object_id')
    .selectAll('job_artifacts')
    .select(['stored_objects.key', 'stored_objects.sha256'])

export type ArtifactRow = Awaited<ReturnType<ReturnType<typeof artifacts>['executeTakeFirstOrThrow']>>

/** The artifacts of jobs by the jobs' ids, oldest first, for presenters: one statement for a page. */
export async function artifactsOfJobs(db: Db, jobIds: readonly number[]): Promise<Map<number, ArtifactRow[]>> {
  if (jobIds.length === 0) return new Map()
  const rows = await artifacts(db).where('job_artifacts.job_id', '=', anyOf(jobIds)).orderBy('job_artifacts.id').execute()
  return Map.groupBy(rows, row => row.job_id)
}
