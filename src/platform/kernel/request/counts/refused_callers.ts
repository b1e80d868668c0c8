/** Callers whom the rate limits refuse at this moment. */
import type { RateLimits } from '../limits.ts'

/** A caller who was refused, until when, and by which limit. */
export interface RefusedCaller {
  readonly limit: keyof RateLimits
  /** `user:7`, `ip:192.0.2.1`. */
  readonly caller: string
  /** Milliseconds since 1970. */
  readonly until: number
}

/** Keeps refused callers. */
export interface RefusedCallers {
  keep(refused: RefusedCaller): void
  /** Those who are still refused, the latest first: so many of them as are kept. */
  list(now: number): readonly RefusedCaller[] | Promise<readonly RefusedCaller[]>
  clear(): void
}

/** Callers that are kept. */
const MOST = 200

/** Keeps them in this process. */
export class RefusedHere implements RefusedCallers {
  readonly #callers = new Map<string, RefusedCaller>()

  keep(refused: RefusedCaller): void {
    const key = `${refused.limit} ${refused.caller}`
    this.#callers.delete(key)
    this.#callers.set(key, refused)
    const [oldest] = this.#callers.keys()
    if (this.#callers.size > MOST && oldest !== undefined) this.#callers.delete(oldest)
  }

  list(now: number): readonly RefusedCaller[] {
    for (const [key, { until }] of this.#callers) if (until <= now) this.#callers.delete(key)
    return [...this.#callers.values()].reverse()
  }

  clear(): void {
    this.#callers.clear()
  }
}
