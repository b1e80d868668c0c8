/** Lifetime of a connection. A proved key permits commands for a limited time; then the client has to authenticate again. */

/** Milliseconds; the defaults are `standardBounds`, tests use shorter ones. */
export interface Bounds {
  /** Time that an authenticated connection may stay without a command. Clients that share a connection keep it for some minutes. */
  readonly idle: number
  /** Time after which no more commands are accepted. */
  readonly age: number
  /** Time after which the connection ends in any case: no command may run for longer than an hour (platform/git/process/subcommands.ts). */
  readonly end: number
}

const minute = 60_000

export const standardBounds: Bounds = { idle: 10 * minute, age: 60 * minute, end: 125 * minute }

/** Counts the commands of a connection and ends it in time. */
export class Lifetime {
  readonly #bounds: Bounds
  readonly #end: () => void
  readonly #timers: NodeJS.Timeout[] = []
  #idle: NodeJS.Timeout | undefined
  #running = 0
  #isOld = false

  /** Starts when the client has authenticated. `end` ends the connection. */
  constructor(bounds: Bounds, end: () => void) {
    this.#bounds = bounds
    this.#end = end
    const age = setTimeout(() => {
      this.#isOld = true
      if (this.#running === 0) end()
    }, bounds.age)
    this.#timers.push(age, setTimeout(end, bounds.end))
    this.#wait()
  }

  /** May another command start? */
  get takesCommands(): boolean {
    return !this.#isOld
  }

  /** Registers the start of a command; the returned function registers its end. */
  begin(): () => void {
    this.#running += 1
    clearTimeout(this.#idle)
    return () => {
      this.#running -= 1
      if (this.#running > 0) return
      if (this.#isOld) this.#end()
      else this.#wait()
    }
  }

  /** Stops the timers after the connection has ended. */
  stop(): void {
    for (const timer of [...this.#timers, this.#idle]) clearTimeout(timer)
    this.#isOld = true
  }

  #wait(): void {
    clearTimeout(this.#idle)
    if (!this.#isOld) this.#idle = setTimeout(this.#end, this.#bounds.idle)
  }
}
