/** What a part of the torture is: something that is tried so and so often, and what failed. */

/** Something that is not as was promised. */
export interface Failure {
  readonly what: string
  /** How it is seen again: a command, a request, or the moment of a seeded run. */
  readonly again: string
}

/** A line of the table. */
export interface Row {
  readonly part: string
  readonly tried: string
  readonly times: number
  readonly failures: readonly Failure[]
  /** A figure worth knowing, such as the longest answer. */
  readonly note?: string
}

/** One of `of` shares, from 0. */
export interface Share {
  readonly at: number
  readonly of: number
}

/** How a part is run. */
export interface Options {
  /** The form for a machine of its own, in place of the one that is run with the tests. */
  readonly long: boolean
  /** Instead of the usual number of times. */
  readonly times?: number | undefined
  /** Of what is listed beforehand each `of`-th, from this one on, counted from 0: the others are tried by other processes. Default: all. */
  readonly share?: Share | undefined
  /** What chance follows from. */
  readonly seed: number
  /** Tells how far it is. */
  say(line: string): void
}

/** A part: a name on the command line, and what it does. */
export interface Part {
  readonly name: string
  run(options: Options): Promise<readonly Row[]>
}

/** Of many failures of one kind the first are kept; all are counted. */
const KEPT = 20

/** All that were begun in this process: what is known where a run is ended early. */
export const begun: Tally[] = []

/** Collects what one line of the table says. */
export class Tally {
  times = 0
  note: string | undefined
  #failed = 0
  readonly #failures: Failure[] = []
  readonly part: string
  readonly tried: string

  constructor(part: string, tried: string) {
    this.part = part
    this.tried = tried
    begun.push(this)
  }

  fail(what: string, again: string): void {
    this.#failed += 1
    // Printed when it is seen: a long run may be ended before its table.
    if (this.#failed <= KEPT) process.stdout.write(`${this.part}: ${what}\n    ${again}\n`)
    if (this.#failures.length < KEPT) this.#failures.push({ what, again })
  }

  /** Counts an attempt, and a failure unless all is well. @param problem undefined: all is well */
  count(problem: string | undefined, again: string): void {
    this.times += 1
    if (problem !== undefined) this.fail(problem, again)
  }

  toRow(): Row {
    const { part, tried, times, note } = this
    const more = this.#failed - this.#failures.length
    const failures = more > 0 ? [...this.#failures, { what: `and ${more} more`, again: 'as above' }] : this.#failures
    return { part, tried, times, failures, ...(note !== undefined && { note }) }
  }
}
