/** How long a connection lasts. A key that was proved once opens commands for a while only; then the client has to prove it again. */

/** Milliseconds; each is one of `standardBounds` unless a test wants it shorter. */
export interface Bounds {
  /** For which an authenticated connection may stay without a command. Clients that share a connection keep it for some minutes. */
  readonly idle: number
  /** After which no more commands are taken. */
  readonly age: number
  /** After which the connection ends, whatever runs: no command may run for longer than an hour (platform/git/subcommands.ts). */
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

  /** Begins with the proof of the key. `end` ends the connection. */
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

  /** May another command begin? */
  get takesCommands(): boolean {
    return !this.#isOld
  }

  /** A command begins; the returned function is called when it has ended. */
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

  /** The connection has ended. */
  stop(): void {
    for (const timer of [...this.#timers, this.#idle]) clearTimeout(timer)
    this.#isOld = true
  }

  #wait(): void {
    clearTimeout(this.#idle)
    if (!this.#isOld) this.#idle = setTimeout(this.#end, this.#bounds.idle)
  }
}
