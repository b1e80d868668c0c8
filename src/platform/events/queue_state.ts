/** What waits in the queue of background jobs, for those who watch the instance, and what they do about jobs that failed. */
import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { type Recorder, recordEvent } from './events.ts'

/** The jobs of a task that have not ended. */
export interface TaskState {
  readonly task: string
  /** Jobs whose time has come and that no process has taken. */
  readonly waiting: number
  /** Jobs whose time has not come. */
  readonly later: number
  readonly running: number
  /** Jobs that failed at least once and are tried again. */
  readonly failing: number
  /** Jobs that failed too often and are not tried again. */
  readonly given_up: number
  /** Since when the first of those that wait could have run; null where none waits. */
  readonly waiting_since: string | null
}

/** A job that failed. */
export interface FailedJob {
  readonly id: number
  readonly task: string
  readonly attempts: number
  readonly max_attempts: number
  readonly run_at: string
  /** Its last error, with where it came from: the beginning of it. */
  readonly error: string
}

/** Characters of an error that are shown. */
const LONGEST_ERROR = 5_000

/** The state of each task with jobs in the queue. One statement. */
export async function queueState(db: Db): Promise<readonly TaskState[]> {
  const { rows } = await sql<TaskState>`
    select tasks.identifier as task,
           (count(*) filter (where locked_at is null and run_at <= now() and attempts < max_attempts))::int as waiting,
           (count(*) filter (where locked_at is null and run_at > now() and attempts < max_attempts))::int as later,
           (count(*) filter (where locked_at is not null))::int as running,
           (count(*) filter (where attempts > 0 and attempts < max_attempts and last_error is not null))::int as failing,
           (count(*) filter (where attempts >= max_attempts and locked_at is null))::int as given_up,
           to_json(min(run_at) filter (where locked_at is null and run_at <= now() and attempts < max_attempts)) #>> '{}' as waiting_since
      from graphile_worker._private_jobs jobs
      join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
     group by tasks.identifier
     order by tasks.identifier`.execute(db)
  return rows
}

/** The jobs that failed, the latest first. */
export async function failedJobs(db: Db, limit: number): Promise<readonly FailedJob[]> {
  const { rows } = await sql<FailedJob>`
    select jobs.id::int as id, tasks.identifier as task, attempts, max_attempts, to_json(run_at) #>> '{}' as run_at,
           left(last_error, ${LONGEST_ERROR}) as error
      from graphile_worker._private_jobs jobs
      join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
     where attempts > 0 and last_error is not null
     order by jobs.updated_at desc
     limit ${limit}`.execute(db)
  return rows
}

/** A failed job by its id, unless it runs now. */
export async function failedJobById(db: Db, id: number): Promise<Pick<FailedJob, 'id' | 'task'> | undefined> {
  const { rows } = await sql<Pick<FailedJob, 'id' | 'task'>>`
    select jobs.id::int as id, tasks.identifier as task
      from graphile_worker._private_jobs jobs
      join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
     where jobs.id = ${id} and attempts > 0 and last_error is not null and locked_at is null`.execute(db)
  return rows[0]
}

/** Lets a failed job run again, with all its attempts. Not one that runs now. */
export async function retryJob(by: Recorder, { id, task }: Pick<FailedJob, 'id' | 'task'>): Promise<void> {
  await sql`select from graphile_worker.reschedule_jobs(array[${id}]::bigint[], run_at => now(), attempts => 0)`.execute(by.db)
  await recordEvent(by, { kind: 'background_job.retried', payload: { id, name: task } })
}

/** Deletes a failed job: what it would have done is not done. Not one that runs now. */
export async function deleteJob(by: Recorder, { id, task }: Pick<FailedJob, 'id' | 'task'>): Promise<void> {
  await sql`select from graphile_worker.complete_jobs(array[${id}]::bigint[])`.execute(by.db)
  await recordEvent(by, { kind: 'background_job.deleted', payload: { id, name: task } })
}
