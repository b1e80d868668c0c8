/** What is timed as a whole, and not request by request. */
import type { Bench } from './bench.ts'
import type { Pair } from './medians.ts'

/** Something that is timed as a whole; samples are what `unit` says. */
export interface DurationCase {
  readonly name: string
  readonly unit: 'ms' | 'per second' | 'percent'
  /** The most milliseconds or percent, or the least a second, that the median may come to. */
  readonly promise: number
  /** Beside what git alone takes, where that says something. */
  measure(bench: Bench): Promise<Pair<number>>
}
