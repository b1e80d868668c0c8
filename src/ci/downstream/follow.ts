/** Bridges that depend on the pipeline that they have started (`strategy: depend`). */

import { transact } from '../../platform/db/transact.ts'
import type { Events } from '../../platform/events/catalog.ts'
import { type Context, type Deps, systemContext } from '../../platform/kernel/context.ts'
import { rescheduleFollowers } from '../jobs/actions/retry.ts'
import { jobById } from '../jobs/queries.ts'
import { moveJob } from '../jobs/transitions/move.ts'
import { pipelineById } from '../pipelines/queries.ts'
import { completed } from '../states.ts'

/** Moves the bridges that depend on a pipeline, or mirror its status, after the pipeline has moved. Idempotent. */
export async function followDownstream(deps: Deps, { pipeline_id }: Events['pipeline.updated']): Promise<void> {
  const { db } = deps.database
  const pipeline = await pipelineById(db, pipeline_id)
  if (!pipeline) return
  const starter = pipeline.upstream_job_id === null ? undefined : await jobById(db, pipeline.upstream_job_id)
  const depends = starter?.options.trigger?.strategy === 'depend' && !starter.retried
  const looking = await db
    .selectFrom('jobs')
    .select('id')
    .where('mirrored_pipeline_id', '=', pipeline_id)
    .where('retried', '=', false)
    .where('status', '=', 'running')
    .execute()
  for (const { id } of [...(depends ? [starter] : []), ...looking])
    await transact(db, tx => inheritStatus(systemContext(deps, tx), id, pipeline_id))
}

/**
 * Moves a bridge to the status of a pipeline: it fails for every end other than success, and runs again when the pipeline does. Jobs that
 * were skipped after it are then scheduled again, as after a job that is retried.
 */
export async function inheritStatus(ctx: Context, bridgeId: number, pipelineId: number): Promise<void> {
  const bridge = await ctx.db
    .selectFrom('jobs')
    .select(['status', 'pipeline_id', 'stage_position'])
    .where('id', '=', bridgeId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  // Read behind the lock: of two events of one pipeline the later holder sees the later status, in whatever order they are handled.
  const pipeline = await ctx.db.selectFrom('pipelines').select('status').where('id', '=', pipelineId).executeTakeFirst()
  if (!bridge || !pipeline) return
  const { status } = pipeline
  const wanted = !completed.includes(status) ? 'running' : status === 'success' ? 'success' : 'failed'
  if (bridge.status === wanted) return
  // A finished bridge passes through `running` before it finishes differently: events may arrive late.
  if (await moveJob(ctx, bridgeId, 'resume', { failure_reason: null })) await rescheduleFollowers(ctx, bridge)
  if (wanted === 'success') await moveJob(ctx, bridgeId, 'succeed')
  if (wanted === 'failed') await moveJob(ctx, bridgeId, 'drop', { failure_reason: 'unknown_failure' })
}
