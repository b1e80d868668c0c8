/** Reads of the statuses of commits: the jobs of their pipelines, and what others have reported. */
import type { Db } from '../../platform/db/connection.ts'
import type { JobOptions, PlanVariable } from '../config/plan.ts'

/** Statuses with what their pipeline says of them. */
const statuses = (db: Db) =>
  db
    .selectFrom('jobs')
    .innerJoin('pipelines', 'pipelines.id', 'jobs.pipeline_id')
    .leftJoin('routes', 'routes.project_id', 'jobs.project_id')
    .selectAll('jobs')
    .select(({ ref }) => ['pipelines.ref', 'pipelines.sha', ref('routes.path').$notNull().as('project_path')])
    .$narrowType<{ options: JobOptions; variables: readonly PlanVariable[] }>()

export type StatusRow = Awaited<ReturnType<ReturnType<typeof statuses>['executeTakeFirstOrThrow']>>

/** What a list of statuses can be narrowed by. */
export interface StatusFilters {
  readonly ref?: string | undefined
  readonly stage?: string | undefined
  readonly name?: string | undefined
  /** Those that newer ones of the same name have replaced, too. */
  readonly all?: boolean | undefined
}

/** The statuses of a commit, oldest first. */
export function statusesOf(db: Db, projectId: number, sha: string, { ref, stage, name, all }: StatusFilters) {
  let query = statuses(db).where('pipelines.project_id', '=', projectId).where('pipelines.sha', '=', sha)
  if (!all) query = query.where('jobs.retried', '=', false)
  if (ref) query = query.where('pipelines.ref', '=', ref)
  if (stage) query = query.where('jobs.stage', '=', stage)
  if (name) query = query.where('jobs.name', '=', name)
  return query.orderBy('jobs.id')
}

/** The status with this id. */
export const statusById = (db: Db, id: number) => statuses(db).where('jobs.id', '=', id).executeTakeFirst()
