/** What other wings do for jobs that name an environment: the port. */
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { Port } from '../../platform/kernel/port.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import type { JobRow } from './queries.ts'

/** Jobs that fail because of the move of another job, or of their own. */
export interface DroppedJobs {
  readonly ids: readonly number[]
  readonly failure_reason: 'protected_environment_failure' | 'forward_deployment_failure'
}

/** What the predefined variables of a job tell of its environment. */
export interface JobEnvironment {
  readonly name: string
  readonly slug: string
  readonly tier: string | undefined
}

/** The moments in the life of a job. `ctx.db` is the transaction of the change, unless it is a read. */
export interface JobHooks {
  /** Jobs were created, by a pipeline or to be run again. Their needs are there as well. */
  onCreated(ctx: Context, jobIds: readonly number[]): Promise<void>
  /** A job has come to a new state. Answers the jobs that may not go on because of it. */
  onMoved(ctx: Context, job: JobRow): Promise<DroppedJobs | undefined>
  /** Somebody wants a job to run. @throws Refusal 403 where its environment is protected from them */
  requireRightsToRun(ctx: Context, project: ProjectWithRole, job: Pick<JobRow, 'environment_id'>): Promise<void>
  /** The environment that a job names; one that does not exist yet as it will be. A read. */
  environmentOf(ctx: Context, job: JobRow & { readonly environment: string }): Promise<JobEnvironment>
  /** Does a freeze period of the project hold now? A read. */
  isFrozen(db: Db, projectId: number, now: Date): Promise<boolean>
}

export const jobHooks = new Port<JobHooks>('jobHooks')
