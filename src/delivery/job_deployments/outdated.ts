/**
 * Outdated deployments: a newer one has succeeded, so that they would bring an older commit back. A project can forbid
 * that (`ci_forward_deployment_enabled`; public behaviour, "Skip outdated deployment jobs").
 */
import { sql } from 'kysely'
import type { JobRow } from '../../ci/jobs/queries.ts'
import { alive } from '../../ci/states.ts'
import type { Db } from '../../platform/db/connection.ts'

/** Has a newer deployment to its environment succeeded already? Never true if the project allows outdated ones. */
export async function isOutdated(db: Db, job: Pick<JobRow, 'id' | 'project_id' | 'environment_id'>): Promise<boolean> {
  const { rows } = await sql`
    select from deployments own join projects on projects.id = own.project_id
     where own.job_id = ${job.id} and own.status = 'created' and projects.ci_forward_deployment_enabled
       and exists (select from deployments newer
         where newer.environment_id = own.environment_id and newer.status = 'success' and newer.id > own.id)`.execute(db)
  return rows.length > 0
}

/** The unfinished jobs of older deployments to its environment; manual ones stay, and are refused when a user plays them. */
export async function olderJobs(db: Db, job: Pick<JobRow, 'id'>): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select jobs.id
      from deployments own join projects on projects.id = own.project_id
           join deployments older on older.environment_id = own.environment_id and older.status in ('created', 'running') and older.id < own.id
           join jobs on jobs.id = older.job_id
     where own.job_id = ${job.id} and projects.ci_forward_deployment_enabled and jobs.status = any(${alive}) and not jobs.retried
     order by jobs.id`.execute(db)
  return rows.map(({ id }) => id)
}
