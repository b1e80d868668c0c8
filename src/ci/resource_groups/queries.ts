/** Reads of resource groups. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { jobs } from '../jobs/queries.ts'

/** The resource groups of a project, by name. */
export const resourceGroupsOf = (db: Db, projectId: number) =>
  db.selectFrom('resource_groups').selectAll().where('project_id', '=', projectId).orderBy('key')

export type ResourceGroupRow = Awaited<ReturnType<ReturnType<typeof resourceGroupsOf>['executeTakeFirstOrThrow']>>

/** A job that has the resource of a group, or waits for it. */
export interface QueuedJob {
  readonly id: number
  readonly name: string
  readonly status: string
  readonly pipeline_id: number
  readonly ref: string
}

/** Who has the resource of a group, and who waits for it. */
export interface ResourceQueue {
  readonly holder: QueuedJob | undefined
  /** The first of those that wait, in the order of the group. */
  readonly waiting: readonly QueuedJob[]
}

/** The queues of groups, by group: one statement, which reads `most` waiting jobs of each. */
export async function queuesOf(db: Db, groupIds: readonly number[], most: number): Promise<ReadonlyMap<number, ResourceQueue>> {
  const { rows } = await sql<QueuedJob & { group_id: number; holds: boolean }>`
    select groups.id as group_id, queued.*
      from resource_groups groups
     cross join lateral (
       (select jobs.id, jobs.name, jobs.status, jobs.pipeline_id, pipelines.ref, true as holds
          from jobs join pipelines on pipelines.id = jobs.pipeline_id
         where jobs.id = groups.job_id and jobs.status in ('preparing', 'pending', 'running'))
       union all
       (select jobs.id, jobs.name, jobs.status, jobs.pipeline_id, pipelines.ref, false as holds
          from jobs join pipelines on pipelines.id = jobs.pipeline_id
         where jobs.resource_group_id = groups.id and jobs.status = 'waiting_for_resource' and not jobs.retried
         order by case when groups.process_mode = 'newest_first' then -jobs.pipeline_id else jobs.pipeline_id end, jobs.id
         limit ${most})
     ) as queued
     where groups.id = any(${[...groupIds]}::bigint[])`.execute(db)
  const byGroup = Map.groupBy(rows, ({ group_id }) => Number(group_id))
  return new Map(
    [...byGroup].map(([id, jobs]) => [id, { holder: jobs.find(({ holds }) => holds), waiting: jobs.filter(({ holds }) => !holds) }]),
  )
}

/** The jobs that wait for a group, in its order. */
export const waitingJobsOf = (db: Db, { id, process_mode }: Pick<ResourceGroupRow, 'id' | 'process_mode'>) =>
  jobs(db)
    .where('jobs.resource_group_id', '=', id)
    .where('jobs.status', '=', 'waiting_for_resource')
    .where('jobs.kind', '=', 'build')
    .where('jobs.retried', '=', false)
    .orderBy('jobs.pipeline_id', process_mode === 'newest_first' ? 'desc' : 'asc')
    .orderBy('jobs.id')

/** The resource group with this id. */
export const resourceGroupById = (db: Db, id: number) =>
  db.selectFrom('resource_groups').selectAll().where('id', '=', id).executeTakeFirst()
