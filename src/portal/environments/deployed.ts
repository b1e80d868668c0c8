/** What the pages of environments read of deployments: their commits, jobs and people. A fixed number of statements for a page. */
import { type Commits, commitAt, commitsAt } from '../../ci/commits.ts'
import { type JobRow, jobsById } from '../../ci/jobs/queries.ts'
import { pipelinesById } from '../../ci/pipelines/queries.ts'
import { runnableAmong } from '../../ci/pipelines/rights/rights.ts'
import { type DeploymentRow, lastDeploymentsOf, unfinishedDeploymentsOf } from '../../delivery/deployments/queries.ts'
import { type EnvironmentRow, environmentsById } from '../../delivery/environments/queries.ts'
import { type ProtectedEnvironmentRow, protectionsOfProject } from '../../delivery/protected_environments/queries.ts'
import { presentSummary } from '../../identity/users/entity.ts'
import { idsOf, usersById } from '../../identity/users/queries.ts'
import { allows } from '../../platform/access/abilities.ts'
import type { Commit } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { tierCovers } from '../../platform/kernel/declaration/types.ts'
import type { Pictured } from '../../platform/pages/components/avatar.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'

/** A deployment with what pages show of it. */
export interface ShownDeployment {
  readonly deployment: DeploymentRow
  readonly commit: Commit | undefined
  readonly user: (Pictured & { readonly username: string }) | undefined
  /** Undefined where the API reported the deployment, and for a caller who may not read the project's jobs. */
  readonly job: JobRow | undefined
}

/** Deployments of a project with their commits, people and jobs. */
export async function shownDeployments(
  ctx: Context,
  project: ProjectWithRole,
  rows: readonly DeploymentRow[],
): Promise<readonly ShownDeployment[]> {
  const readsJobs = allows(ctx.actor, 'read_job', projectSubject(project)) === 'yes'
  const [users, commits, jobs] = await Promise.all([
    usersById(ctx.db, idsOf(rows, 'user_id')),
    rows.length > 0 ? commitsAt(ctx, rows) : (new Map() as Commits),
    jobsById(ctx.db, readsJobs ? idsOf(rows, 'job_id') : []),
  ])
  return rows.map(deployment => {
    const user = deployment.user_id === null ? undefined : users.get(deployment.user_id)
    return {
      deployment,
      commit: commitAt(commits, deployment),
      user: user && presentSummary(user, ctx),
      job: deployment.job_id === null ? undefined : jobs.get(deployment.job_id),
    }
  })
}

/** The jobs of deployments that the caller may run, as far as the references of their pipelines are concerned: their ids. */
export async function runnableJobs(ctx: Context, project: ProjectWithRole, shown: readonly ShownDeployment[]): Promise<Set<number>> {
  const jobs = shown.flatMap(({ job }) => job ?? [])
  const pipelines = await pipelinesById(ctx.db, idsOf(jobs, 'pipeline_id'))
  const runnable = await runnableAmong(ctx, project, [...pipelines.values()])
  return new Set(jobs.filter(({ pipeline_id }) => runnable.has(pipeline_id)).map(({ id }) => id))
}

/** An environment as a list shows it. */
export interface ListedEnvironment {
  readonly environment: EnvironmentRow
  readonly last: ShownDeployment | undefined
  /** A later deployment that waits or runs. */
  readonly next: ShownDeployment | undefined
  readonly isProtected: boolean
}

/** The names among these that the project itself protects. */
export async function protectedAmong(
  { db, tier }: Context,
  project: ProjectWithRole,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  if (!tierCovers(tier, 'premium') || names.length === 0) return new Set()
  const rows: readonly ProtectedEnvironmentRow[] = await protectionsOfProject(db, project.id).where('name', 'in', names).execute()
  return new Set(rows.map(({ name }) => name))
}

/** Environments of a project with what is deployed to each, by their ids. */
export async function listedEnvironments(
  ctx: Context,
  project: ProjectWithRole,
  environments: readonly EnvironmentRow[],
): Promise<ReadonlyMap<number, ListedEnvironment>> {
  const ids = environments.map(({ id }) => id)
  const [last, unfinished, isProtected] = await Promise.all([
    lastDeploymentsOf(ctx.db, ids),
    unfinishedDeploymentsOf(ctx.db, ids),
    protectedAmong(
      ctx,
      project,
      environments.map(({ name }) => name),
    ),
  ])
  const shown = await shownDeployments(ctx, project, [...last.values(), ...unfinished.values()])
  const byId = new Map(shown.map(one => [one.deployment.id, one]))
  const of = (found: ReadonlyMap<number, DeploymentRow>, id: number) => byId.get(found.get(id)?.id ?? 0)
  return new Map(
    environments.map(environment => {
      const { id, name } = environment
      const [done, next] = [of(last, id), of(unfinished, id)]
      const isLater = next !== undefined && next.deployment.id > (done?.deployment.id ?? 0)
      return [id, { environment, last: done, next: isLater ? next : undefined, isProtected: isProtected.has(name) }]
    }),
  )
}

/** The same for environments by their ids. */
export const listedById = async (ctx: Context, project: ProjectWithRole, ids: readonly number[]) =>
  listedEnvironments(ctx, project, [...(await environmentsById(ctx.db, ids)).values()])
