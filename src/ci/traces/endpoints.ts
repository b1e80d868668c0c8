/** The log of a job for users, and its removal together with the artifacts (document 2 "Jobs"). */

import { roles } from '../../platform/access/abilities.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { endpoint, one, ranged } from '../../platform/kernel/declaration/endpoint.ts'
import { forbidden } from '../../platform/kernel/errors.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { runnerVariablesOf } from '../job_variables/for_job.ts'
import { JobWithDownload } from '../jobs/entity.ts'
import type { JobRow } from '../jobs/queries.ts'
import { inJob } from '../jobs/scope.ts'
import { traceAnswer } from './answer.ts'
import * as erase from './erase.ts'

export const getTrace = endpoint({
  route: 'GET /projects/:id/jobs/:job_id/trace',
  summary: 'Get the log of a job',
  scope: inJob,
  can: 'read_job',
  answers: ranged('text/plain'),
  async run(ctx) {
    await requireDebugAccess(ctx, ctx.project, ctx.job)
    return traceAnswer(ctx, ctx.job)
  },
})

export const eraseJob = endpoint({
  route: 'POST /projects/:id/jobs/:job_id/erase',
  summary: 'Remove the log and the artifacts of a job',
  scope: inJob,
  can: 'erase_job',
  answers: one(JobWithDownload),
  run: ctx => erase.eraseJob(ctx, ctx.project, ctx.job),
})

/** Contract: a log that shows all variables is for Developers (public documentation of `CI_DEBUG_TRACE`). */
async function requireDebugAccess(ctx: Context, project: ProjectWithRole, job: JobRow): Promise<void> {
  if (project.role >= roles.developer || isAdmin(ctx.actor)) return
  const variables = await runnerVariablesOf(ctx, job)
  if (variables.some(({ key, value }) => key === 'CI_DEBUG_TRACE' && value.reveal().toLowerCase() === 'true'))
    throw forbidden('You must have developer access to the project to view job logs when debug trace is enabled')
}
