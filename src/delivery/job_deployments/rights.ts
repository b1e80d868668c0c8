/** Who may run a job with a protected environment. */

import type { JobRow } from '../../ci/jobs/queries.ts'
import { actingAs } from '../../platform/access/credentials/credentials.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { projectsById, visibleProject } from '../../spaces/projects/queries.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { environmentById, environmentByName } from '../environments/queries.ts'
import { tierOfName } from '../environments/tiers.ts'
import { type Deployed, mayDeploy, requireDeployer } from '../protected_environments/rights.ts'
import { deploys } from './actions.ts'

type About = Pick<JobRow, 'project_id' | 'environment_id' | 'environment' | 'options' | 'user_id'>

/**
 * What a job deploys to: its environment, and the one that has the name which the job gives, after the first was renamed or deleted. The job has the
 * variables of that name, so its protection holds whatever became of the row. So does that of the tier into which a job moves its environment.
 */
async function deployedBy(db: Db, job: About): Promise<Deployed[]> {
  const { project_id, environment_id, environment: name, options } = job
  if (name === null) return []
  const row = environment_id === null ? undefined : await environmentById(db, project_id, environment_id)
  const { deployment_tier: tier } = options.environment ?? {}
  const moved = row && tier !== undefined && tier !== row.tier && deploys(job) ? [{ name: row.name, tier }] : []
  if (row?.name === name) return [row, ...moved]
  const named = (await environmentByName(db, project_id, name)) ?? { name, tier: tier ?? tierOfName(name) }
  return row ? [row, ...moved, named] : [named]
}

/** May the user of a job run it, as far as the protection of its environment is concerned? */
export async function mayDeployBy(ctx: Context, job: About): Promise<boolean> {
  const { db } = ctx
  const { project_id, user_id } = job
  const environments = await deployedBy(db, job)
  if (environments.length === 0) return true
  const actor = await actingAs(db, user_id)
  if (!actor) return false
  const seen = await visibleProject(db, actor, String(project_id))
  const project = seen ?? { ...(await projectsById(db, [project_id])).get(project_id)!, role: 0 }
  for (const environment of environments) if (!(await mayDeploy({ ...ctx, actor }, project, environment))) return false
  return true
}

/** 403 if the protection of a job's environment forbids the actor to run it. */
export async function requireDeployRights(ctx: Context, project: ProjectWithRole, job: About): Promise<void> {
  for (const environment of await deployedBy(ctx.db, job)) await requireDeployer(ctx, project, environment)
}
