/** Bridges: jobs that start a pipeline, of another project or a child of their own (`trigger`). */
import { actingAs, actingAsJob } from '../../platform/access/credentials.ts'
import { transact } from '../../platform/db/transact.ts'
import { type Context, type Deps, systemContext } from '../../platform/kernel/context.ts'
import { type JobRow, jobById } from '../jobs/queries.ts'
import { moveJob } from '../jobs/transitions/move.ts'
import { grantPipeline } from '../pipeline_creation/create.ts'
import { type PipelineRow, pipelineById, pipelinesStartedBy } from '../pipelines/queries.ts'
import { inheritStatus } from './follow.ts'
import { downstreamOf } from './input.ts'
import { mirroredPipeline, mirroredProject } from './mirror.ts'

/** Does what a bridge is for, whose turn has come: starts a pipeline, or looks at one. Idempotent. */
export async function startDownstream(deps: Deps, { job_id }: { readonly job_id: number }): Promise<void> {
  const { db } = deps.database
  const bridge = await jobById(db, job_id)
  if (bridge?.kind !== 'bridge' || bridge.status !== 'pending') return
  const mirrored = mirroredProject(bridge)
  const isChild = mirrored === undefined && bridge.options.trigger?.project === undefined
  // A child runs for the same user as its parent; to other projects a bridge has the reach of any job.
  const actor = isChild ? await actingAs(db, bridge.user_id) : await actingAsJob(db, bridge)
  if (!actor) {
    await transact(db, tx => moveJob(systemContext(deps, tx), job_id, 'drop', { failure_reason: 'insufficient_bridge_permissions' }))
    return
  }
  const ctx = systemContext(deps, db, actor)
  if (mirrored === undefined) return start(ctx, bridge)
  const pipeline = await mirroredPipeline(ctx, bridge, mirrored)
  await transact(db, async tx => {
    const within = { ...ctx, db: tx }
    // Held, so that it moves either before this is read or after the bridge can be found by its event.
    const found =
      pipeline && (await tx.selectFrom('pipelines').select(['id', 'status']).where('id', '=', pipeline.id).forShare().executeTakeFirst())
    if (!found) {
      await moveJob(within, job_id, 'drop', { failure_reason: 'upstream_bridge_project_not_found' })
      return
    }
    await moveJob(within, job_id, 'run', { mirrored_pipeline_id: found.id })
    await inheritStatus(within, job_id, found.status)
  })
}

/** Starts the pipeline of a bridge, and ends the bridge, unless it depends on that pipeline. */
async function start(ctx: Context, bridge: JobRow): Promise<void> {
  const { db } = ctx
  const upstream = (await pipelineById(db, bridge.pipeline_id)) as PipelineRow
  const downstream = await downstreamOf(ctx, bridge, upstream)
  await transact(db, async tx => {
    const within = { ...ctx, db: tx }
    // Whoever starts it at the same moment waits here, and finds it started.
    const held = await tx.selectFrom('jobs').select('status').where('id', '=', bridge.id).forNoKeyUpdate().executeTakeFirst()
    if (held?.status !== 'pending' || (await pipelinesStartedBy(tx, [bridge.id])).length > 0) return
    if (downstream.failure !== undefined) {
      await moveJob(within, bridge.id, 'drop', { failure_reason: downstream.failure })
      return
    }
    const granted = await grantPipeline(within, downstream.project, downstream.wish)
    if (granted.kind === 'refused' || granted.pipeline.yaml_errors !== null)
      await moveJob(within, bridge.id, 'drop', { failure_reason: 'downstream_pipeline_creation_failed' })
    else await goOn(within, bridge, granted.pipeline)
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
