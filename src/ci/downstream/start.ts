/** Bridges: jobs that start a pipeline, of another project or a child of their own (`trigger`). */
import { findActingUser } from '../../access/credentials.ts'
import { transact } from '../../db/transact.ts'
import { type Context, type Deps, outsideRequest } from '../../kernel/context.ts'
import { moveJob } from '../jobs/move.ts'
import { type JobRow, jobById } from '../jobs/queries.ts'
import { grantPipeline } from '../pipelines/create.ts'
import { type PipelineRow, pipelineById, pipelinesStartedBy } from '../pipelines/queries.ts'
import { inheritStatus } from './follow.ts'
import { downstreamOf } from './wish.ts'

/** Starts the pipeline of a bridge whose turn has come, and ends the bridge, unless it depends on that pipeline. Idempotent. */
export async function startDownstream(deps: Deps, { job_id }: { readonly job_id: number }): Promise<void> {
  const { db } = deps.database
  const bridge = await jobById(db, job_id)
  if (bridge?.kind !== 'bridge' || bridge.status !== 'pending') return
  const user = bridge.user_id === null ? undefined : await findActingUser(db, String(bridge.user_id))
  const actor = { user, credential: undefined, sudoBy: undefined }
  const upstream = (await pipelineById(db, bridge.pipeline_id)) as PipelineRow
  const downstream = await downstreamOf(outsideRequest(deps, db, actor), bridge, upstream)
  await transact(db, async tx => {
    const ctx = outsideRequest(deps, tx, actor)
    // Whoever starts it at the same moment waits here, and finds it started.
    const held = await tx.selectFrom('jobs').select('status').where('id', '=', job_id).forNoKeyUpdate().executeTakeFirst()
    if (held?.status !== 'pending' || (await pipelinesStartedBy(tx, [job_id])).length > 0) return
    if (downstream.failure !== undefined) {
      await moveJob(ctx, job_id, 'drop', { failure_reason: downstream.failure })
      return
    }
    const granted = await grantPipeline(ctx, downstream.project, downstream.wish)
    if (granted.kind === 'refused' || granted.pipeline.yaml_errors !== null)
      await moveJob(ctx, job_id, 'drop', { failure_reason: 'downstream_pipeline_creation_failed' })
    else await goOn(ctx, bridge, granted.pipeline)
  })
}

/** A bridge that depends on its pipeline runs as long as that does; another one has done what it was for. */
async function goOn(ctx: Context, bridge: JobRow, { status }: PipelineRow): Promise<void> {
  if (bridge.options.trigger?.strategy !== 'depend') {
    await moveJob(ctx, bridge.id, 'succeed')
    return
  }
  await moveJob(ctx, bridge.id, 'run')
  await inheritStatus(ctx, bridge.id, status)
}
