/** The one way in which a job moves from state to state. */
import type { Db } from '../../db/connection.ts'
import { recordEvent } from '../../events/events.ts'
import { enqueue } from '../../events/worker.ts'
import type { Context } from '../../kernel/context.ts'
import { next } from '../../kernel/machine.ts'
import { type JobRow, jobs } from './queries.ts'
import { type JobEvent, type JobStatus, jobMachine } from './states.ts'

/** What is written together with a move. */
export interface JobChanges {
  readonly failure_reason?: string | null
  readonly exit_code?: number | null
  readonly runner_id?: number | null
  readonly token_digest?: string | null
  readonly user_id?: number | null
  readonly timeout?: number | null
  readonly scheduled_at?: Date | null
  readonly coverage?: number | null
}

/** The instants that a state writes. A job that is over has no token any more. */
function entering(status: JobStatus, now: Date) {
  switch (status) {
    case 'pending':
      return { queued_at: now, started_at: null, finished_at: null }
    case 'running':
      return { started_at: now, contacted_at: now }
    case 'success':
    case 'failed':
    case 'canceled':
    case 'skipped':
      return { finished_at: now, token_digest: null }
    default:
      return {}
  }
}

/**
 * Moves a job, and has its pipeline processed; undefined where the event is impossible in the job's state, or the job is gone. The row
 * is held until the transaction ends. `db` must be that transaction.
 */
export async function moveJob(
  { db, now, actor }: Pick<Context, 'db' | 'now' | 'actor'>,
  id: number,
  event: JobEvent,
  changes: JobChanges = {},
): Promise<JobRow | undefined> {
  const was = await db.selectFrom('jobs').select(['status']).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  const status = was && next(jobMachine, was.status, event)
  if (status === undefined) return undefined
  await db
    .updateTable('jobs')
    .set({ ...entering(status, now), ...changes, status, updated_at: now })
    .where('id', '=', id)
    .execute()
  const job = await jobs(db).where('id', '=', id).executeTakeFirstOrThrow()
  await recordEvent(db, { kind: 'job.updated', payload: { job_id: id, status }, actorId: actor.user?.id, projectId: job.project_id })
  await askForProcessing(db, job.pipeline_id)
  return job
}

/** Has a pipeline processed as soon as the transaction is over; asked for several times, it is done once. */
export const askForProcessing = (db: Db, pipeline_id: number): Promise<void> =>
  enqueue(db, 'process_pipeline', { pipeline_id }, { jobKey: `process_pipeline:${pipeline_id}` })
