/** Bridges: jobs that start a pipeline in another project, or a child pipeline (`trigger`). */
import { actingAs, actingAsJob } from '../../platform/access/credentials/credentials.ts'
import { transact } from '../../platform/db/transact.ts'
import { type Context, type Deps, systemContext } from '../../platform/kernel/context.ts'
import { type JobRow, jobById } from '../jobs/queries.ts'
import { moveJob } from '../jobs/transitions/move.ts'
import { MOST_PLANS, preparePipeline } from '../pipeline_creation/create.ts'
import { type PipelineRow, pipelineById, pipelinesStartedBy } from '../pipelines/queries.ts'
import { inheritStatus } from './follow.ts'
import { downstreamOf } from './input.ts'
import { mirroredPipeline, mirroredProject } from './mirror.ts'

/** Runs a bridge: starts its pipeline, or mirrors one. Idempotent. */
export async function startDownstream(deps: Deps, { job_id }: { readonly job_id: number }): Promise<void> {
  const { db } = deps.database
  const bridge = await jobById(db, job_id)
  if (bridge?.kind !== 'bridge' || bridge.status !== 'pending') return
  const mirrored = mirroredProject(bridge)
  const isChild = mirrored === undefined && bridge.options.trigger?.project === undefined
  // A child runs for the same user as its parent; in other projects a bridge has the reach of any job token.
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
    // Locked, so that the mirrored pipeline moves either before this read, or after its event can find the bridge.
    const found = pipeline && (await tx.selectFrom('pipelines').select('id').where('id', '=', pipeline.id).forShare().executeTakeFirst())
    if (!found) {
      await moveJob(within, job_id, 'drop', { failure_reason: 'upstream_bridge_project_not_found' })
      return
    }
    await moveJob(within, job_id, 'run', { mirrored_pipeline_id: found.id })
    await inheritStatus(within, job_id, found.id)
  })
}

/** Starts the pipeline of a bridge, and finishes the bridge unless it depends on that pipeline. */
async function start(ctx: Context, bridge: JobRow, plans = 1): Promise<void> {
  const { db } = ctx
  const upstream = (await pipelineById(db, bridge.pipeline_id)) as PipelineRow
  const downstream = await downstreamOf(ctx, bridge, upstream)
  // Before the bridge is locked: files of other servers are waited for.
  const prepared = downstream.failure === undefined ? await preparePipeline(ctx, downstream.project, downstream.input) : undefined
  const isOutdated = await transact(db, async tx => {
    const within = { ...ctx, db: tx }
    // A concurrent start waits here for the lock, and then finds the pipeline started.
    const held = await tx.selectFrom('jobs').select('status').where('id', '=', bridge.id).forNoKeyUpdate().executeTakeFirst()
    if (held?.status !== 'pending' || (await pipelinesStartedBy(tx, [bridge.id])).length > 0) return false
    if (downstream.failure !== undefined) {
      await moveJob(within, bridge.id, 'drop', { failure_reason: downstream.failure })
      return false
    }
    const granted = prepared?.kind === 'planned' ? await prepared.insert(within) : prepared
    if (granted?.kind === 'outdated' && plans < MOST_PLANS) return true
    if (granted?.kind !== 'made' || granted.pipeline.yaml_errors !== null)
      await moveJob(within, bridge.id, 'drop', { failure_reason: 'downstream_pipeline_creation_failed' })
    else await goOn(within, bridge, granted.pipeline)
    return false
  })
  if (isOutdated) await start(ctx, bridge, plans + 1)
}

/** A bridge that depends on its pipeline runs as long as the pipeline does; any other one is finished now. */
async function goOn(ctx: Context, bridge: JobRow, pipeline: PipelineRow): Promise<void> {
  if (bridge.options.trigger?.strategy !== 'depend') {
    await moveJob(ctx, bridge.id, 'succeed')
    return
  }
  await moveJob(ctx, bridge.id, 'run')
  await inheritStatus(ctx, bridge.id, pipeline.id)
}
