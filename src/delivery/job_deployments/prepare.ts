/** Prepares new jobs that deploy: creates their environments and deployments. */

import { assignEnvironment } from '../../ci/jobs/commands.ts'
import { type JobRow, jobs } from '../../ci/jobs/queries.ts'
import { moveJobs } from '../../ci/jobs/transitions/move.ts'
import { pipelinesById } from '../../ci/pipelines/queries.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { addDeployment } from '../deployments/commands.ts'
import { ensureEnvironment } from '../environments/commands.ts'
import { NAME } from '../environments/slugs.ts'
import { type DeploymentTier, deploymentTiers } from '../environments/tiers.ts'
import { deploys } from './actions.ts'

const isTier = (word: string | undefined): word is DeploymentTier => deploymentTiers.some(tier => tier === word)

const isName = (name: string): boolean => name.length <= 255 && new RegExp(NAME).test(name)

/**
 * Creates the missing environments of new jobs, and a deployment for each job that deploys. A job whose environment name is invalid after
 * expansion fails. `ctx.db` is the transaction that has created the jobs.
 */
export async function prepareDeployments(ctx: Context, jobIds: readonly number[]): Promise<void> {
  const { db } = ctx
  const deploying = await jobs(db).where('jobs.id', '=', anyOf(jobIds)).where('environment', 'is not', null).orderBy('jobs.id').execute()
  if (deploying.length === 0) return
  const [named, nameless] = [
    deploying.filter(job => isName(job.environment as string)),
    deploying.filter(job => !isName(job.environment as string)),
  ]
  await moveJobs(
    ctx,
    nameless.map(({ id }) => id),
    'drop',
    { failure_reason: 'environment_creation_failure' },
  )
  const pipelines = await pipelinesById(db, [...new Set(named.map(job => job.pipeline_id))])
  for (const [name, inOne] of Map.groupBy(named, job => job.environment as string)) {
    const [first] = inOne as [JobRow]
    const { deployment_tier: tier } = first.options.environment ?? {}
    const environment = await ensureEnvironment(ctx, first.project_id, name, isTier(tier) ? tier : undefined)
    await assignEnvironment(
      db,
      inOne.map(({ id }) => id),
      environment.id,
    )
    for (const job of inOne.filter(deploys)) {
      const { ref, tag, sha } = pipelines.get(job.pipeline_id)!
      const on_stop = job.options.environment?.on_stop ?? null
      const { id: job_id, project_id, user_id } = job
      await addDeployment(ctx, { project_id, environment_id: environment.id, job_id, user_id, ref, tag, sha, on_stop })
    }
  }
}
