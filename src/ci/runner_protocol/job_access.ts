/** From a job's token to the job, as its runner speaks of it. */
import { compiled } from '../../platform/db/statements/compiled.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import { digestOf } from '../../platform/kernel/secrets.ts'
import { isForActiveUser, type JobRow } from '../jobs/queries.ts'
import { rejectToken } from '../runners/access.ts'

/** What the protocol needs of a job. */
const columns = [
  'jobs.id',
  'jobs.project_id',
  'jobs.pipeline_id',
  'jobs.runner_id',
  'jobs.status',
  'jobs.token_digest',
  'jobs.handed_out_digest',
  'jobs.trace_size',
  'jobs.trace_checksum',
  'jobs.disputed_at',
  'jobs.contacted_at',
  'jobs.debug_trace',
] as const

const ofRunner = compiled((db, id: number) =>
  db.selectFrom('jobs').select(columns).select(isForActiveUser.as('is_for_active_user')).where('id', '=', id),
)

/** A job whose runner speaks. */
export type AssignedJob = Awaited<ReturnType<typeof ofRunner>>[number]

/** The token of a job where runners send it: `JOB-TOKEN`, or a parameter `token`. */
export const jobTokenOf = ({ request }: Pick<Context, 'request'>, given?: string): string =>
  request.headers['job-token']?.toString() ?? given ?? ''

/** 403 for a job that does not run: `Job-Status` tells its runner how it ended (runner protocol c.3, c.4). */
export const notRunning = (status: string): Refusal =>
  new Refusal('forbidden', { message: '403 Forbidden - Job is not running' }, { 'job-status': status })

/**
 * The running job with this id to which the token belongs; 403 otherwise, and only the runner that was assigned the job learns
 * how it ended. A job of an inactive user counts as failed already.
 */
export const runningJob = async (ctx: Context, id: number, token: string): Promise<AssignedJob> =>
  ofToken(ctx, (await ofRunner(ctx.db, id))[0], token)

/** A reporting runner's job, with its CI file options and the project's coverage expression. */
export type LockedRunningJob = AssignedJob & Pick<JobRow, 'options'> & { readonly build_coverage_regex: string | null }

const holding = compiled((db, id: number) =>
  db
    .selectFrom('jobs')
    .innerJoin('projects', 'projects.id', 'jobs.project_id')
    .select([...columns, 'jobs.options', 'projects.build_coverage_regex', isForActiveUser.as('is_for_active_user')])
    .where('jobs.id', '=', id)
    .forNoKeyUpdate('jobs')
    .$castTo<LockedRunningJob>(),
)

/** The same job, locked until the transaction ends. */
export async function lockRunningJob(ctx: Context, id: number, token: string): Promise<LockedRunningJob> {
  const [job] = await holding(ctx.db, id)
  return ofToken(ctx, job, token)
}

type Handed = Pick<AssignedJob, 'status' | 'token_digest' | 'handed_out_digest' | 'is_for_active_user'>

function ofToken<J extends Handed>(ctx: Context, job: J | undefined, token: string): J | Promise<never> {
  const digest = digestOf(token)
  if (!job || (job.handed_out_digest ?? job.token_digest) !== digest) return rejectToken(ctx)
  if (job.status !== 'running' || job.token_digest !== digest) throw notRunning(job.status)
  // Just blocked or deleted: the task that fails the job is queued.
  if (!job.is_for_active_user) throw notRunning('failed')
  return job
}
