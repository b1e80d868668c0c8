/** The port by which delivery takes part in the life of jobs that name an environment. */
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { Port } from '../../platform/kernel/declaration/port.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import type { JobRow } from './queries.ts'

/** Jobs that must fail because a job has moved. */
export interface DroppedJobs {
  readonly ids: readonly number[]
  readonly failure_reason: 'protected_environment_failure' | 'forward_deployment_failure'
}

/** The environment facts of a job's predefined variables. */
export interface JobEnvironment {
  readonly name: string
  readonly slug: string
  readonly tier: string | undefined
  readonly isProtected?: boolean
}

/** The events in the life of a job. `ctx.db` is the transaction of the change, unless the hook is a read. */
export interface JobHooks {
  /** Jobs were created, by a pipeline or by a retry. Their needs are written as well. */
  onCreated(ctx: Context, jobIds: readonly number[]): Promise<void>
  /** A job has moved to a new state. Returns the jobs that must fail because of it. */
  onMoved(ctx: Context, job: JobRow): Promise<DroppedJobs | undefined>
  /** A user wants a job to run, or to be canceled. @throws Refusal 403 if its environment is protected against them */
  requireRightsToRun(ctx: Context, project: ProjectWithRole, job: JobRow): Promise<void>
  /** The environment that a job names; a new one as it will be created. A read. */
  environmentOf(ctx: Context, job: JobRow & { readonly environment: string }): Promise<JobEnvironment>
  /** Is the project in a freeze period? A read. */
  isFrozen(db: Db, projectId: number, now: Date): Promise<boolean>
}

/** The job whose archive becomes the site of its project. */
export const SITE_JOB = 'pages'

export const jobHooks = new Port<JobHooks>('jobHooks')
