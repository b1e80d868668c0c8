/** What waits in the queue of background jobs, for those who watch the instance, and what they do about jobs that failed. */
import { type RawBuilder, sql } from 'kysely'
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

/** A job of the queue. */
export interface QueuedJob {
  readonly id: number
  readonly task: string
  readonly attempts: number
  readonly max_attempts: number
  readonly created_at: string
  readonly run_at: string
  /** Since when a process runs it, and which; null where none does. */
  readonly locked_at: string | null
  readonly locked_by: string | null
  /** Jobs of one of these run one after another. */
  readonly queue: string | null
  /** Its last error, with where it came from: the beginning of it. */
  readonly error: string | null
}

/** What a list of jobs can be narrowed to: those that failed, those of them that are not tried again, and those that did not fail. */
export const jobStates = ['failed', 'given_up', 'waiting', 'later', 'running'] as const

/** Characters of an error that are shown. */
const LONGEST_ERROR = 5_000

/** Has a queue jobs that run or wait for their time? Two statements, one where it never had any. */
export async function hasJobs(db: Db, queueName: string): Promise<boolean> {
  const queues = await sql<{ id: number }>`select id from graphile_worker._private_job_queues where queue_name = ${queueName}`.execute(db)
  const [queue] = queues.rows
  if (!queue) return false
  const { rows } = await sql`select from graphile_worker._private_jobs
    where job_queue_id = ${queue.id} and attempts < max_attempts limit 1`.execute(db)
  return rows.length > 0
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

/** Does a task run, or wait that is due? One that has failed for good does not count. For those who make a world that nothing moves by itself. */
export async function hasDueTasks(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from graphile_worker.jobs where locked_at is not null or (run_at <= now() and attempts < max_attempts) limit 1`.execute(db)
  return rows.length > 0
}

const conditions: Readonly<Record<(typeof jobStates)[number], RawBuilder<boolean>>> = {
  failed: sql`jobs.attempts > 0 and jobs.last_error is not null`,
  given_up: sql`jobs.attempts >= jobs.max_attempts and jobs.locked_at is null`,
  waiting: sql`jobs.locked_at is null and jobs.run_at <= now() and jobs.attempts < max_attempts`,
  later: sql`jobs.locked_at is null and jobs.run_at > now() and jobs.attempts < max_attempts`,
  running: sql`jobs.locked_at is not null`,
}

const columns = sql`jobs.id::int as id, tasks.identifier as task, jobs.attempts, jobs.max_attempts, to_json(jobs.created_at) #>> '{}' as created_at,
           to_json(jobs.run_at) #>> '{}' as run_at, to_json(jobs.locked_at) #>> '{}' as locked_at, jobs.locked_by, queues.queue_name as queue,
           left(jobs.last_error, ${LONGEST_ERROR}) as error`

const joined = sql`graphile_worker._private_jobs jobs
      join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
      left join graphile_worker._private_job_queues queues on queues.id = jobs.job_queue_id`

/** A list as pages read it: a slice of it, and how many there are up to a bound. */
interface Listed<Row> {
  slice(offset: number, limit: number): Promise<Row[]>
  count(limit: number): Promise<number>
}

/** The jobs of a task, or of all, in this state, the latest first. */
export function queuedJobs(
  db: Db,
  { task, state }: { readonly task?: string | undefined; readonly state: (typeof jobStates)[number] },
): Listed<QueuedJob> {
  const found = sql`from ${joined} where ${conditions[state]}${task === undefined ? sql`` : sql` and tasks.identifier = ${task}`}`
  return {
    async slice(offset, limit) {
      const { rows } = await sql<QueuedJob>`
        select ${columns} ${found} order by jobs.updated_at desc, jobs.id desc limit ${limit} offset ${offset}`.execute(db)
      return rows
    },
    async count(limit) {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from (select 1 ${found} limit ${limit}) as counted`.execute(db)
      return rows[0]?.count ?? 0
    },
  }
}

/** A job of the queue by its id, with its arguments. */
export async function jobById(db: Db, id: number): Promise<(QueuedJob & { readonly payload: unknown }) | undefined> {
  const { rows } = await sql<QueuedJob & { payload: unknown }>`
    select ${columns}, jobs.payload from ${joined} where jobs.id = ${id}`.execute(db)
  return rows[0]
}

/** When the job with this key runs; undefined where there is none. */
export async function runsAt(db: Db, key: string): Promise<string | undefined> {
  const { rows } = await sql<{ run_at: string }>`
    select to_json(run_at) #>> '{}' as run_at from graphile_worker._private_jobs where key = ${key}`.execute(db)
  return rows[0]?.run_at
}

/** A failed job by its id, unless it runs now. */
export async function failedJobById(db: Db, id: number): Promise<Pick<QueuedJob, 'id' | 'task'> | undefined> {
  const { rows } = await sql<Pick<QueuedJob, 'id' | 'task'>>`
    select jobs.id::int as id, tasks.identifier as task
      from graphile_worker._private_jobs jobs
      join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
     where jobs.id = ${id} and attempts > 0 and last_error is not null and locked_at is null`.execute(db)
  return rows[0]
}

/** Lets a failed job run again, with all its attempts. Not one that runs now. */
export async function retryJob(by: Recorder, { id, task }: Pick<QueuedJob, 'id' | 'task'>): Promise<void> {
  await sql`select from graphile_worker.reschedule_jobs(array[${id}]::bigint[], run_at => now(), attempts => 0)`.execute(by.db)
  await recordEvent(by, { kind: 'background_job.retried', payload: { id, name: task } })
}

/** Deletes a failed job: what it would have done is not done. Not one that runs now. */
export async function deleteJob(by: Recorder, { id, task }: Pick<QueuedJob, 'id' | 'task'>): Promise<void> {
  await sql`select from graphile_worker.complete_jobs(array[${id}]::bigint[])`.execute(by.db)
  await recordEvent(by, { kind: 'background_job.deleted', payload: { id, name: task } })
}
