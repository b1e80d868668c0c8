/** Reads of jobs, bridges and reported statuses. */
import type { Selectable } from 'kysely'
import { anyOf } from '../../platform/db/any.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Jobs } from '../../platform/db/schema.ts'
import type { JobOptions, PlanVariable, When } from '../config/plan.ts'

/** What the schema cannot say of a job's columns. */
interface Typed {
  readonly options: JobOptions
  readonly variables: readonly PlanVariable[]
  readonly when: When
}

/** Jobs as they are kept, options and variables in their types. */
export const jobs = (db: Db) => db.selectFrom('jobs').selectAll('jobs').$castTo<Omit<Selectable<Jobs>, keyof Typed> & Typed>()

export type JobRow = Awaited<ReturnType<ReturnType<typeof jobs>['executeTakeFirstOrThrow']>>

/** The job with this id, of whatever project. */
export const jobById = (db: Db, id: number) => jobs(db).where('jobs.id', '=', id).executeTakeFirst()

/** Jobs by id, for the presenters of other resources: one statement for a page. */
export async function jobsById(db: Db, ids: readonly number[]): Promise<Map<number, JobRow>> {
  if (ids.length === 0) return new Map()
  const rows = await jobs(db).where('jobs.id', '=', anyOf(ids)).execute()
  return new Map(rows.map(row => [row.id, row]))
}

/** The job of a project with this id, or its bridge; reported statuses are neither. */
export const jobOrBridgeOfProject = (db: Db, projectId: number, id: number) =>
  jobs(db).where('jobs.project_id', '=', projectId).where('jobs.id', '=', id).where('kind', 'in', ['build', 'bridge']).executeTakeFirst()

/** The job of a project with this id; bridges and reported statuses are none. */
export const jobOfProject = (db: Db, projectId: number, id: number) =>
  jobs(db).where('jobs.project_id', '=', projectId).where('jobs.id', '=', id).where('kind', '=', 'build').executeTakeFirst()
