/** Reads of jobs, bridges and reported statuses. */
import { anyOf } from '../../db/any.ts'
import type { Db } from '../../db/connection.ts'
import type { JobOptions, PlanVariable } from '../config/plan.ts'

/** Jobs as they are kept, options and variables in their types. */
export const jobs = (db: Db) =>
  db.selectFrom('jobs').selectAll('jobs').$narrowType<{ options: JobOptions; variables: readonly PlanVariable[] }>()

export type JobRow = Awaited<ReturnType<ReturnType<typeof jobs>['executeTakeFirstOrThrow']>>

/** The job with this id, of whatever project. */
export const jobById = (db: Db, id: number) => jobs(db).where('jobs.id', '=', id).executeTakeFirst()

/** Jobs by id, for the presenters of other resources: one statement for a page. */
export async function jobsById(db: Db, ids: readonly number[]): Promise<Map<number, JobRow>> {
  if (ids.length === 0) return new Map()
  const rows = await jobs(db).where('jobs.id', '=', anyOf(ids)).execute()
  return new Map(rows.map(row => [row.id, row]))
}
