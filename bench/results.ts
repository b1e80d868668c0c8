/** What a run came to, as `--json` writes it: charts are drawn from it, and runs are compared by it. */
import { cpus } from 'node:os'
import { median } from './medians.ts'
import type { MixedResult } from './mixed.ts'
import type { Measured, RequestSample } from './requests.ts'

/** The middle of the samples of one side; times are milliseconds, of the processor where it is not said otherwise. */
export interface SideResult {
  readonly requestsPerSecond: number
  readonly p50: number
  readonly p99: number
  readonly program: number
  readonly database: number
  /** Of an answer, with its headers. */
  readonly bytes: number
  /** By JavaScript, where it was counted. */
  readonly allocatedBytes: number | null
}

export interface RequestResult {
  readonly name: string
  readonly connections: number
  readonly statements: number | null
  readonly roundTrips: number | null
  readonly target: SideResult
  /** A handler that runs the same statements. */
  readonly floor: SideResult
  /** A handler that has its answer ready. */
  readonly ready: SideResult | null
}

export interface Results {
  readonly machine: string
  readonly node: string
  readonly requests: readonly RequestResult[]
  readonly mixed: readonly MixedResult[]
}

export const resultsOf = (requests: readonly RequestResult[], mixed: readonly MixedResult[]): Results => ({
  machine: `${cpus().length} × ${cpus()[0]?.model.trim()}`,
  node: process.versions.node,
  requests,
  mixed,
})

export function resultOf(name: string, connections: number, { target, floor, ready, asked, allocated }: Measured): RequestResult {
  const of = (samples: readonly RequestSample[], allocatedBytes: number | undefined): SideResult => {
    const middle = (key: keyof RequestSample) => median(samples.map(sample => sample[key] ?? Number.NaN))
    return {
      requestsPerSecond: middle('requestsPerSecond'),
      p50: middle('p50'),
      p99: middle('p99'),
      program: middle('program'),
      database: middle('database'),
      bytes: middle('bytes'),
      allocatedBytes: allocatedBytes ?? null,
    }
  }
  return {
    name,
    connections,
    statements: asked?.statements ?? null,
    roundTrips: asked?.roundTrips ?? null,
    target: of(target, allocated?.target),
    floor: of(floor, undefined),
    ready: ready.length > 0 ? of(ready, allocated?.ready) : null,
  }
}
