/** Cancels pipelines that a newer one of the same reference makes redundant (`auto_cancel_pending_pipelines`, `interruptible`). */
import { sql } from 'kysely'
import { transact } from '../../platform/db/transact.ts'
import { type Deps, systemContext } from '../../platform/kernel/context.ts'
import { noteRedundant } from '../pipelines/commands.ts'
import { pipelineById } from '../pipelines/queries.ts'
import { cancelJobsOf } from './cancel.ts'

/** Maximum age in milliseconds of pipelines that are considered; older ones continue. */
const LOOKING_BACK = 7 * 24 * 60 * 60 * 1000

/**
 * Cancels the older pipelines of other commits of the same reference, unless they have started a job that is not
 * `interruptible`. Idempotent.
 */
export async function cancelRedundantPipelines(deps: Deps, { pipeline_id }: { readonly pipeline_id: number }): Promise<void> {
  await transact(deps.database.db, async db => {
    const ctx = systemContext(deps, db)
    const pipeline = await pipelineById(db, pipeline_id)
    if (!pipeline) return
    const redundant = await db
      .selectFrom('pipelines')
      .select('id')
      .where('project_id', '=', pipeline.project_id)
      .where('ref', '=', pipeline.ref)
      .where('tag', '=', pipeline.tag)
      .where('id', '<', pipeline_id)
      .where('sha', '<>', pipeline.sha)
      .where('upstream_job_id', 'is', null)
      .where('status', 'in', ['created', 'waiting_for_resource', 'preparing', 'pending', 'running', 'scheduled'])
      .where('created_at', '>', new Date(ctx.now.getTime() - LOOKING_BACK).toISOString())
      .where(
        sql<boolean>`not exists (select from jobs where jobs.pipeline_id = pipelines.id and jobs.kind = 'build'
          and not jobs.interruptible and jobs.status in ('running', 'success', 'failed'))`,
      )
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
    if (redundant.length === 0) return
    const ids = redundant.map(({ id }) => id)
    await cancelJobsOf(ctx, ids)
    await noteRedundant(db, ids, pipeline_id)
  })
}
