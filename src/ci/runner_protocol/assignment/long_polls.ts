/**
 * Runners that wait for a job. The database announces every job that is pending (migration `runner_protocol`) and whatever else changes
 * which jobs a runner may have (`queue_announcements`); a runner that may run it is woken, and asks the queue. Waiting costs a timer and
 * nothing else. What is announced is a hint: who is woken looks into the queue itself, and after an interruption everybody does.
 */
import { randomBytes } from 'node:crypto'
import type { Database } from '../../../platform/db/connection.ts'
import type { Log } from '../../../platform/db/log.ts'
import { subscribeToChannel, unsubscribeFromChannel } from '../../../platform/events/announcements.ts'
import type { RunnerRow } from '../../runners/queries.ts'
import { KnownRunners } from './known_runners.ts'
import { matches } from './queue.ts'

const CHANNEL = 'ingot_runner_queue'

/** Jobs that are matched with runners at once. */
const BATCH = 100

/** Why somebody who waits is woken. */
export type Wake =
  /** This job may be theirs. */
  | { readonly jobId: number }
  | 'look'
  /** There is nothing; the time is up. */
  | 'late'
  /** The client has gone, or the server stops. */
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
  /** In the order in which they came. */
  readonly #waiters = new Set<Waiter>()
  /** Changes with every process, so that what another one has said is not taken for its own. */
  readonly #name = randomBytes(6).toString('hex')
  /** Announcements of jobs, and of runners. */
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
   * Names the state of the queue: while it stays the same, whoever found nothing need not look again (`X-GitLab-Last-Update`) unless the
   * runner itself has changed. Undefined as long as nobody listens.
   */
  get version(): string | undefined {
    this.#listen()
    return this.#isHeard ? `${this.#name}.${this.#jobs}` : undefined
  }

  /** Are changes heard, so that none has been missed since `changes` was read? */
  get isHeard(): boolean {
    return this.#isHeard
  }

  /** How often the queue, or a runner, has changed so far, as far as this process knows: to be read before looking. */
  get changes(): number {
    return this.#jobs + this.#runners
  }

  /** How often a runner has changed so far, as far as this process knows: to be read before runners are. */
  get runnerChanges(): number {
    return this.#runners
  }

  /** How many wait. */
  get size(): number {
    return this.#waiters.size
  }

  /** Remembers a runner that was read since `runnerChanges` were `seen`, unless it may have changed meanwhile. */
  remember(token: string, runner: RunnerRow, seen: number): void {
    if (this.#isHeard && this.#runners === seen) this.known.remember(token, runner)
  }

  /**
   * Waits until there may be a job for this runner; at most so many milliseconds.
   * @param seen `changes` before the queue was looked at: what has come since is not slept through
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

  /** Says that a job is pending, to those of this process: also of one that somebody was woken for and did not take. */
  announce(jobId: number): void {
    this.#jobs++
    if (this.#waiters.size === 0) return
    this.#announced.add(jobId)
    this.#matching ??= this.#match().finally(() => {
      this.#matching = undefined
    })
  }

  /** Sends everybody away and stops listening. */
  async close(): Promise<void> {
    this.#closing.abort()
    for (const waiter of [...this.#waiters]) waiter.wake('gone')
    await unsubscribeFromChannel(this.#database, CHANNEL)
    await this.#matching
    await this.known.write()
  }

  /** Wakes one runner for each job that was announced: of those that may run it the one that has waited longest. */
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
      heard: message => this.#hear(message),
      begun: () => {
        this.#isHeard = true
        // Whatever was said before is not known.
        this.#runners++
        this.#wakeAll()
      },
      interrupted: () => {
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

/** The room of the process for this database. */
export function waitingRoom({ database, log }: { readonly database: Database; readonly log: Log }): LongPolls {
  const room = rooms.get(database) ?? new LongPolls(database, log)
  rooms.set(database, room)
  return room
}

/** Sends everybody away who waits with this database, because the application closes. */
export async function closeWaitingRoom(database: Database): Promise<void> {
  const room = rooms.get(database)
  rooms.delete(database)
  await room?.close()
}
