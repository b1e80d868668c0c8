/** What is timed as a whole, and not request by request. */
import type { Bench } from './bench.ts'
import { median, type Pair, ratioOf } from './medians.ts'

/** What the middle of the samples must come to. */
export type DurationPromise = { readonly most: number } | { readonly least: number } | { readonly shareOfFloor: number }

/** Something that is timed as a whole; samples are what `unit` says. */
export interface DurationCase {
  readonly name: string
  readonly unit: 'ms' | 'percent' | 'MB' | 'KB' | 'score' | 'per second' | 'per minute' | 'MB per second'
  readonly promise: DurationPromise
  /** Beside the same work without Ingot, where that says something. */
  measure(bench: Bench): Promise<Pair<number>>
}

/** Is a promise kept, in words and in truth? */
export function verdictOn({ name, unit, promise }: Omit<DurationCase, 'measure'>, { target, floor }: Pair<number>) {
  const value = median(target)
  if ('shareOfFloor' in promise) {
    const share = ratioOf(target, floor)
    const percent = (ratio: number) => `${(ratio * 100).toFixed(0)} %`
    return {
      says: `${name}: ${percent(share)} of its floor, at least ${percent(promise.shareOfFloor)}`,
      isMet: share >= promise.shareOfFloor,
    }
  }
  const isLeast = 'least' in promise
  const bound = isLeast ? promise.least : promise.most
  return {
    says: `${name}: ${value.toFixed(1)} ${unit}, at ${isLeast ? 'least' : 'most'} ${bound}`,
    isMet: isLeast ? value >= bound : value <= bound,
  }
}
