/** From a job's token to the job, as its runner speaks of it. */
import type { Db } from '../../db/connection.ts'
import type { Context } from '../../kernel/context.ts'
import { Refusal } from '../../kernel/errors.ts'
import { digestOf } from '../../kernel/secrets.ts'
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
 * @param held the row is held until the transaction ends
 */
export async function runningJob(ctx: Context, id: number, token: string, { held = false } = {}): Promise<HandedJob> {
  const query = ofRunner(ctx.db, id)
  const job = await (held ? query.forNoKeyUpdate() : query).executeTakeFirst()
  const digest = digestOf(token)
  if (!job || (job.handed_out_digest ?? job.token_digest) !== digest) return refuseToken(ctx)
  if (job.status !== 'running' || job.token_digest !== digest) throw notRunning(job.status)
  return job
}
