/** Who may read the log of a job that they may see. */
import { roles } from '../../platform/access/abilities.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { forbidden } from '../../platform/kernel/errors.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { runnerVariablesOf } from '../job_variables/for_job.ts'
import type { JobRow } from '../jobs/queries.ts'

/** Contract: a log that shows all variables is for Developers (public documentation of `CI_DEBUG_TRACE`). */
export async function requireDebugAccess(ctx: Context, project: ProjectWithRole, job: JobRow): Promise<void> {
  if (project.role >= roles.developer || isAdmin(ctx.actor)) return
  const variables = await runnerVariablesOf(ctx, job)
  if (variables.some(({ key, value }) => key === 'CI_DEBUG_TRACE' && value.reveal().toLowerCase() === 'true'))
    throw forbidden('You must have developer access to the project to view job logs when debug trace is enabled')
}
