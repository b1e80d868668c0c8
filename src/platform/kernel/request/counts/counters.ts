/**
 * Counts of what callers do, by name and caller. Processes that serve one port together count in one of them (server/processes); any other process counts
 * for itself.
 */
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'

/** Where a caller stands. */
export type Count = Pick<RateLimiterRes, 'consumedPoints' | 'remainingPoints' | 'msBeforeNext'>

/** Points of callers in a window of time. */
export interface Counter {
  /** Takes points. @throws Count where the caller has too few left */
  consume(caller: string, points?: number): Promise<Count>
  /** Gives a point back. */
  reward(caller: string): Promise<Count>
  /** Takes a point, also where there is none left. */
  penalty(caller: string): Promise<Count>
  get(caller: string): Promise<Count | null>
  /** Sets the points that are taken, for so many seconds. */
  set(caller: string, points: number, seconds: number): Promise<Count>
  /** Takes all points for so many seconds. */
  block(caller: string, seconds: number): Promise<Count>
  delete(caller: string): Promise<boolean>
}

/** Points that a caller has in a window of so many seconds. */
export interface CounterOptions {
  readonly points: number
  readonly duration: number
}

/** Makes the counter of a name, or finds it. */
export type NewCounter = (name: string, options: CounterOptions) => Counter

/** Counts in this process. */
export const countHere: NewCounter = (_name, options) => new RateLimiterMemory(options)
