/** Bridges that depend on the pipeline which they have started (`strategy: depend`). */
import { transact } from '../../db/transact.ts'
import type { Events } from '../../events/events.ts'
import { type Context, type Deps, outsideRequest } from '../../kernel/context.ts'
import { moveJob } from '../jobs/move.ts'
import { jobById } from '../jobs/queries.ts'
import { completed, type JobStatus } from '../jobs/states.ts'
import { pipelineById } from '../pipelines/queries.ts'

/** A pipeline has moved: the bridge that depends on it follows. Idempotent. */
export async function followDownstream(deps: Deps, { pipeline_id }: Events['pipeline.updated']): Promise<void> {
  const { db } = deps.database
  const pipeline = await pipelineById(db, pipeline_id)
  const bridge = pipeline?.upstream_job_id ? await jobById(db, pipeline.upstream_job_id) : undefined
  if (!pipeline || bridge?.options.trigger?.strategy !== 'depend' || bridge.retried) return
  await transact(db, tx => inheritStatus(outsideRequest(deps, tx), bridge.id, pipeline.status))
}

/** Moves a bridge as its pipeline's status says: it fails with all that is no success, and runs again when the pipeline does. */
export async function inheritStatus(ctx: Context, bridgeId: number, status: JobStatus): Promise<void> {
  if (status === 'success') await moveJob(ctx, bridgeId, 'succeed')
  else if (completed.includes(status)) await moveJob(ctx, bridgeId, 'drop', { failure_reason: 'unknown_failure' })
  else await moveJob(ctx, bridgeId, 'resume', { failure_reason: null })
}
