/**
 * The job queue: graphile-worker on the same database, so that a job exists if and only if the change that enqueues it was committed. A job
 * starts within milliseconds of the commit (NOTIFY), is retried with growing pauses when it fails, and runs again after a crash in the
 * middle of it: tasks must be idempotent.
 */
import type { TaskList } from 'graphile-worker'
import { type RawBuilder, sql } from 'kysely'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { Database, Db } from '../db/connection.ts'
import type { Log } from '../db/log.ts'
import { compiled } from '../db/statements/compiled.ts'
import { pause } from './lease.ts'
import { beginRun, type Run } from './runs/run.ts'
import { ANY, REMOTE, waitFlags } from './runs/waits.ts'

/** The payload of each task, by the task's name. */
export type Payloads = Record<string, TSchema>

/** What each task does. `signal` is aborted when Ingot stops and the task has not ended within a few seconds. */
export type Tasks<P extends Payloads> = { [K in keyof P]: (payload: Static<P[K]>, signal: AbortSignal | undefined) => Promise<void> }

export type JobOptions = {
  /** A job with the same key that has not started yet is replaced by this one. */
  jobKey?: string
  /** The replaced job keeps its time: a job that is enqueued again and again is not delayed for ever. */
  keepsTime?: boolean
  /**
   * Not queued if a job with its key waits that has not been attempted. Only for a job that reads the current state when it runs, where the
   * state is complete before the transaction ends: the waiting job may start meanwhile.
   */
  unlessWaiting?: boolean
  /** Not before this time. Default: immediately. */
  runAt?: Date
  /** Jobs of one queue run one after the other. Default: no queue. */
  queueName?: string
  /**
   * The user whose job it is, or a name of what else it belongs to, in a queue that users share, or among all jobs without a queue that wait for servers elsewhere: they take turns, so that a
   * hundred jobs of one hold up the first of another no longer than the one that runs. For `enqueue` alone.
   */
  turnOf?: number | string | null
  /** They take no turns: the jobs of its queue keep their order. */
  inOrder?: boolean
  /**
   * Attempts before the job is given up; the pause before the n-th retry is e^n seconds, with n at most 10. Default 25, about three days.
   */
  maxAttempts?: number
}

/** A job to be queued together with others. */
export type JobOf<P extends Payloads> = {
  readonly [K in keyof P & string]: {
    readonly task: K
    readonly payload: Static<P[K]>
    readonly options?: Omit<JobOptions, 'turnOf' | 'inOrder'>
  }
}[keyof P & string]

/**
 * The queue of what waits for servers elsewhere: imports, migrations, archives that are sent away. Few at a time, whatever their kind, so that slow
 * servers leave workers for all other tasks.
 */
export const remoteQueue = (id: number): string => `${REMOTE}${id % 2}`

/** The queue of archives that are written and read here. */
export const ARCHIVES_QUEUE = 'archives'

/** The queue of those that are so large that they would hold up the others. */
export const LARGE_ARCHIVES_QUEUE = 'large archives'

/** Thrown by a task that will fail each time: its job is given up, and waits for those who watch the queue (queue_state.ts). */
export class GivenUp extends Error {
  override name = 'GivenUp'
}

/** A task that the clock queues, with an empty payload. `at` in crontab form, UTC. A missed run is not made up for. */
export type Scheduled<P extends Payloads> = { readonly task: keyof P & string; readonly at: string }

export type WorkerOptions<P extends Payloads> = {
  database: Database
  tasks: Tasks<P>
  log: Log
  /** Number of concurrent jobs. */
  concurrency: number
  schedule?: readonly Scheduled<P>[]
  /** Milliseconds after which a stop leaves jobs that run on; 15 seconds unless given. */
  leavesAfter?: number
}

export type Worker = {
  /** Takes no more jobs and resolves when the running ones are done. One that does not end in time is left to the next worker. */
  stop(): Promise<void>
}

/** The queue of these tasks. Its tables are made by `migrate()`. */
export function queueOf<P extends Payloads>(payloads: P) {
  /** Queues a job in the caller's transaction. */
  async function enqueue<K extends keyof P & string>(db: Db, task: K, payload: Static<P[K]>, options: JobOptions = {}): Promise<void> {
    const { jobKey = null, keepsTime = false, runAt = null, queueName = null, maxAttempts = null, turnOf, inOrder = false } = options
    const owner = turnOf == null ? null : ownerName(turnOf)
    const flags = [...(owner === null ? [] : [owner]), ...waitFlags(task, queueName, owner)]
    await sql`select graphile_worker.add_job(
      identifier => ${task}::text, payload => ${JSON.stringify(payload)}::json, queue_name => ${queueName}::text,
      run_at => ${runAt?.toISOString() ?? null}::timestamptz, max_attempts => ${maxAttempts}::int, job_key => ${jobKey}::text,
      job_key_mode => ${keepsTime ? 'preserve_run_at' : 'replace'}::text,
      priority => ${owner === null || inOrder ? sql`null` : turn(queueName, owner, jobKey)}, flags => ${flags.length === 0 ? null : flags}::text[]
    )`.execute(db)
  }

  /** The same as an expression: a statement that selects it queues a job with this payload. */
  const enqueuing = (
    task: keyof P & string,
    payload: RawBuilder<unknown>,
    jobKey: RawBuilder<string | null> = sql`null`,
  ): RawBuilder<number> => sql`(graphile_worker.add_job(identifier => ${task}::text, payload => ${payload}, job_key => ${jobKey}::text)).id`

  /**
   * Queues jobs in order: one statement, none for none, and one more if some jobs with a key keep the time of the job they replace and
   * others do not. Each key occurs once.
   */
  async function enqueueJobs(db: Db, jobs: readonly JobOf<P>[]): Promise<void> {
    const [plain, replacing] = [jobs.filter(isPlain), jobs.filter(job => !isPlain(job))]
    if (plain.length > 0) await addJobs(db, specsOf(plain), true)
    if (replacing.length > 0) await addJobs(db, specsOf(replacing), false)
  }

  /** Processes the queue until `stop()`, and recovers from database failures. */
  async function startWorker(options: WorkerOptions<P>): Promise<Worker> {
    const { log } = options
    const stopping = new AbortController()
    const { signal } = stopping
    const stopRequested = new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
    const begin = () => beginRun(options, taskListOf(options.tasks))

    async function keepWorking(first: Run): Promise<void> {
      for (let current: Run | undefined = first; current; current = await beginAgain()) {
        await Promise.race([current.failed, stopRequested])
        await current.end(stopRequested)
      }
    }

    /** The next run; undefined when the worker stops. */
    async function beginAgain(): Promise<Run | undefined> {
      while (!signal.aborted) {
        log.warn('the worker got no jobs, starting it again')
        try {
          return await begin()
        } catch (error) {
          log.warn({ err: error }, 'the worker cannot start yet')
          await pause(1_000, signal)
        }
      }
      return undefined
    }

    const kept = keepWorking(await begin())
    kept.catch(error => log.error({ err: error }, 'the worker ended'))
    return {
      stop: () => {
        stopping.abort()
        return kept
      },
    }
  }

  /** The tasks in the form of the library. */
  const taskListOf = (tasks: Tasks<P>): TaskList =>
    Object.fromEntries(
      Object.entries(payloads).map(([name, schema]) => [
        name,
        async (payload, { abortSignal, job, withPgClient }) => {
          // An older Ingot may have queued the job.
          Value.Assert(schema, payload)
          try {
            await tasks[name]!(payload as Static<P[string]>, abortSignal)
          } catch (error) {
            // The library records the failure after this: with no attempt left.
            if (error instanceof GivenUp)
              await withPgClient(client =>
                client.query('update graphile_worker._private_jobs set max_attempts = attempts where id = $1', [job.id]),
              )
            throw error
          }
        },
      ]),
    )

  return { enqueue, enqueueJobs, enqueuing, startWorker }
}

/** What a job is marked with that belongs to a user, or to what has this name. */
export const ownerName = (owner: number | string): string => (typeof owner === 'number' ? `user ${owner}` : owner)

/** Rounds that a queue counts: the column has no more. */
const MOST_ROUNDS = 32_000

/**
 * The round of a queue in which the next job of a user has its turn: after their last one, and not before the round that the queue is in. The worker
 * takes jobs by it. Jobs that wait for servers elsewhere and have no queue count as one, without the attempts that are made again later.
 */
const turn = (queueName: string | null, owner: string, jobKey: string | null): RawBuilder<number> => {
  const line =
    queueName === null ? sql`waiting.job_queue_id is null and waiting.flags ? ${ANY} and waiting.run_at <= now()` : inQueue(queueName)
  return sql`(
    select least(${MOST_ROUNDS}, greatest(
             coalesce(min(waiting.priority) filter (where waiting.run_at <= now()), 0),
             coalesce(max(waiting.priority) filter (where waiting.flags ? ${owner}) + 1, 0)))::int
      from graphile_worker._private_jobs waiting
     where ${line} and waiting.locked_at is null and (waiting.key = ${jobKey}::text) is not true)`
}

const inQueue = (name: string): RawBuilder<boolean> =>
  sql`waiting.job_queue_id in (select id from graphile_worker._private_job_queues where queue_name = ${name})`

/** Does the job replace none, or keep the time of the job that it replaces? */
export const isPlain = ({ options }: { readonly options?: JobOptions }): boolean =>
  options?.jobKey === undefined || options.keepsTime === true

/** Jobs as one text, a list of lists: the driver spends time on each parameter. */
export const specsOf = (jobs: readonly { readonly task: string; readonly payload: unknown; readonly options?: JobOptions }[]): string =>
  JSON.stringify(
    jobs.map(({ task, payload, options: { queueName, runAt, maxAttempts, jobKey, unlessWaiting } = {} }) => {
      const flags = waitFlags(task, queueName, null)
      const spec = [task, payload, queueName ?? null, runAt ?? null, maxAttempts ?? null, jobKey ?? null, unlessWaiting ?? false]
      return flags.length === 0 ? spec : [...spec, flags]
    }),
  )

/** The jobs of such a text as rows: the spec of each, and its position. */
export const specsIn = (text: string): RawBuilder<object> => sql`json_array_elements(${text}::json) with ordinality`

/**
 * A query that queues jobs, none for none.
 * @param specs a table of specs and their positions
 */
export const addingJobs = (specs: RawBuilder<object>, keepsTime: boolean): RawBuilder<object> => sql`
  select from (
    select array(
      select (spec ->> 0, spec -> 1, spec ->> 2, (spec ->> 3)::timestamptz, (spec ->> 4)::int, spec ->> 5, null,
              case when spec -> 7 is not null then array(select json_array_elements_text(spec -> 7)) end)::graphile_worker.job_spec
        from ${specs} as specs(spec, n)
       where not (coalesce((spec ->> 6)::boolean, false)
                  and exists (select from graphile_worker.jobs where key = spec ->> 5 and locked_at is null and attempts = 0))
       order by n) as asked
    offset 0) as jobs, lateral graphile_worker.add_jobs(asked, ${keepsTime}::boolean)
   where cardinality(asked) > 0`

const addJobs = compiled((_db, specs: string, keepsTime: boolean) => addingJobs(specsIn(specs), keepsTime))
