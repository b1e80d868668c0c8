/** The work for requests that has begun. It goes on where its client has left, and a server waits for its clients alone: what the work needs must not end before. */
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Milliseconds for which an end waits for work without a client. */
const PATIENCE = 10_000

export class RunningWork {
  readonly #running = new Set<Promise<unknown>>()

  /** @param app its end waits for the work, too */
  constructor(app: FastifyInstance) {
    app.addHook('onClose', () => this.#ended())
  }

  /** Does the work, and knows of it until it has ended. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const running = work().finally(() => this.#running.delete(running))
    this.#running.add(running)
    return running
  }

  /** Resolves when none of the work is left, nor what it leads to (a request is checked, and then handled), or after ten seconds. */
  async #ended(): Promise<void> {
    const waiting = new AbortController()
    const patience = delay(PATIENCE, undefined, { signal: waiting.signal }).catch(() => {})
    await Promise.race([this.#untilNone(), patience])
    waiting.abort()
  }

  async #untilNone(): Promise<void> {
    while (this.#running.size > 0) {
      await Promise.allSettled(this.#running)
      // What follows begins within the turn.
      await setImmediate()
    }
  }
}
