/** Which jobs of a project have left artifacts, and how large those are. A job that has left its log alone is none of them. */
import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { artifacts } from '../../jobs/entities/artifacts.ts'
import { keepsLatest } from '../keeps_latest.ts'

export const artifactOrders = ['id', 'size', 'ref'] as const

/** Filters and order of the list. */
export interface ByJobFilters {
  /** Name of a branch or tag, exactly. */
  readonly ref?: string | undefined
  readonly order_by?: (typeof artifactOrders)[number] | undefined
  readonly sort?: 'asc' | 'desc' | undefined
}

const columns = { id: 'job_id', size: 'size', ref: 'ref' } as const

/** The jobs of a project that have artifacts: newest first unless asked otherwise. Each order, with and without a reference, has its index. */
export function jobsWithArtifacts(db: Db, projectId: number, { ref, order_by = 'id', sort = 'desc' }: ByJobFilters) {
  let found = db.selectFrom('jobs_with_artifacts').select(['job_id as id', 'size', 'ref']).where('project_id', '=', projectId)
  if (ref !== undefined) found = found.where('ref', '=', ref)
  // Where all references are the same, the order of one is that of the ids.
  if (order_by !== 'id' && !(order_by === 'ref' && ref !== undefined)) found = found.orderBy(columns[order_by], sort)
  return found.orderBy('job_id', sort)
}

/** A job that has artifacts. */
export type JobWithArtifactsRow = Awaited<ReturnType<ReturnType<typeof jobsWithArtifacts>['executeTakeFirstOrThrow']>>

/** The jobs of the list that come after one of it. */
export function afterJob(
  found: ReturnType<typeof jobsWithArtifacts>,
  { order_by = 'id', sort = 'desc', ref }: ByJobFilters,
  after: { readonly id: number; readonly size: number; readonly ref: string },
): ReturnType<typeof jobsWithArtifacts> {
  const than = sort === 'asc' ? '>' : '<'
  if (order_by === 'id' || (order_by === 'ref' && ref !== undefined)) return found.where('job_id', than, after.id)
  const column = columns[order_by]
  return found.where(({ eb, refTuple, tuple }) =>
    eb(refTuple(column, 'job_id'), than, tuple<string | number, number>(after[order_by], after.id)),
  )
}

/** An artifact of a project other than a log, which is erased with its job. */
export const artifactOfProject = (db: Db, projectId: number, id: number) =>
  artifacts(db)
    .where('job_artifacts.project_id', '=', projectId)
    .where('job_artifacts.id', '=', id)
    .where('file_type', '<>', 'trace')
    .executeTakeFirst()

/** The size of all artifacts and logs of a project, in bytes, as its statistics have it. */
export async function artifactsSizeOf(db: Db, projectId: number): Promise<number> {
  const row = await db.selectFrom('project_statistics').select('job_artifacts_size').where('project_id', '=', projectId).executeTakeFirst()
  return row?.job_artifacts_size ?? 0
}

/** Those among these jobs that are of the project. */
export async function jobIdsOfProject(db: Db, projectId: number, jobIds: readonly number[]): Promise<number[]> {
  const rows = await db.selectFrom('jobs').select('id').where('project_id', '=', projectId).where('id', '=', anyOf(jobIds)).execute()
  return rows.map(({ id }) => id)
}

/** Which of these pipelines keep their artifacts beyond their expiry, as the latest successful ones of their references. */
export async function keepingPipelines(db: Db, projectId: number, pipelineIds: readonly number[]): Promise<Set<number>> {
  if (pipelineIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('pipelines')
    .innerJoin('projects', 'projects.id', 'pipelines.project_id')
    .select('pipelines.id')
    .where('pipelines.project_id', '=', projectId)
    .where('pipelines.id', '=', anyOf(pipelineIds))
    .where('pipelines.locked', '=', true)
    .where(keepsLatest)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
