/** Stops environments, with the jobs that take deployments down. */

import { playJob } from '../../ci/jobs/actions/play.ts'
import { type JobRow, jobs } from '../../ci/jobs/queries.ts'
import { actingAs } from '../../platform/access/credentials/credentials.ts'
import type { Db } from '../../platform/db/connection.ts'
import { transact } from '../../platform/db/transact.ts'
import { type Context, type Deps, systemContext } from '../../platform/kernel/context.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import { visibleProject } from '../../spaces/projects/queries.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { lastDeploymentsOf } from '../deployments/queries.ts'
import { noteStopped, stopEnvironment } from '../environments/commands.ts'
import { type EnvironmentRow, environmentsToStop } from '../environments/queries.ts'

/**
 * Stops an environment, and starts the manual job that takes its last deployment down (`on_stop`), if there is one. A stopped
 * environment stays as it is. `ctx.db` is a transaction.
 * @throws Refusal 403 if a protection forbids it to the actor, or forbids that job
 */
export async function stopWithAction(ctx: Context, project: ProjectWithRole, environment: EnvironmentRow): Promise<EnvironmentRow> {
  const stopped = await stopEnvironment(ctx, project, environment)
  const job = environment.state === 'available' ? await stopJobOf(ctx.db, environment) : undefined
  if (job) await playJob(ctx, project, job)
  return stopped
}

/** The manual job that stops the last deployment. */
export async function stopJobOf(db: Db, { id }: EnvironmentRow): Promise<JobRow | undefined> {
  const last = (await lastDeploymentsOf(db, [id])).get(id)
  if (!last || last.on_stop === null || last.job_id === null) return undefined
  return jobs(db)
    .where('jobs.pipeline_id', '=', ({ selectFrom }) =>
      selectFrom('jobs as own').select('own.pipeline_id').where('own.id', '=', last.job_id),
    )
    .where('jobs.name', '=', last.on_stop)
    .where('jobs.environment_id', '=', id)
    .where('jobs.retried', '=', false)
    .where('jobs.when', '=', 'manual')
    .where('jobs.status', 'in', ['manual', 'success', 'failed', 'canceled'])
    .executeTakeFirst()
}

/** Maximum environments that one run of the task stops. */
const MOST = 500

/** Stops the environments whose time (`auto_stop_in`) is over, each as the user of its stop job. */
export async function stopExpired(deps: Deps): Promise<void> {
  const due = await environmentsToStop(deps.database.db, deps.now()).limit(MOST).execute()
  for (const environment of due) await transact(deps.database.db, db => stopOne(systemContext(deps, db), environment))
}

async function stopOne(ctx: Context, environment: EnvironmentRow): Promise<void> {
  const { db } = ctx
  await noteStopped(ctx, environment.id)
  const job = await stopJobOf(db, environment)
  const actor = job && (await actingAs(db, job.user_id))
  const project = actor && (await visibleProject(db, actor, String(environment.project_id)))
  if (!job || !project) return
  // The environment is stopped even if that user may not run the job any more.
  await playJob({ ...ctx, actor }, project, job).catch(error => {
    if (!(error instanceof Refusal)) throw error
    ctx.log.warn({ job: job.id, environment: environment.id }, 'the job that stops an environment could not be started')
  })
}
