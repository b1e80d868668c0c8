/** Merge requests that wait for a pipeline (`merge_when_pipeline_succeeds`). */
import type { Events } from '../../platform/events/events.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { mergeAfterPipeline } from '../../review/merge_requests/merging/after_pipeline.ts'
import { headPipelinesOf } from './of_merge_requests.ts'
import { pipelineById } from './queries.ts'

/** A pipeline has succeeded: merges what waits for it, where it is the one that speaks for the merge request. Idempotent. */
export async function mergeWhatWaits(deps: Deps, { pipeline_id, status }: Events['pipeline.updated']): Promise<void> {
  if (status !== 'success') return
  const { db } = deps.database
  const pipeline = await pipelineById(db, pipeline_id)
  if (pipeline?.status !== 'success') return
  const waiting = await db
    .selectFrom('merge_requests')
    .select('id')
    .where('source_project_id', '=', pipeline.project_id)
    .where('auto_merge_sha', '=', pipeline.sha)
    .where('merge_when_pipeline_succeeds', '=', true)
    .where('state', '=', 'opened')
    .orderBy('id')
    .execute()
  const heads = await headPipelinesOf(db, waiting)
  for (const { id } of waiting) if (heads.get(id)?.id === pipeline_id) await mergeAfterPipeline(deps, { id, sha: pipeline.sha })
}
