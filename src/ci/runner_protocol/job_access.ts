/** From a job's token to the job, as its runner speaks of it. */
import type { Db } from '../../db/connection.ts'
import type { Context } from '../../kernel/context.ts'
import { Refusal } from '../../kernel/errors.ts'
import { digestOf } from '../../kernel/secrets.ts'
import { type JobRow, jobs } from '../jobs/queries.ts'
import { refuseToken } from '../runners/access.ts'

/** What the protocol needs of a job. */
const ofRunner = (db: Db, id: number) =>
  db
    .selectFrom('jobs')
    .select([
      'id',
      'project_id',
      'pipeline_id',
      'runner_id',
      'status',
      'token_digest',
      'handed_out_digest',
      'trace_size',
      'trace_checksum',
      'disputed_at',
      'contacted_at',
    ])
    .where('id', '=', id)

/** A job whose runner speaks. */
export type HandedJob = Awaited<ReturnType<ReturnType<typeof ofRunner>['executeTakeFirstOrThrow']>>

/** The token of a job where runners send it: `JOB-TOKEN`, or a parameter `token`. */
export const jobTokenOf = ({ request }: Pick<Context, 'request'>, given?: string): string =>
  request.headers['job-token']?.toString() ?? given ?? ''

/** 403 for a job that does not run: `Job-Status` tells its runner how it ended (runner protocol c.3, c.4). */
export const notRunning = (status: string): Refusal =>
  new Refusal('forbidden', { message: '403 Forbidden - Job is not running' }, { 'job-status': status })

/**
 * The job with this id, running, to which the token belongs; 403 otherwise, and nobody but the runner that was handed the job is told
 * how it ended.
 */
export const runningJob = async (ctx: Context, id: number, token: string): Promise<HandedJob> =>
  ofToken(ctx, await ofRunner(ctx.db, id).executeTakeFirst(), token)

/** A job whose runner tells how it goes, with the expression by which its project finds the coverage in logs. */
export type HeldJob = JobRow & { readonly build_coverage_regex: string | null }

/** The same job as a whole, held until the transaction ends. */
export async function heldJob(ctx: Context, id: number, token: string): Promise<HeldJob> {
  const job = await jobs(ctx.db)
    .innerJoin('projects', 'projects.id', 'jobs.project_id')
    .select('projects.build_coverage_regex')
    .where('jobs.id', '=', id)
    .forNoKeyUpdate('jobs')
    .executeTakeFirst()
  return ofToken(ctx, job, token)
}

type Handed = Pick<HandedJob, 'status' | 'token_digest' | 'handed_out_digest'>

function ofToken<J extends Handed>(ctx: Context, job: J | undefined, token: string): J | Promise<never> {
  const digest = digestOf(token)
  if (!job || (job.handed_out_digest ?? job.token_digest) !== digest) return refuseToken(ctx)
  if (job.status !== 'running' || job.token_digest !== digest) throw notRunning(job.status)
  return job
}
