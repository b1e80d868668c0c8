/** The table, and the targets that `--check` holds it against. */
import { type DurationCase, verdictOn } from './durations.ts'
import { type Growth, type GrowthCase, pages } from './growth.ts'
import { CONNECTIONS } from './load.ts'
import { median, type Pair, ratioOf } from './medians.ts'
import type { MixedResult } from './mixed.ts'
import type { Shares } from './processes.ts'
import type { Measured, Promised, RequestCase, RequestSample } from './requests.ts'
import { type RequestResult, type Results, resultOf, resultsOf } from './results.ts'

/** How many times git's own time a clone may take. */
const CLONE_RATIO = 1.1
/** How many times as long as on an instance with few projects a page may take. */
const GROWTH_RATIO = 3
/** Megabytes of Ingot and its database together when idle. */
const IDLE_MEMORY = 250

/** A target of the bench, and whether this run met it. */
export interface Target {
  readonly says: string
  readonly isMet: boolean
}

/** Lines of the report in the order of the measurements. */
export class Report {
  readonly targets: Target[] = []
  readonly #requests: string[][] = []
  readonly #ready: string[][] = []
  readonly #results: RequestResult[] = []
  readonly #mixed: MixedResult[] = []
  readonly #transfers: string[][] = []
  readonly #durations: string[][] = []
  readonly #growth: string[][] = []
  readonly #memory: string[][] = []
  readonly #failures: string[] = []
  readonly #say: (line: string) => void

  /** @param say receives each result as it comes: a run may end before its table is made */
  constructor(say: (line: string) => void) {
    this.#say = say
  }

  /** Measurements that could not be made. */
  get failures(): readonly string[] {
    return this.#failures
  }

  addFailure(name: string, error: unknown): void {
    this.#failures.push(name)
    this.#say(`  FAILED: ${error instanceof Error ? error.message : error}`)
  }

  #add(rows: string[][], row: string[]): void {
    rows.push(row)
    this.#say(`  ${row.slice(1).join(' | ')}`)
  }

  addRequest({ name, connections, promise }: RequestCase, measured: Measured): void {
    const { target, floor, ready, asked, allocated, profiles } = measured
    const titled = connections === CONNECTIONS ? name : `${name} (${connections})`
    const rates = (samples: readonly RequestSample[]) => valuesOf(samples, 'requestsPerSecond')
    const processors = (samples: readonly RequestSample[]) => valuesOf(samples, 'processor')
    const ratio = ratioOf(rates(target), rates(floor))
    this.#add(this.#requests, [
      titled,
      ...[target, floor].flatMap(samples => [
        middle(samples, 'requestsPerSecond', 0),
        middle(samples, 'p50', 0),
        middle(samples, 'p99', 0),
        middle(samples, 'processor', 2),
      ]),
      percent(ratio),
      // The other way round, since less is better.
      percent(ratioOf(processors(floor), processors(target))),
    ])
    const readyRatio = ready.length > 0 ? ratioOf(rates(target), rates(ready)) : Number.NaN
    if (ready.length > 0)
      this.#add(this.#ready, [
        titled,
        ...[target, ready].flatMap(samples => [
          middle(samples, 'requestsPerSecond', 0),
          middle(samples, 'program', 2),
          middle(samples, 'database', 2),
        ]),
        percent(readyRatio),
        percent(ratioOf(processors(ready), processors(target))),
        asked ? String(asked.statements) : UNKNOWN,
        asked ? String(asked.roundTrips) : UNKNOWN,
        (median(valuesOf(target, 'bytes')) / 1_000).toFixed(1),
        ...(allocated ? [allocated.target, allocated.ready].map(bytes => (bytes / 1_000).toFixed(0)) : [UNKNOWN, UNKNOWN]),
      ])
    this.#results.push(resultOf(name, connections, measured))
    for (const file of profiles) this.#say(`  wrote ${file}`)
    if (promise) this.targets.push(...targetsOf(name, promise, target, { ratio, readyRatio }))
  }

  addMixed(results: readonly MixedResult[]): void {
    this.#mixed.push(...results)
    for (const row of results.map(mixedRow)) this.#say(`  ${row.join(' | ')}`)
  }

  /** What `--json` writes. */
  get results(): Results {
    return resultsOf(this.#results, this.#mixed)
  }

  addTransfer(name: string, { target, floor }: Pair<number>): void {
    const ratio = ratioOf(target, floor)
    this.#add(this.#transfers, [name, median(target).toFixed(2), median(floor).toFixed(2), ratio.toFixed(2)])
    if (name === 'clone')
      this.targets.push({ says: `clone: ${ratio.toFixed(2)} times git's own time, at most ${CLONE_RATIO}`, isMet: ratio <= CLONE_RATIO })
  }

  addDuration(duration: DurationCase, samples: Pair<number>): void {
    const { target, floor } = samples
    const ratio = floor.length > 0 ? percent(ratioOf(target, floor)) : UNKNOWN
    this.#add(this.#durations, [
      duration.name,
      duration.unit,
      median(target).toFixed(1),
      floor.length > 0 ? median(floor).toFixed(1) : UNKNOWN,
      ratio,
    ])
    this.targets.push(verdictOn(duration, samples))
  }

  addGrowth({ name }: GrowthCase, { times, statements }: Growth): void {
    const p99 = (side: keyof typeof times) => times[side].map(sample => sample.p99)
    // A page is never counted as less than a millisecond: load.ts gives whole ones.
    const few = p99('floor').map(time => Math.max(time, 1))
    const ratio = ratioOf(p99('target'), few)
    const [, twenty, hundred] = statements
    this.#add(this.#growth, [
      name,
      String(median(p99('floor'))),
      String(median(p99('target'))),
      ratio.toFixed(1),
      ...statements.map(String),
    ])
    this.targets.push(
      { says: `${name}: ${ratio.toFixed(1)} times as long, at most ${GROWTH_RATIO}`, isMet: ratio <= GROWTH_RATIO },
      { says: `${name}: ${twenty} statements for twenty rows, ${hundred} for a hundred`, isMet: twenty === hundred },
    )
  }

  /** `isTarget`: this is the idle memory that the target is about. */
  addMemory(when: string, memory: Shares | undefined, isTarget: boolean): void {
    if (!memory) return
    const total = memory.program + memory.database
    this.#add(this.#memory, [when, ...[memory.program, memory.database, total].map(size => size.toFixed(0))])
    if (isTarget) this.targets.push({ says: `memory ${when}: ${total.toFixed(0)} MB, at most ${IDLE_MEMORY}`, isMet: total <= IDLE_MEMORY })
  }

  toString(): string {
    const side = ['req/s', 'p50 ms', 'p99 ms', 'CPU ms']
    const cost = ['req/s', 'Node ms', 'PostgreSQL ms']
    const parts = [
      table([`${CONNECTIONS} connections`, ...side, ...side.map(title => `floor ${title}`), 'ratio req/s', 'ratio CPU'], this.#requests),
      table(
        [
          'beside ready answers',
          ...cost,
          ...cost.map(title => `ready ${title}`),
          'share req/s',
          'share CPU',
          'statements',
          'round trips',
          'KB',
          'heap KB',
          'ready heap KB',
        ],
        this.#ready,
      ),
      table(['1 connection', 'few: p99 ms', 'many: p99 ms', 'ratio', ...pages.map(rows => `statements for ${rows}`)], this.#growth),
      table(['mixed load', 'operations', 'a second', 'p50 ms', 'p99 ms', 'Node ms', 'PostgreSQL ms'], this.#mixed.map(mixedRow)),
      table(['whole', 'unit', 'Ingot', 'floor', 'ratio'], this.#durations),
      table(['seconds', 'Ingot', 'git alone', 'ratio'], this.#transfers),
      table(['memory, MB (PSS)', 'Ingot', 'database', 'together'], this.#memory),
    ]
    return parts.filter(part => part !== '').join('\n')
  }
}

const mixedRow = ({ kind, operations, perSecond, p50, p99, program, database }: MixedResult): string[] => [
  kind,
  String(operations),
  perSecond.toFixed(1),
  p50.toFixed(0),
  p99.toFixed(0),
  program?.toFixed(2) ?? UNKNOWN,
  database?.toFixed(2) ?? UNKNOWN,
]

const valuesOf = (samples: readonly RequestSample[], key: keyof RequestSample) => samples.map(sample => sample[key] ?? Number.NaN)

function middle(samples: readonly RequestSample[], key: keyof RequestSample, digits: number): string {
  const value = median(valuesOf(samples, key))
  return Number.isNaN(value) ? UNKNOWN : value.toFixed(digits)
}

/** Shares of the requests a second of the floors. */
interface Ratios {
  readonly ratio: number
  readonly readyRatio: number
}

function targetsOf(name: string, promise: Promised, samples: readonly RequestSample[], { ratio, readyRatio }: Ratios): Target[] {
  const targets: Target[] = []
  const target = (says: string, isMet: boolean) => targets.push({ says: `${name}: ${says}`, isMet })
  if (promise.ratio !== undefined) target(`${percent(ratio)} of its floor, at least ${percent(promise.ratio)}`, ratio >= promise.ratio)
  if (promise.readyRatio !== undefined)
    target(`${percent(readyRatio)} of a ready answer, at least ${percent(promise.readyRatio)}`, readyRatio >= promise.readyRatio)
  if (promise.p99 !== undefined) {
    const p99 = median(samples.map(sample => sample.p99))
    target(`99 of 100 within ${p99} ms, at most ${promise.p99}`, p99 <= promise.p99)
  }
  if (promise.requestsPerSecond !== undefined) {
    const rate = median(samples.map(sample => sample.requestsPerSecond))
    target(`${rate.toFixed(0)} a second, at least ${promise.requestsPerSecond}`, rate >= promise.requestsPerSecond)
  }
  return targets
}

const percent = (ratio: number) => (Number.isNaN(ratio) ? UNKNOWN : `${(ratio * 100).toFixed(0)} %`)

/** For what the system does not tell. */
const UNKNOWN = '–'

/** A Markdown table whose source is aligned; empty without rows. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map(row => (row[column] as string).length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] as number) : cell.padStart(widths[column] as number))).join(' | ')} |\n`
  const rule = `|${widths.map((width, column) => `${'-'.repeat(width + 1)}${column === 0 ? '-' : ':'}`).join('|')}|\n`
  return line(head) + rule + rows.map(line).join('')
}
