/** One run of the queue library's worker, from its start until it ends or fails. */
import { EventEmitter } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Logger, parseCronItems, type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import type { Database } from '../../db/connection.ts'
import type { Log } from '../../db/log.ts'
import { holdLease, type Lease } from '../lease.ts'
import { WaitSlots } from './waits.ts'

/** How many attempts at jobs this process has ended since it began, and how many of them failed. */
export const performed = { processed: 0, failed: 0 }

/** One run of the library's worker. */
export type Run = {
  /** Resolves when the run has ended by itself, or cannot fetch jobs and should be ended. */
  failed: Promise<void>
  /** Takes no more jobs and resolves when the running ones are done, or some time after `stopRequested` resolves. */
  end(stopRequested: Promise<void>): Promise<void>
}

/** Consecutive failures to fetch a job after which a run is given up. The library repeats some early failures for ever. */
const patience = 5

/**
 * How long a run may take to end after it could not record what became of its jobs, and none of them runs any more, in milliseconds. The library counts
 * wrongly where several records fail in the same moment, as when the database dies, and then waits for ever for one that it does not have.
 */
const ENDING = 5_000

/**
 * How long jobs may run on after the run is to end, in milliseconds. Their signal is aborted after five seconds; one that does not listen is left, and
 * runs again as after a crash: a supervisor waits for the end of the program, and kills it in the end.
 */
const LEAVING = 15_000

export type RunOptions = {
  database: Database
  log: Log
  /** Number of concurrent jobs. */
  concurrency: number
  /** Tasks that the clock queues; `at` in crontab form. */
  schedule?: readonly { readonly task: string; readonly at: string }[]
  /** Milliseconds after which jobs that run on are left when the run is to end; 15 seconds unless given. */
  leavesAfter?: number
}

/** Starts to process the queue. @throws the database error when the database cannot be used */
export async function beginRun(
  { database, concurrency, schedule = [], log, leavesAfter = LEAVING }: RunOptions,
  taskList: TaskList,
): Promise<Run> {
  const events: WorkerEvents = new EventEmitter()
  const slots = new WaitSlots(concurrency, events)
  const failed = Promise.withResolvers<void>()
  let failures = 0
  const succeeded = () => {
    failures = 0
  }
  events.on('worker:getJob:empty', succeeded).on('job:start', succeeded)
  events.on('job:success', () => {
    performed.processed += 1
  })
  events.on('job:error', () => {
    performed.processed += 1
    performed.failed += 1
  })
  events.on('worker:getJob:error', () => {
    if (++failures >= patience) failed.resolve()
  })
  /** The workers of the library that have a job, with its task. */
  const running = new Map<string, string>()
  const idle = ({ worker }: { worker: { workerId: string } }) => void running.delete(worker.workerId)
  events.on('job:start', ({ worker, job }) => void running.set(worker.workerId, job.task_identifier))
  events.on('job:complete', idle).on('worker:fatalError', idle)
  // A run that cannot record what became of its jobs takes no more of them.
  const unrecorded = Promise.withResolvers<void>()
  events.on('pool:fatalError', () => {
    unrecorded.resolve()
    failed.resolve()
  })
  let lease: Lease | undefined
  // The worker's name is announced before it takes the first job.
  events.once('pool:create', ({ workerPool }) => {
    lease = holdLease(database, workerPool.id, log)
  })

  /** What jobs that were left say is of no interest: they have no database any more. */
  let isLeft = false
  let runner: Runner
  try {
    runner = await run({
      pgPool: database.pool,
      taskList,
      concurrency,
      events,
      forbiddenFlags: () => slots.forbidden(),
      noHandleSignals: true,
      // Without a delay the library stores the end of a job in a promise that is never awaited, whose rejection would end the process. With
      // a delay of zero the failure ends this run.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      // No `crontab` file in the working directory is read. The next minute tries again by itself.
      parsedCronItems: parseCronItems(schedule.map(({ task, at }) => ({ task, match: at, options: { maxAttempts: 1 } }))),
      logger: new Logger(
        () => (level, message, meta) =>
          log[isLeft ? 'debug' : level === 'error' ? 'error' : level === 'warning' ? 'warn' : 'debug'](
            { component: 'queue', ...meta },
            message,
          ),
      ),
    })
  } catch (error) {
    await lease?.release()
    throw error
  }
  let isOver = false
  const over = runner.promise
    .catch(error => log.warn({ err: error }, 'a run of the worker ended'))
    .finally(() => {
      isOver = true
      failed.resolve()
    })
  /** Resolves where a run that has failed does not end although its jobs have. */
  const abandoned = async () => {
    await unrecorded.promise
    while (running.size > 0 && !isOver) await delay(100)
    await delay(ENDING, undefined, { ref: false })
    if (!isOver) log.warn('a run of the worker did not end, and is left')
  }
  /** Resolves where jobs run on although the program is to end. Where only the run has failed they are waited for: another run would begin them again. */
  const left = async (stopRequested: Promise<void>) => {
    await stopRequested
    await delay(leavesAfter, undefined, { ref: false })
    if (isOver) return
    isLeft = true
    log.warn({ tasks: [...running.values()] }, 'tasks that still run are left, and run again')
  }
  return {
    failed: failed.promise,
    end: async stopRequested => {
      // It refuses where it is ending by itself; `over` says when it has ended.
      if (!isOver) runner.stop().catch(error => log.debug({ err: error }, 'a run of the worker ends by itself'))
      await Promise.race([over, abandoned(), left(stopRequested)])
      // Without the lease other runs take the jobs that this one could not record.
      await lease?.release()
    },
  }
}
