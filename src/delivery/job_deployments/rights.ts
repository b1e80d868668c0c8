/** Who may run a job with a protected environment. */

import type { JobRow } from '../../ci/jobs/queries.ts'
import { actingAs } from '../../platform/access/credentials/credentials.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { projectsById, visibleProject } from '../../spaces/projects/queries.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { environmentById } from '../environments/queries.ts'
import { mayDeploy, requireDeployer } from '../protected_environments/rights.ts'

type About = Pick<JobRow, 'project_id' | 'environment_id' | 'user_id'>

/** May the user of a job run it, as far as the protection of its environment is concerned? */
export async function mayDeployBy(ctx: Context, { project_id, environment_id, user_id }: About): Promise<boolean> {
  const { db } = ctx
  const environment = environment_id === null ? undefined : await environmentById(db, project_id, environment_id)
  if (!environment) return true
  const actor = await actingAs(db, user_id)
  if (!actor) return false
  const seen = await visibleProject(db, actor, String(project_id))
  const project = seen ?? { ...(await projectsById(db, [project_id])).get(project_id)!, role: 0 }
  return mayDeploy({ ...ctx, actor }, project, environment)
}

/** 403 if the protection of a job's environment forbids the actor to run it. */
export async function requireDeployRights(ctx: Context, project: ProjectWithRole, { environment_id }: About): Promise<void> {
  const environment = environment_id === null ? undefined : await environmentById(ctx.db, project.id, environment_id)
  if (environment) await requireDeployer(ctx, project, environment)
}
