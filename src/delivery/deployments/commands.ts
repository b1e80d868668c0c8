/** Writes of deployments. */

import { recordEvent } from '../../platform/events/events.ts'
import { keepAround, resolveCommits } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { next } from '../../platform/kernel/declaration/machine.ts'
import { badRequest, forbidden, invalid } from '../../platform/kernel/errors.ts'
import { nextIid } from '../../spaces/places/iids.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { ensureEnvironment, startEnvironment } from '../environments/commands.ts'
import { type EnvironmentRow, environmentById } from '../environments/queries.ts'
import { requireDeployer } from '../protected_environments/rights.ts'
import { type DeploymentRow, deploymentOfJob, lastDeploymentsOf } from './queries.ts'
import { deploymentMachine } from './states.ts'

/** The statuses that can be reported of a deployment, and the event of each. */
export const reports = { running: 'run', success: 'succeed', failed: 'fail', canceled: 'cancel' } as const
export type Report = keyof typeof reports

export interface NewDeployment {
  /** Name of the environment; it is created if there is none. */
  readonly environment: string
  readonly sha: string
  readonly ref: string
  readonly tag?: boolean | undefined
  readonly status: Report
}

/** Reports a deployment. 400 for a commit or reference that the repository lacks, 403 if a protection forbids it. */
export async function createDeployment(
  ctx: Context,
  project: ProjectWithRole,
  { environment: name, sha, ref, tag = false, status }: NewDeployment,
): Promise<DeploymentRow> {
  const { db, actor, now } = ctx
  const commit = await deployedCommit(ctx, project, { sha, ref })
  const environment = await ensureEnvironment(ctx, project.id, name)
  await requireDeployer(ctx, project, environment)
  const { id } = await db
    .insertInto('deployments')
    .values({
      iid: await nextIid(db, { project_id: project.id }, 'deployment'),
      project_id: project.id,
      environment_id: environment.id,
      user_id: actor.user?.id ?? null,
      ref,
      tag,
      sha: commit,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return moveDeployment(ctx, id, status)
}

/** The commit that is deployed, protected from garbage collection for as long as the repository exists. */
async function deployedCommit(
  { deps }: Context,
  project: ProjectWithRole,
  { sha, ref }: Pick<NewDeployment, 'sha' | 'ref'>,
): Promise<string> {
  const repository = await findRepository(deps.storages, project)
  const isId = /^[0-9a-f]{7,40}$/i.test(sha)
  const [commit, named] = repository ? await resolveCommits(repository, [sha, ref]) : []
  const failures = {
    // A text that looks like an id and is none is a branch.
    ...(isId && commit?.startsWith(sha.toLowerCase()) ? {} : { sha: ['is invalid'] }),
    ...(named === undefined ? { ref: ['The branch or tag does not exist'] } : {}),
  }
  if (!repository || commit === undefined || Object.keys(failures).length > 0) throw invalid(failures)
  await keepAround(repository, [commit])
  return commit
}

/** Reports a new status of a deployment; 400 for an impossible transition, 403 if a protection forbids it, or the deployment is that of a job. */
export async function updateDeployment(
  ctx: Context,
  project: ProjectWithRole,
  { id, environment_id, job_id }: DeploymentRow,
  status: Report,
): Promise<DeploymentRow> {
  const environment = (await environmentById(ctx.db, project.id, environment_id)) as EnvironmentRow
  await requireDeployer(ctx, project, environment)
  // The job says what has become of it: who may deploy could otherwise call a failed one deployed.
  if (job_id !== null) throw forbidden('Deployments created using GitLab CI can not be updated using the API')
  return moveDeployment(ctx, id, status)
}

async function moveDeployment(ctx: Context, id: number, report: Report): Promise<DeploymentRow> {
  const moved = await tryMove(ctx, id, report)
  if (!moved) throw invalid({ status: [`cannot transition via "${reports[report]}"`] })
  return moved
}

/** Moves a deployment; undefined if the transition is impossible. */
async function tryMove(ctx: Deploying, id: number, report: Report): Promise<DeploymentRow | undefined> {
  const { db, now, actor } = ctx
  // Locked until the transaction ends, so that concurrent reports are applied one after the other.
  const was = await db.selectFrom('deployments').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow()
  const status = next(deploymentMachine, was.status, reports[report])
  if (status === undefined) return undefined
  const deployment = await db
    .updateTable('deployments')
    .set({ status, finished_at: status === 'running' ? null : now, updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  // A deployment makes a stopped environment available again.
  if (status === 'success') await startEnvironment(ctx, deployment.environment_id)
  await recordEvent(db, {
    kind: 'deployment.updated',
    payload: { deployment_id: id, status: report, at: now.toISOString() },
    actorId: actor.user?.id,
    projectId: deployment.project_id,
  })
  return deployment
}

/** The context of deployments by jobs. `db` is a transaction. */
type Deploying = Pick<Context, 'db' | 'now' | 'actor'>

/** The deployment of a new job. */
export interface JobDeployment {
  readonly project_id: number
  readonly environment_id: number
  readonly job_id: number
  readonly user_id: number | null
  readonly ref: string
  readonly tag: boolean
  readonly sha: string
  /** Name of the job that stops the environment. */
  readonly on_stop: string | null
}

/** Adds the deployment of a new job, in status `created`. */
export async function addDeployment({ db, now }: Deploying, deployment: JobDeployment): Promise<void> {
  const iid = await nextIid(db, { project_id: deployment.project_id }, 'deployment')
  await db
    .insertInto('deployments')
    .values({ ...deployment, iid, created_at: now, updated_at: now })
    .execute()
}

/** Skips the deployment of a skipped job; records no event, since nothing was deployed. */
export async function skipDeploymentOf({ db, now }: Deploying, jobId: number): Promise<void> {
  const deployment = await deploymentOfJob(db, jobId)
  if (!deployment) return
  const { id } = deployment
  const was = await db.selectFrom('deployments').select('status').where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow()
  const status = next(deploymentMachine, was.status, 'skip')
  if (status !== undefined) await db.updateTable('deployments').set({ status, updated_at: now }).where('id', '=', id).execute()
}

/** Moves the deployment of a job; undefined if it has none, or if the transition is impossible. */
export async function followJob(ctx: Deploying, jobId: number, report: Report): Promise<DeploymentRow | undefined> {
  const deployment = await deploymentOfJob(ctx.db, jobId)
  return deployment && tryMove(ctx, deployment.id, report)
}

/** Deletes a finished deployment that is not the last one of its environment. */
export async function removeDeployment({ db }: Context, { id, environment_id }: DeploymentRow): Promise<void> {
  // As a report that comes at the same time leaves it: it may be the last one by then.
  const { status } = await db.selectFrom('deployments').select('status').where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
  if (status === 'created' || status === 'running') throw badRequest('Cannot destroy running deployment')
  const last = await lastDeploymentsOf(db, [environment_id])
  if (last.get(environment_id)?.id === id) throw badRequest('Deployment currently deployed to environment')
  await db.deleteFrom('deployments').where('id', '=', id).returning('id').executeTakeFirstOrThrow()
}
