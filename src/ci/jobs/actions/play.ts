/** Starting jobs that wait for a user to start them. */
import type { Context } from '../../../platform/kernel/context.ts'
import { forbidden, invalid } from '../../../platform/kernel/errors.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { requireRightToSetVariables } from '../../pipelines/rights/ref_rights.ts'
import { type GivenVariable, insertRunVariables } from '../../run_variables/given.ts'
import type { JobRow } from '../queries.ts'
import { moveJobs } from '../transitions/move.ts'
import { cloneJobs } from './clone.ts'
import { rescheduleFollowers, startAgain } from './retry.ts'
import { requireRightsOnJob } from './rights.ts'

export interface PlayOptions {
  /** Variables for this run of the job (`job_variables_attributes`). */
  readonly variables?: readonly GivenVariable[] | undefined
}

/**
 * Starts a manual job or bridge, or a delayed one before its time, for the actor; a finished job is run again. `ctx.db` is a transaction.
 * @throws Refusal 403 for a job that cannot be played; 403 if the branch or tag is protected against the actor, or
 * the project leaves variables to Maintainers; 400 for a duplicate key
 */
export async function playJob(ctx: Context, project: ProjectWithRole, job: JobRow, { variables = [] }: PlayOptions = {}): Promise<JobRow> {
  await requireRightsOnJob(ctx, project, job)
  if (variables.length > 0) requireRightToSetVariables(ctx, project)
  if (new Set(variables.map(({ key }) => key)).size < variables.length)
    throw invalid({ job_variables_attributes: ['have duplicate values (key)'] })
  if (job.when !== 'manual' && job.when !== 'delayed') throw forbidden('Unplayable Job: it is not a manual action')
  if (job.status === 'manual' || job.status === 'scheduled') {
    const event = job.resource_group_id === null ? 'enqueue' : 'wait'
    const [moved] = await moveJobs(ctx, [job.id], event, { user_id: ctx.actor.user?.id ?? null })
    if (moved) {
      await insertRunVariables(ctx, { job_id: job.id }, variables)
      await rescheduleFollowers(ctx, moved)
      return moved
    }
  }
  // The pipeline that a bridge has started goes on; a new pipeline needs a new bridge.
  if (job.kind === 'bridge') throw forbidden(`Unplayable Job: it is ${job.status}`)
  const [made] = await cloneJobs(ctx, [job.id], { userId: ctx.actor.user?.id, keepsVariables: variables.length === 0 })
  if (!made) throw forbidden(`Unplayable Job: it is ${job.status}`)
  await insertRunVariables(ctx, { job_id: made.id }, variables)
  return startAgain(ctx, made)
}
