/** Reads of deployments. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { type ListFilters, mergeRequestsOfProject } from '../../review/merge_requests/lists/queries.ts'
import { mergeRequestVisibleTo } from '../../review/merge_requests/lists/visible.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import type { DeploymentStatus } from './states.ts'

export const deployments = (db: Db) => db.selectFrom('deployments').selectAll('deployments')

export type DeploymentRow = Awaited<ReturnType<ReturnType<typeof deployments>['executeTakeFirstOrThrow']>>

export const deploymentOrders = ['id', 'iid', 'created_at', 'updated_at', 'finished_at', 'ref'] as const

/** Filters and order of a list of deployments. Bounds are inclusive (decision 41). */
export interface DeploymentFilters {
  readonly environment?: string | undefined
  readonly status?: DeploymentStatus | undefined
  readonly updated_after?: string | undefined
  readonly updated_before?: string | undefined
  readonly finished_after?: string | undefined
  readonly finished_before?: string | undefined
  readonly order_by: (typeof deploymentOrders)[number]
  readonly sort: 'asc' | 'desc'
}

/** The deployments of a project. */
export function deploymentsOf(db: Db, projectId: number, { order_by, sort, ...wanted }: DeploymentFilters) {
  let query = deployments(db).where('deployments.project_id', '=', projectId)
  const { environment, status } = wanted
  if (environment !== undefined)
    query = query.where('environment_id', 'in', ({ selectFrom }) =>
      selectFrom('environments').select('environments.id').where('project_id', '=', projectId).where('name', '=', environment),
    )
  if (status !== undefined) query = query.where('status', '=', status)
  for (const column of ['updated', 'finished'] as const) {
    const { [`${column}_after` as const]: after, [`${column}_before` as const]: before } = wanted
    if (after !== undefined) query = query.where(`deployments.${column}_at`, '>=', after)
    if (before !== undefined) query = query.where(`deployments.${column}_at`, '<=', before)
  }
  const ordered = query.orderBy(`deployments.${order_by}`, sort)
  return order_by === 'id' ? ordered : ordered.orderBy('deployments.id', sort)
}

/** The deployment of a project with this id. */
export const deploymentById = (db: Db, projectId: number, id: number) =>
  deployments(db).where('deployments.project_id', '=', projectId).where('deployments.id', '=', id).executeTakeFirst()

/** The deployment of a job. */
export const deploymentOfJob = (db: Db, jobId: number) =>
  deployments(db).where('job_id', '=', jobId).orderBy('deployments.id', 'desc').limit(1).executeTakeFirst()

/** The newest deployment in one of these statuses to each of these environments, by environment: one statement, one look into an index for each. */
async function newestOf(db: Db, environmentIds: readonly number[], isWanted: RawBuilder<boolean>): Promise<Map<number, DeploymentRow>> {
  if (environmentIds.length === 0) return new Map()
  const newest = sql`select * from deployments where environment_id = wanted.id and ${isWanted} order by id desc limit 1`
  const rows = await db
    .selectFrom(sql<DeploymentRow>`unnest(${environmentIds}::bigint[]) as wanted(id) cross join lateral (${newest})`.as('deployments'))
    .selectAll('deployments')
    .execute()
  return new Map(rows.map(row => [row.environment_id, row]))
}

/** The newest successful deployment to each of these environments. */
export const lastDeploymentsOf = (db: Db, environmentIds: readonly number[]) => newestOf(db, environmentIds, sql`status = 'success'`)

/** The newest unfinished deployment to each of these environments: it waits, or runs. */
export const unfinishedDeploymentsOf = (db: Db, environmentIds: readonly number[]) =>
  newestOf(db, environmentIds, sql`status in ('created', 'running')`)

/** The deployments to an environment that have begun, newest first. */
export const deploymentsTo = (db: Db, environmentId: number) =>
  deployments(db)
    .where('environment_id', '=', environmentId)
    .where('status', 'in', ['running', 'success', 'failed', 'canceled'])
    .orderBy('deployments.id', 'desc')

/** The deployments to an environment that have not begun, newest first. `after`: the id of the last that succeeded. */
export const waitingDeploymentsTo = (db: Db, environmentId: number, after: number) =>
  deployments(db)
    .where('environment_id', '=', environmentId)
    .where('status', '=', 'created')
    .where('deployments.id', '>', after)
    .orderBy('deployments.id', 'desc')

/** The newest successful deployment to the same environment before this one. */
export const deploymentBefore = (db: Db, { id, environment_id }: DeploymentRow) =>
  deployments(db)
    .where('environment_id', '=', environment_id)
    .where('status', '=', 'success')
    .where('deployments.id', '<', id)
    .orderBy('deployments.id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The newest deployment of the commit of a merge request to each environment, and those that brought it after the merge; newest first. */
export const deploymentsOfMergeRequest = (
  db: Db,
  of: { readonly id: number; readonly project_id: number; readonly head_sha: string | null },
) =>
  deployments(db)
    .where('deployments.id', 'in', ({ selectFrom }) =>
      selectFrom('deployment_merge_requests')
        .select('deployment_id as id')
        .where('merge_request_id', '=', of.id)
        .unionAll(
          selectFrom(
            selectFrom('deployments as own')
              .distinctOn('own.environment_id')
              .select('own.id')
              .where('own.project_id', '=', of.project_id)
              .where('own.sha', '=', of.head_sha ?? '')
              .where('own.status', 'not in', ['skipped', 'canceled'])
              .orderBy('own.environment_id')
              .orderBy('own.id', 'desc')
              .as('newest'),
          ).select('newest.id'),
        ),
    )
    .orderBy('deployments.id', 'desc')

/** The merge requests of a deployment that the actor may see. */
export function mergeRequestsOf(ctx: Context, project: ProjectWithRole, { id }: DeploymentRow, filters: ListFilters) {
  const deployed = sql<boolean>`merge_requests.id in (select d.merge_request_id from deployment_merge_requests d where d.deployment_id = ${id})
    and ${mergeRequestVisibleTo(ctx.actor, sql<boolean>`projects.id = ${project.id}`)}`
  return mergeRequestsOfProject(ctx, project, filters, deployed)
}
