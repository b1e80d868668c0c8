/** What waits in the queue of background jobs, for those who watch the instance. */
import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'

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
  /** The first line of its last error. */
  readonly error: string | null
}

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
           left(split_part(last_error, E'\n', 1), 300) as error
      from graphile_worker._private_jobs jobs
      join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
     where attempts > 0 and last_error is not null
     order by jobs.updated_at desc
     limit ${limit}`.execute(db)
  return rows
}
