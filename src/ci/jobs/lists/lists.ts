/** Lists of jobs and bridges (document 2 "Jobs"). */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { countRows, type Rows } from '../../../platform/kernel/answer/page.ts'
import type { JobStatus } from '../../states.ts'
import { type JobRow, jobs } from '../queries.ts'

/** The jobs of a project, newest first. With several statuses, each is read by its index, however rare it is. */
export function jobsOfProject(db: Db, projectId: number, scope: readonly JobStatus[] = []): Rows<JobRow> {
  const ofProject = jobs(db).where('jobs.project_id', '=', projectId).where('kind', '=', 'build').orderBy('jobs.id', 'desc')
  const statuses = [...new Set(scope)]
  const [only] = statuses
  if (only === undefined) return ofProject
  if (statuses.length === 1) return ofProject.where('status', '=', only)
  return {
    slice: (offset, limit) =>
      jobs(db)
        .where('jobs.id', 'in', newestOf(projectId, statuses, offset, limit))
        .orderBy('jobs.id', 'desc')
        .execute(),
    count: limit => countRows(db, ofProject.where('status', '=', anyOf(statuses)), limit),
  }
}

/** The ids of the newest jobs of these statuses: a page of each, of which the newest make up the page. */
const newestOf = (projectId: number, statuses: readonly JobStatus[], offset: number, limit: number) =>
  sql<number>`(select newest.id
      from unnest(${statuses}::text[]) as wanted(status)
           cross join lateral (select id from jobs
             where project_id = ${projectId} and kind = 'build' and jobs.status = wanted.status
             order by id desc limit ${offset + limit}) as newest
     order by newest.id desc limit ${limit} offset ${offset})`

/** Filters of the list of a pipeline's jobs. */
export interface PipelineJobFilters {
  readonly scope?: readonly JobStatus[] | undefined
  readonly include_retried?: boolean | undefined
}

/**
 * The jobs of a pipeline, newest first.
 * Contract: retried jobs are left out unless they are asked for (document 2 "Jobs").
 */
export function jobsOfPipeline(db: Db, pipelineId: number, { scope = [], include_retried = false }: PipelineJobFilters) {
  let query = ofPipeline(db, pipelineId, scope).where('kind', '=', 'build')
  if (!include_retried) query = query.where('retried', '=', false)
  return query
}

/** The bridges of a pipeline without retried ones, newest first. */
export const bridgesOfPipeline = (db: Db, pipelineId: number, scope: readonly JobStatus[] = []) =>
  ofPipeline(db, pipelineId, scope).where('kind', '=', 'bridge').where('retried', '=', false)

function ofPipeline(db: Db, pipelineId: number, scope: readonly JobStatus[]) {
  const query = jobs(db).where('jobs.pipeline_id', '=', pipelineId).orderBy('jobs.id', 'desc')
  return scope.length === 0 ? query : query.where('status', '=', anyOf(scope))
}
