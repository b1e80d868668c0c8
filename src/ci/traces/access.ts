/** Who may read the log of a job that they may see. */
import { roles } from '../../platform/access/abilities.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { forbidden } from '../../platform/kernel/errors.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { isDebugTraced } from '../job_variables/debug_trace.ts'
import { runnerVariablesOf } from '../job_variables/for_job.ts'
import type { JobRow } from '../jobs/queries.ts'

/**
 * Contract: a log that shows all variables is for Developers (public documentation of `CI_DEBUG_TRACE`). What the runner was given counts, and what
 * is set now: jobs of earlier versions have no record of the first.
 */
export async function requireDebugAccess(ctx: Context, project: ProjectWithRole, job: JobRow): Promise<void> {
  if (project.role >= roles.developer || isAdmin(ctx.actor)) return
  if (job.debug_trace || isDebugTraced(await runnerVariablesOf(ctx, job)))
    throw forbidden('You must have developer access to the project to view job logs when debug trace is enabled')
}
