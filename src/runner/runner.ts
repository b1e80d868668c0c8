/** The built-in runner: requests jobs and runs several concurrently, until it is stopped. */
import { type Coordinator, ProtocolError } from './coordinator.ts'
import type { Job } from './payload.ts'
import type { RunnerToken } from './registration/own_token.ts'

export interface RunnerOptions {
  readonly coordinator: Coordinator
  /** The runner's token. */
  readonly token: RunnerToken
  /** Maximum concurrent jobs. */
  readonly concurrency: number
  /** Runs a job to its end. @throws Error it ended unexpectedly */
  readonly run: (job: Job, slot: number) => Promise<void>
  /** Ends the runner and its jobs. */
  readonly signal: AbortSignal
  readonly say: (line: string) => void
}

/** Milliseconds between requests to a server that answers immediately when there is no job. */
const IDLE = 1000

/** Milliseconds after a failure, doubled with each further one. */
const BACKOFF = 500
const LONGEST_BACKOFF = 60_000

/** How often the server may refuse the token before the runner gives up. */
const REFUSALS = 3

/** The server does not know the runner any more. */
export class RunnerRefused extends Error {}

/** Runs until the signal. @throws RunnerRefused if the server has removed the runner */
export async function runJobs(options: RunnerOptions): Promise<void> {
  const slots = new Slots(options.concurrency)
  const { signal } = options
  let failures = 0
  let refusals = 0
  while (!signal.aborted) {
    await Promise.race([slots.free(), aborted(signal)])
    if (signal.aborted) break
    const asked = performance.now()
    try {
      const job = await options.coordinator.request(await options.token.use(), signal)
      if (failures > 0) options.say('The server answers again')
      failures = 0
      refusals = 0
      if (job) {
        const slot = slots.take()
        options.say(`Job ${job.id} begins`)
        void options
          .run(job, slot)
          .catch(error => options.say(`Job ${job.id} failed unforeseen: ${(error as Error).message}`))
          .finally(() => {
            options.say(`Job ${job.id} is over`)
            slots.release(slot)
          })
      } else await pause(IDLE - (performance.now() - asked), signal)
    } catch (error) {
      if (signal.aborted) break
      if (error instanceof ProtocolError && error.status === 403 && ++refusals >= REFUSALS)
        throw new RunnerRefused('the server refuses this runner: register it again')
      options.say(`No job: ${(error as Error).message}`)
      await pause(Math.min(BACKOFF * 2 ** failures++, LONGEST_BACKOFF), signal)
    }
  }
  await slots.empty()
}

/** The slots of concurrent jobs that are taken. */
class Slots {
  readonly #taken = new Set<number>()
  readonly #limit: number
  #changed = Promise.withResolvers<void>()

  constructor(limit: number) {
    this.#limit = limit
  }

  take(): number {
    let slot = 0
    while (this.#taken.has(slot)) slot++
    this.#taken.add(slot)
    return slot
  }

  release(slot: number): void {
    this.#taken.delete(slot)
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }

  /** Resolves when a slot is free. */
  async free(): Promise<void> {
    while (this.#taken.size >= this.#limit) await this.#changed.promise
  }

  /** Resolves when no job runs. */
  async empty(): Promise<void> {
    while (this.#taken.size > 0) await this.#changed.promise
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds <= 0 || signal.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  signal.addEventListener('abort', () => resolve(), { once: true })
  await promise
  clearTimeout(timer)
}
