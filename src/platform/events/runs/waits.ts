/**
 * Jobs that wait for servers elsewhere. They hold a worker and do nothing, for as long as a stranger likes: so they may have some of the workers of a
 * process, a user some of those, and the rest is for work that is done here. Jobs carry flags that say what they are, and a worker that asks for a job
 * names those that it may not have.
 */
import type { Job, Worker as LibraryWorker, WorkerEvents } from 'graphile-worker'

/** How long a job may wait for other servers: seconds, or minutes and hours. */
type Wait = 'short' | 'long'

/** The tasks that wait for servers that users name. Servers that administrators name (mail, directories) are trusted to answer. */
const waits: Readonly<Record<string, Wait>> = {
  send_to_hook: 'short',
  send_to_integration: 'short',
  verify_site_domain: 'short',
  // They read remote files that a CI file includes.
  start_pipeline: 'short',
  start_merge_request_pipeline: 'short',
  start_downstream: 'short',
  run_schedule: 'short',
  import_project: 'long',
  import_github: 'long',
  migrate_entity: 'long',
  push_mirror: 'long',
  pull_mirror: 'long',
}

/** Start of the names of queues whose jobs wait long, whatever their task: archives are also written and read here. */
export const REMOTE = 'remote '

/** All that wait. */
export const ANY = 'waits'

/** Those that wait long. */
const LONG = 'waits long'

/** Those of one user, all and long. */
const ofOwner = (flag: string, owner: string): string => `${flag} ${owner}`

/** The flags of a job: none unless it waits for servers elsewhere. `owner` is who takes turns with others. */
export function waitFlags(task: string, queueName: string | null | undefined, owner: string | null): string[] {
  const wait = queueName?.startsWith(REMOTE) ? 'long' : waits[task]
  if (wait === undefined) return []
  const kinds = wait === 'long' ? [ANY, LONG] : [ANY]
  return owner === null ? kinds : [...kinds, ...kinds.map(kind => ofOwner(kind, owner))]
}

/**
 * How many workers the jobs that wait may hold. At four workers: three at most, of which two may wait long, so that a webhook does not wait for an
 * import; one user may hold two, and one that waits long. Below three they wait for each other.
 */
export const waitLimits = (workers: number) => {
  const all = Math.max(1, Math.floor((workers * 3) / 4))
  const long = Math.max(1, Math.min(all - 1, Math.floor(workers / 2)))
  return { all, long, ofOwner: Math.max(1, Math.floor(workers / 2)), longOfOwner: Math.max(1, Math.floor(long / 2)) }
}

/** A process that has one worker gets a second one, else work that is done here would wait for servers elsewhere. */
export const leastWorkers = (workers: number): number => Math.max(2, workers)

/** Counts the waiting jobs of one run, and says which ones a worker may not take now. */
export class WaitSlots {
  readonly #workers: number
  readonly #running = new Map<string, number>()
  readonly #known = new Set<LibraryWorker>()
  readonly #started = new Set<LibraryWorker>()
  /** A worker asks that may take a job that waits. One at a time, so that what it takes is counted before the next one asks. */
  #isOpen = false
  #opener: LibraryWorker | undefined
  /** Another asked meanwhile, and was not offered them. */
  #isOwed = false

  constructor(workers: number, events: WorkerEvents) {
    this.#workers = workers
    events.on('worker:create', ({ worker }) => void this.#known.add(worker))
    events.on('worker:release', ({ worker }) => void this.#known.delete(worker))
    events.on('worker:getJob:start', ({ worker }) => this.#asks(worker))
    events.on('worker:getJob:error', ({ worker }) => void this.#isAnswered(worker))
    events.on('worker:getJob:empty', ({ worker }) => {
      // It asks again by itself: a job may have come since it asked.
      if (!this.#isAnswered(worker) || !this.#isOwed) return
      // One that is ending does not ask again, and must not be nudged.
      if (!this.#known.has(worker)) return this.#repay()
      this.#isOwed = false
      worker.nudge()
    })
    events.on('job:start', ({ worker, job }) => {
      this.#count(job.flags, 1)
      if (this.#isAnswered(worker)) this.#repay()
    })
    events.on('job:complete', ({ job }) => this.#count(job.flags, -1))
  }

  /** The flags of jobs that a worker may not take. The library asks for them just before the worker asks for a job. */
  forbidden(): string[] {
    const { all, long, ofOwner: most, longOfOwner } = waitLimits(this.#workers)
    const running = (flag: string) => this.#running.get(flag) ?? 0
    if (running(ANY) >= all) return [ANY]
    // At its start the library does something else between this and the question.
    if (this.#isOpen || this.#started.size < this.#workers) {
      this.#isOwed = true
      return [ANY]
    }
    this.#isOpen = true
    const owners = [...this.#running].flatMap(([flag, count]) => {
      if (flag === LONG || !flag.startsWith(ofOwner(ANY, ''))) return []
      return count >= (flag.startsWith(ofOwner(LONG, '')) ? longOfOwner : most) ? [flag] : []
    })
    return running(LONG) >= long ? [LONG, ...owners] : owners
  }

  #asks(worker: LibraryWorker): void {
    const isLast = !this.#started.has(worker) && this.#started.add(worker).size === this.#workers
    if (this.#isOpen && this.#opener === undefined) this.#opener = worker
    if (isLast) this.#repay()
  }

  /** Was it the one that may take a job that waits? */
  #isAnswered(worker: LibraryWorker): boolean {
    if (this.#opener !== worker) return false
    this.#opener = undefined
    this.#isOpen = false
    return true
  }

  /** Has a worker ask again where one was not offered what waits; it would look only after seconds. */
  #repay(): void {
    if (!this.#isOwed) return
    this.#isOwed = false
    for (const worker of this.#known) if (worker.nudge()) return
  }

  #count(flags: Job['flags'], by: number): void {
    for (const flag of Object.keys(flags ?? {})) {
      const count = (this.#running.get(flag) ?? 0) + by
      if (count > 0) this.#running.set(flag, count)
      else this.#running.delete(flag)
    }
  }
}
