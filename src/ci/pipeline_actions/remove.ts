/** Deleting pipelines. */

import { anyOf } from '../../platform/db/statements/any.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { removeArtifacts } from '../artifacts/commands.ts'
import { deletePipelines } from '../pipelines/commands.ts'
import { eraseTraces } from '../traces/commands.ts'
import { cancelJobsOf, withChildren } from './cancel.ts'

/** Deletes a pipeline with its jobs, their artifacts and its child pipelines; cancels running jobs first. `ctx.db` is a transaction. */
export async function removePipeline(ctx: Context, project: ProjectWithRole, { id }: { readonly id: number }): Promise<void> {
  const { db } = ctx
  await cancelJobsOf(ctx, [id])
  const all = await withChildren(db, [id])
  const jobs = await db.selectFrom('jobs').select('id').where('pipeline_id', '=', anyOf(all)).execute()
  const jobIds = jobs.map(job => job.id)
  await eraseTraces(db, jobIds)
  await removeArtifacts(db, jobIds)
  await deletePipelines(db, all)
  await recordEvent(ctx, { kind: 'pipeline.deleted', payload: { pipeline_id: id }, projectId: project.id })
}
