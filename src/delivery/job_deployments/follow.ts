/** Applies the moves of jobs to their environments and deployments. */

import { parseDuration } from '../../ci/config/index.ts'
import { expanderWith } from '../../ci/job_variables/expand_secret.ts'
import { runnerVariablesOf } from '../../ci/job_variables/for_job.ts'
import { variablesLeftBy } from '../../ci/job_variables/inherited.ts'
import type { DroppedJobs } from '../../ci/jobs/hooks.ts'
import type { JobRow } from '../../ci/jobs/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { followJob, skipDeploymentOf } from '../deployments/commands.ts'
import { noteDeployed, noteStopped } from '../environments/commands.ts'
import type { DeploymentTier } from '../environments/tiers.ts'
import { deploys, stops } from './actions.ts'
import { isOutdated, olderJobs } from './outdated.ts'
import { mayDeployBy } from './rights.ts'

/**
 * Moves the deployment and environment of a job; returns the jobs that must fail because of it. `ctx.db` is the transaction of the move.
 */
export async function followDeployment(ctx: Context, job: JobRow): Promise<DroppedJobs | undefined> {
  // Also where its environment was renamed or deleted; and again when a runner takes it, since it may have been protected meanwhile.
  if ((job.status === 'pending' || job.status === 'running') && !(await mayDeployBy(ctx, job)))
    return { ids: [job.id], failure_reason: 'protected_environment_failure' }
  if (job.environment_id === null) return undefined
  switch (job.status) {
    case 'pending':
      return deploys(job) && (await isOutdated(ctx.db, job)) ? { ids: [job.id], failure_reason: 'forward_deployment_failure' } : undefined
    case 'running':
      if (!deploys(job)) return undefined
      await followJob(ctx, job.id, 'running')
      return { ids: await olderJobs(ctx.db, job), failure_reason: 'forward_deployment_failure' }
    case 'success':
      if (stops(job)) await noteStopped(ctx, job.environment_id)
      if (deploys(job)) await noteSuccess(ctx, job, job.environment_id)
      return undefined
    case 'failed':
    case 'canceled':
      if (deploys(job)) await followJob(ctx, job.id, job.status)
      return undefined
    case 'skipped':
      if (deploys(job)) await skipDeploymentOf(ctx, job.id)
      return undefined
    default:
      return undefined
  }
}

/**
 * The address, the stop time and the tier that the job sets; expanded with the variables of the job and those of its
 * `dotenv` report, which is a way to set the address at run time (public documentation, "Set a dynamic environment URL").
 */
async function noteSuccess(ctx: Context, job: JobRow, environmentId: number): Promise<void> {
  const deployment = await followJob(ctx, job.id, 'success')
  const { url, auto_stop_in, deployment_tier } = job.options.environment ?? {}
  if (!deployment || (url === undefined && auto_stop_in === undefined && deployment_tier === undefined)) return
  const { published } = expanderWith([...(await runnerVariablesOf(ctx, job)), ...(await variablesLeftBy(ctx.db, ctx.deps, job.id))])
  const seconds = auto_stop_in === undefined ? undefined : parseDuration(published(auto_stop_in))
  await noteDeployed(ctx, environmentId, {
    ...(url !== undefined && { external_url: published(url) }),
    ...(seconds !== undefined && { auto_stop_at: new Date(ctx.now.getTime() + seconds * 1000) }),
    ...(deployment_tier !== undefined && { tier: deployment_tier as DeploymentTier }),
  })
}
