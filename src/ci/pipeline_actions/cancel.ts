/** Cancels pipelines, including the child pipelines that they have started. */

import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { moveJobs, notifyPipelineWorker, type TransitionContext } from '../jobs/transitions/move.ts'
import { processJobs } from '../pipeline_processing/process.ts'
import { type PipelineRow, pipelineById } from '../pipelines/queries.ts'
import { requireRightsOnPipeline } from '../pipelines/rights/rights.ts'
import { alive } from '../states.ts'

/** Generations of child pipelines, the first one included (`limits` of downstream/start.ts keeps them few). */
const MOST_GENERATIONS = 4

/**
 * Cancels the unfinished jobs of a pipeline and of its child pipelines; manual jobs stay. `ctx.db` is a transaction.
 * @throws Refusal 403 where the branch or tag is protected against the actor
 */
export async function cancelPipeline(ctx: Context, project: ProjectWithRole, pipeline: PipelineRow): Promise<PipelineRow> {
  const { id } = pipeline
  await requireRightsOnPipeline(ctx, project, pipeline)
  await cancelJobsOf(ctx, [id])
  await processJobs(ctx, id)
  return (await pipelineById(ctx.db, id)) as PipelineRow
}

/** Cancels the jobs of pipelines and of their children, and has them processed. `ctx.db` is a transaction. */
export async function cancelJobsOf(ctx: TransitionContext, pipelineIds: readonly number[]): Promise<void> {
  const all = await withChildren(ctx.db, pipelineIds)
  const jobs = await ctx.db
    .selectFrom('jobs')
    .select('id')
    .where('pipeline_id', '=', anyOf(all))
    .where('status', 'in', alive)
    .where('kind', '<>', 'external')
    .orderBy('id')
    .execute()
  await moveJobs(
    ctx,
    jobs.map(({ id }) => id),
    'cancel',
  )
  for (const id of all) await notifyPipelineWorker(ctx.db, id)
}

/** These pipelines and those below them. */
export async function withChildren(db: Db, ids: readonly number[]): Promise<number[]> {
  const all = new Set(ids)
  let generation = ids
  for (let depth = 1; depth < MOST_GENERATIONS && generation.length > 0; depth++) {
    const rows = await db.selectFrom('pipelines').select('id').where('parent_id', '=', anyOf(generation)).execute()
    generation = rows.map(({ id }) => id).filter(id => !all.has(id))
    for (const id of generation) all.add(id)
  }
  return [...all]
}
