/** Canceling jobs. */
import type { Context } from '../../../platform/kernel/context.ts'
import { forbidden } from '../../../platform/kernel/errors.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { type JobRow, jobById } from '../queries.ts'
import { moveJob } from '../transitions/move.ts'
import { requireRightsOnJob } from './rights.ts'

/**
 * Cancels a job that is not over; its runner learns about it with its next request. `ctx.db` is a transaction.
 * @throws Refusal 403 for a job that is over (decision 24); 403 where the branch or tag, or the environment, is protected against the actor
 */
export async function cancelJob(ctx: Context, project: ProjectWithRole, job: JobRow): Promise<JobRow> {
  await requireRightsOnJob(ctx, project, job)
  const canceled = await moveJob(ctx, job.id, 'cancel')
  if (canceled) return canceled
  const present = await jobById(ctx.db, job.id)
  throw forbidden(`A job that is ${present?.status ?? job.status} cannot be canceled`)
}
