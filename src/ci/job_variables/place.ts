/** Where a job runs: its pipeline, with the columns of the project that variables and runners need. */

import type { Db } from '../../platform/db/connection.ts'
import { compiled } from '../../platform/db/statements/compiled.ts'
import { type PipelineRow, pipelines } from '../pipelines/queries.ts'

/** A pipeline with its project, whose columns are prefixed: one row. */
const places = (db: Db) =>
  pipelines(db)
    .innerJoin('projects', 'projects.id', 'pipelines.project_id')
    .innerJoin('namespaces', 'namespaces.id', 'projects.namespace_id')
    .innerJoin('routes as namespace_routes', 'namespace_routes.namespace_id', 'projects.namespace_id')
    .select(({ ref }) => [
      'projects.name as project_name',
      'projects.path as project_own_path',
      'projects.visibility as project_visibility',
      'projects.default_branch as project_default_branch',
      'projects.ci_config_path as project_ci_config_path',
      'projects.build_timeout as project_build_timeout',
      'projects.build_git_strategy as project_build_git_strategy',
      'projects.ci_default_git_depth as project_git_depth',
      'projects.ci_separated_caches as project_separated_caches',
      'projects.repository_storage as project_repository_storage',
      'projects.container_registry_access_level as project_container_registry_access_level',
      'namespaces.traversal_ids as namespace_traversal_ids',
      ref('namespace_routes.path').$notNull().as('namespace_full_path'),
    ])

type PlaceRow = Awaited<ReturnType<ReturnType<typeof places>['executeTakeFirstOrThrow']>>

const projectOf = (row: PlaceRow) => ({
  id: row.project_id,
  name: row.project_name,
  path: row.project_own_path,
  full_path: row.project_path,
  namespace_full_path: row.namespace_full_path,
  namespace_traversal_ids: row.namespace_traversal_ids,
  visibility: row.project_visibility,
  default_branch: row.project_default_branch,
  ci_config_path: row.project_ci_config_path,
  build_timeout: row.project_build_timeout,
  build_git_strategy: row.project_build_git_strategy,
  ci_default_git_depth: row.project_git_depth,
  ci_separated_caches: row.project_separated_caches,
  repository_storage: row.project_repository_storage,
  container_registry_access_level: row.project_container_registry_access_level,
})

/** The columns of a project that runners and variables get. */
export type PlaceProject = ReturnType<typeof projectOf>

/** Where a job runs. */
export interface Place {
  readonly pipeline: PipelineRow
  readonly project: PlaceProject
}

/**
 * The project is also selected by its id: if nearly all pipelines belong to a few old projects, the planner would otherwise scan all
 * projects up to this one in the order of their ids.
 */
const ofPipeline = compiled((db, id: number) =>
  places(db)
    .where('pipelines.id', '=', id)
    .where('projects.id', '=', ({ selectFrom }) => selectFrom('pipelines as own').select('own.project_id').where('own.id', '=', id)),
)

/** The place of the jobs of a pipeline; undefined if the pipeline was deleted. One statement. */
export async function placeIn(db: Db, pipelineId: number): Promise<Place | undefined> {
  const [row] = await ofPipeline(db, pipelineId)
  return row && { pipeline: row, project: projectOf(row) }
}

/** The place of a job. It exists, since jobs are deleted with their pipeline. One statement. */
export const placeOf = async (db: Db, { pipeline_id }: { readonly pipeline_id: number }): Promise<Place> =>
  (await placeIn(db, pipeline_id)) as Place
