/** Reads of the statuses of commits: the jobs of their pipelines, and what others have reported. */
import type { Db } from '../../platform/db/connection.ts'
import type { JobOptions, PlanVariable } from '../config/index.ts'

/** Statuses with the fields that they take from their pipeline. */
const statuses = (db: Db) =>
  db
    .selectFrom('jobs')
    .innerJoin('pipelines', 'pipelines.id', 'jobs.pipeline_id')
    .leftJoin('routes', 'routes.project_id', 'jobs.project_id')
    .selectAll('jobs')
    .select(({ ref }) => ['pipelines.ref', 'pipelines.sha', ref('routes.path').$notNull().as('project_path')])
    .$narrowType<{ options: JobOptions; variables: readonly PlanVariable[] }>()

export type StatusRow = Awaited<ReturnType<ReturnType<typeof statuses>['executeTakeFirstOrThrow']>>

/** Filters of a list of statuses. */
export interface StatusFilters {
  readonly ref?: string | undefined
  readonly stage?: string | undefined
  readonly name?: string | undefined
  /** Include those that newer ones of the same name have replaced. */
  readonly all?: boolean | undefined
  /** Include jobs: those who may not read them see what other services have reported alone. */
  readonly withJobs: boolean
}

/** The statuses of a commit, oldest first. */
export function statusesOf(db: Db, projectId: number, sha: string, { ref, stage, name, all, withJobs }: StatusFilters) {
  let query = statuses(db).where('pipelines.project_id', '=', projectId).where('pipelines.sha', '=', sha)
  if (!withJobs) query = query.where('jobs.kind', '=', 'external')
  if (!all) query = query.where('jobs.retried', '=', false)
  if (ref) query = query.where('pipelines.ref', '=', ref)
  if (stage) query = query.where('jobs.stage', '=', stage)
  if (name) query = query.where('jobs.name', '=', name)
  return query.orderBy('jobs.id')
}

/** The status with this id. */
export const statusById = (db: Db, id: number) => statuses(db).where('jobs.id', '=', id).executeTakeFirst()
