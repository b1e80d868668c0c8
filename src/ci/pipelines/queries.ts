/** Reads of pipelines. */

import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'

/** Pipelines with the path of their project, which their URLs need. */
export const pipelines = (db: Db) =>
  db
    .selectFrom('pipelines')
    .leftJoin('routes', 'routes.project_id', 'pipelines.project_id')
    .selectAll('pipelines')
    .select(({ ref }) => ref('routes.path').$notNull().as('project_path'))

export type PipelineRow = Awaited<ReturnType<ReturnType<typeof pipelines>['executeTakeFirstOrThrow']>>

/** The pipeline with this id, of any project. */
export const pipelineById = (db: Db, id: number) => pipelines(db).where('pipelines.id', '=', id).executeTakeFirst()

/** The pipeline that was created with this idempotency key (`PipelineInput.requestKey`). */
export const pipelineByRequestKey = (db: Db, key: string) => pipelines(db).where('pipelines.request_key', '=', key).executeTakeFirst()

/** The full name of a pipeline's reference. */
export const fullRefOf = ({ ref, tag }: Pick<PipelineRow, 'ref' | 'tag'>): string =>
  tag ? `refs/tags/${ref}` : ref.startsWith('refs/merge-requests/') ? ref : `refs/heads/${ref}`

/** Pipelines by id, for the presenters of other resources: one statement for a page. */
export async function pipelinesById(db: Db, ids: readonly number[]): Promise<Map<number, PipelineRow>> {
  if (ids.length === 0) return new Map()
  const rows = await pipelines(db).where('pipelines.id', '=', anyOf(ids)).execute()
  return new Map(rows.map(row => [row.id, row]))
}

/** The pipelines that these bridges have started, oldest first: one statement for a page. */
export const pipelinesStartedBy = (db: Db, bridgeIds: readonly number[]): Promise<PipelineRow[]> =>
  pipelines(db).where('pipelines.upstream_job_id', '=', anyOf(bridgeIds)).orderBy('pipelines.id').execute()

/** The pipeline of a project with this id. */
export const pipelineOfProject = (db: Db, projectId: number, id: number) =>
  pipelines(db).where('pipelines.project_id', '=', projectId).where('pipelines.id', '=', id).executeTakeFirst()

/** The newest pipelines of these commits of a project, child pipelines excluded, by commit: one statement. */
export async function latestPipelinesOf(db: Db, projectId: number, shas: readonly string[]): Promise<Map<string, PipelineRow>> {
  const rows = await pipelines(db)
    .distinctOn('pipelines.sha')
    .where('pipelines.project_id', '=', projectId)
    .where('pipelines.sha', '=', anyOf(shas))
    .where('source', '<>', 'parent_pipeline')
    .orderBy('pipelines.sha')
    .orderBy('pipelines.id', 'desc')
    .execute()
  return new Map(rows.map(row => [row.sha, row]))
}
