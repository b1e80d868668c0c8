/** The payload of deployments (webhook events, 14.0). */
import { jobUrl } from '../../../../ci/jobs/entity.ts'
import type { DeploymentRow } from '../../../../delivery/deployments/queries.ts'
import { environmentsById } from '../../../../delivery/environments/queries.ts'
import { userById } from '../../../../identity/users/queries.ts'
import { readCommit } from '../../../../platform/git/index.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import type { ProjectRow } from '../../../../spaces/projects/queries.ts'
import { findRepository } from '../../../../spaces/projects/repository/store.ts'
import { projectPart, userPart } from '../project.ts'

/** The status of the deployment at the event, and when. */
export interface DeploymentMove {
  readonly status: DeploymentRow['status']
  /** An instant. */
  readonly at: string
}

/** Contract: only this time is written with a space (webhook events). */
const spaced = (instant: string): string => new Date(instant).toISOString().replace(/T(.*)\.\d+Z$/, ' $1 +0000')

/** The payload of a deployment that began or ended; undefined if its environment was deleted. */
export async function deploymentPayload(
  ctx: Context,
  project: ProjectRow,
  deployment: DeploymentRow,
  { status, at }: DeploymentMove,
): Promise<object | undefined> {
  const environment = (await environmentsById(ctx.db, [deployment.environment_id])).get(deployment.environment_id)
  if (!environment) return undefined
  const user = deployment.user_id === null ? undefined : await userById(ctx.db, deployment.user_id)
  const repository = await findRepository(ctx.deps.storages, project)
  const commit = repository && (await readCommit(repository, deployment.sha))
  return {
    object_kind: 'deployment',
    status,
    status_changed_at: spaced(at),
    deployment_id: deployment.id,
    // Null for a deployment without a job.
    deployable_id: deployment.job_id,
    deployable_url: deployment.job_id === null ? null : jobUrl(deployment.job_id, project.full_path, ctx),
    environment: environment.name,
    environment_tier: environment.tier,
    environment_slug: environment.slug,
    environment_external_url: environment.external_url,
    project: projectPart(project, ctx),
    short_sha: deployment.sha.slice(0, 8),
    user: userPart(user, ctx),
    user_url: user ? `${ctx.url}/${user.username}` : null,
    commit_url: `${ctx.url}/${project.full_path}/-/commit/${deployment.sha}`,
    commit_title: commit?.title ?? null,
    ref: deployment.ref,
  }
}
