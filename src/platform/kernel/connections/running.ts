/** The work for requests that has begun. It goes on where its client has left, and a server waits for its clients alone: what the work needs must not end before. */
import { setTimeout as delay } from 'node:timers/promises'

/** Milliseconds for which an end waits for work without a client. */
const PATIENCE = 10_000

export class RunningWork {
  readonly #running = new Set<Promise<unknown>>()

  /** Does the work, and knows of it until it has ended. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const running = work().finally(() => this.#running.delete(running))
    this.#running.add(running)
    return running
  }

  /** Resolves when none of the work that has begun is left, or after ten seconds. */
  async ended(): Promise<void> {
    const waiting = new AbortController()
    const patience = delay(PATIENCE, undefined, { signal: waiting.signal }).catch(() => {})
    await Promise.race([Promise.allSettled(this.#running), patience])
    waiting.abort()
  }
}
