/** Reads of jobs, bridges and reported statuses. */
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { Jobs } from '../../platform/db/schema.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import type { JobOptions, PlanVariable, When } from '../config/index.ts'

/** Column types of jobs that the schema cannot express. */
interface Typed {
  readonly options: JobOptions
  readonly variables: readonly PlanVariable[]
  readonly when: When
}

/** Rows of jobs, with typed options and variables. */
export const jobs = (db: Db) => db.selectFrom('jobs').selectAll('jobs').$castTo<Omit<Selectable<Jobs>, keyof Typed> & Typed>()

export type JobRow = Awaited<ReturnType<ReturnType<typeof jobs>['executeTakeFirstOrThrow']>>

/**
 * Is the account active of the user for whom the job `jobs` runs? False if the user was deleted. A scalar subquery and not a join: each
 * job costs one lookup by primary key, however many users the planner expects.
 */
export const isForActiveUser = sql<boolean>`coalesce((select users.state = 'active' from users where users.id = jobs.user_id), false)`

/** The job with this id, of any project. */
export const jobById = (db: Db, id: number) => jobs(db).where('jobs.id', '=', id).executeTakeFirst()

/** Jobs by id, for the presenters of other resources: one statement for a page. */
export async function jobsById(db: Db, ids: readonly number[]): Promise<Map<number, JobRow>> {
  if (ids.length === 0) return new Map()
  const rows = await jobs(db).where('jobs.id', '=', anyOf(ids)).execute()
  return new Map(rows.map(row => [row.id, row]))
}

/** The job or bridge of a project with this id; reported statuses are excluded. */
export const jobOrBridgeOfProject = (db: Db, projectId: number, id: number) =>
  jobs(db).where('jobs.project_id', '=', projectId).where('jobs.id', '=', id).where('kind', 'in', ['build', 'bridge']).executeTakeFirst()

/** The job of a project with this id; bridges and reported statuses are excluded. */
export const jobOfProject = (db: Db, projectId: number, id: number) =>
  jobs(db).where('jobs.project_id', '=', projectId).where('jobs.id', '=', id).where('kind', '=', 'build').executeTakeFirst()
