/**
 * Runners that wait for a job (long polling). The database announces every pending job (migration `runner_protocol`) and all other changes
 * that affect which jobs a runner may have (`queue_announcements`); a suitable runner is woken and queries the queue. Waiting costs only a
 * timer. Announcements are hints: a woken runner queries the queue itself, and after an interruption all runners do.
 */
import { randomBytes } from 'node:crypto'
import type { Database } from '../../../platform/db/connection.ts'
import type { Log } from '../../../platform/db/log.ts'
import { subscribeToChannel, unsubscribeFromChannel } from '../../../platform/events/announcements.ts'
import type { RunnerRow } from '../../runners/queries.ts'
import { KnownRunners } from './known_runners.ts'
import { matches } from './queue.ts'

const CHANNEL = 'ingot_runner_queue'

/** Jobs that are matched with runners by one query. */
const BATCH = 100

/** Why a waiting runner is woken. */
export type Wake =
  /** It may get this job. */
  | { readonly jobId: number }
  | 'look'
  /** The time is up without a job. */
  | 'late'
  /** The client has disconnected, or the server stops. */
  | 'gone'

interface Waiter {
  readonly runnerId: number
  wake(why: Wake): void
}

/** The waiting runners of one process. */
export class LongPolls {
  readonly #database: Database
  readonly #log: Log
  readonly #closing = new AbortController()
  /** In the order of arrival. */
  readonly #waiters = new Set<Waiter>()
  /** Random per process, so that no process takes another one's version for its own. */
  readonly #name = randomBytes(6).toString('hex')
  /** Numbers of announcements of jobs, and of runners. */
  #jobs = 0
  #runners = 0
  #isHeard = false
  #hasBegun = false
  #announced = new Set<number>()
  #matching: Promise<void> | undefined

  readonly known: KnownRunners

  constructor(database: Database, log: Log) {
    this.#database = database
    this.#log = log
    this.known = new KnownRunners(database, log)
  }

  /**
   * Names the state of the queue: while it is unchanged, a runner that got no job needs no query (`X-GitLab-Last-Update`) unless the
   * runner itself has changed. Undefined while the process is not subscribed.
   */
  get version(): string | undefined {
    this.#listen()
    return this.#isHeard ? `${this.#name}.${this.#jobs}` : undefined
  }

  /** Is the process subscribed, so that none was missed since `changes` was read? */
  get isHeard(): boolean {
    return this.#isHeard
  }

  /** The number of changes of the queue and of runners that this process knows of: to be read before a query. */
  get changes(): number {
    return this.#jobs + this.#runners
  }

  /** The number of changes of runners that this process knows of: to be read before runners are. */
  get runnerChanges(): number {
    return this.#runners
  }

  /** The number of waiting runners. */
  get size(): number {
    return this.#waiters.size
  }

  /** Caches a runner that was read after `runnerChanges` was `seen`, unless it may have changed meanwhile. */
  remember(token: string, runner: RunnerRow, seen: number): void {
    if (this.#isHeard && this.#runners === seen) this.known.remember(token, runner)
  }

  /**
   * Waits until there may be a job for this runner, for at most this time.
   * @param seen `changes` before the last query of the queue: a later change ends the wait immediately
   */
  wait(runnerId: number, { milliseconds, seen, signal }: { milliseconds: number; seen: number; signal: AbortSignal }): Promise<Wake> {
    if (signal.aborted || this.#closing.signal.aborted) return Promise.resolve('gone')
    this.#listen()
    if (seen !== this.changes) return Promise.resolve('look')
    return new Promise<Wake>(resolve => {
      const wake = (why: Wake) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', leave)
        this.#waiters.delete(waiter)
        resolve(why)
      }
      const leave = () => wake('gone')
      const timer = setTimeout(() => wake('late'), milliseconds)
      const waiter = { runnerId, wake }
      signal.addEventListener('abort', leave, { once: true })
      this.#waiters.add(waiter)
    })
  }

  /** Announces a pending job to the runners of this process: also one that the woken runner did not take. */
  announce(jobId: number): void {
    this.#jobs++
    if (this.#waiters.size === 0) return
    this.#announced.add(jobId)
    this.#matching ??= this.#match().finally(() => {
      this.#matching = undefined
    })
  }

  /** Ends all waits and the subscription. */
  async close(): Promise<void> {
    this.#closing.abort()
    for (const waiter of [...this.#waiters]) waiter.wake('gone')
    await unsubscribeFromChannel(this.#database, CHANNEL)
    await this.#matching
    await this.known.write()
  }

  /** Wakes one runner for each announced job: the suitable one that has waited longest. */
  async #match(): Promise<void> {
    while (this.#announced.size > 0 && this.#waiters.size > 0) {
      const jobIds = [...this.#announced].slice(0, BATCH)
      for (const id of jobIds) this.#announced.delete(id)
      const runnerIds = [...new Set([...this.#waiters].map(({ runnerId }) => runnerId))]
      try {
        for (const { job_ids, runner_ids } of await matches(this.#database.db, jobIds, runnerIds)) {
          const suitable = new Set(runner_ids)
          for (const jobId of job_ids) this.#wakeOne(jobId, suitable)
        }
      } catch (error) {
        this.#log.warn({ err: error }, 'jobs could not be matched with the runners that wait')
        this.#wakeAll()
        return
      }
    }
    this.#announced.clear()
  }

  #wakeOne(jobId: number, runnerIds: ReadonlySet<number>): void {
    for (const waiter of this.#waiters) {
      if (!runnerIds.has(waiter.runnerId)) continue
      waiter.wake({ jobId })
      return
    }
  }

  #wakeAll(): void {
    this.#jobs++
    for (const waiter of [...this.#waiters]) waiter.wake('look')
  }

  #listen(): void {
    if (this.#hasBegun || this.#closing.signal.aborted) return
    this.#hasBegun = true
    subscribeToChannel({ database: this.#database, log: this.#log }, CHANNEL, {
      onNotification: message => this.#hear(message),
      onSubscribed: () => {
        this.#isHeard = true
        // Changes before the subscription are unknown.
        this.#runners++
        this.#wakeAll()
      },
      onInterrupted: () => {
        this.#isHeard = false
        this.known.forgetAll()
      },
    })
  }

  #hear(message: string): void {
    if (message === 'runners') {
      this.#runners++
      this.known.forgetAll()
      this.#wakeAll()
      return
    }
    const [, runnerId] = /^runner (\d+)$/.exec(message) ?? []
    if (runnerId === undefined) {
      this.announce(Number(message))
      return
    }
    this.#runners++
    this.known.forget(Number(runnerId))
    for (const waiter of [...this.#waiters]) if (waiter.runnerId === Number(runnerId)) waiter.wake('look')
  }
}

const rooms = new WeakMap<Database, LongPolls>()

/** The long polls of the process for this database. */
export function longPollsOf({ database, log }: { readonly database: Database; readonly log: Log }): LongPolls {
  const room = rooms.get(database) ?? new LongPolls(database, log)
  rooms.set(database, room)
  return room
}

/**
 * Ends all long polls of this database because its application closes, and those that come on connections that are still open: a runner asks again
 * as soon as it is answered. Until `closeLongPolls` none waits.
 */
export async function endLongPolls(deps: { readonly database: Database; readonly log: Log }): Promise<void> {
  await longPollsOf(deps).close()
}

/** Ends all long polls of this database. Later ones wait again. */
export async function closeLongPolls(database: Database): Promise<void> {
  const room = rooms.get(database)
  rooms.delete(database)
  await room?.close()
}
