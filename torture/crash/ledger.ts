/**
 * What a server has acknowledged. A thing has one state after an acknowledgement, and two while a request for a change has no answer: it is
 * either as before or as asked for. Anything else is a loss, or something half done.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Tally } from '../part.ts'

interface Entry {
  readonly kind: string
  readonly name: string
  /** What it is now, as one text. */
  readonly read: () => Promise<string>
  possible: string[]
  /** The round of its last change. */
  round: number
}

/** Moves of references that a killed process or a lost database left without a record are settled within 90 seconds. In milliseconds. */
const PATIENCE = 120_000

/** So many things are read at a time. */
const ABREAST = 8

export class Ledger {
  /** A balancer sends a request again where a server went away: what is refused then may have been done by the first one. */
  isSentTwice = false
  /** How long a thing may be in between, in milliseconds. */
  patience = PATIENCE
  round = 0
  /** Acknowledgements so far. */
  total = 0
  readonly #entries = new Map<string, Entry>()

  get size(): number {
    return this.#entries.size
  }

  /** So many acknowledgements of each kind. */
  readonly acknowledged = new Map<string, number>()

  /** Notes what exists since an acknowledgement. */
  add(kind: string, name: string, state: string, read: () => Promise<string>): void {
    this.#entries.set(name, { kind, name, read, possible: [state], round: this.round })
    this.#acknowledge(kind)
  }

  /**
   * Changes a thing: from now on it may be as before or as asked for, until the server says which.
   * @param request resolves with the status; rejects where the server ended before it had answered
   */
  async change(name: string, state: string, request: () => Promise<Response>): Promise<Response> {
    const entry = this.#entries.get(name)!
    const before = entry.possible
    entry.possible = [...before, state]
    entry.round = this.round
    const answer = await request()
    if (answer.ok) {
      entry.possible = [state]
      this.#acknowledge(entry.kind)
    } else if (answer.status < 500 && !this.isSentTwice) entry.possible = before
    return answer
  }

  #acknowledge(kind: string): void {
    this.total += 1
    this.acknowledged.set(kind, (this.acknowledged.get(kind) ?? 0) + 1)
  }

  /** Looks at what changed since a round, and at some of the older things. What was found is what must be found from now on. */
  async verify(tally: Tally, since: number, share: number, again: string): Promise<void> {
    const entries = [...this.#entries.values()].filter((entry, index) => entry.round >= since || index % share === this.round % share)
    const queue = entries.values()
    const look = async () => {
      for (const entry of queue) tally.count(await this.#problemOf(entry), again)
    }
    await Promise.all(Array.from({ length: ABREAST }, look))
  }

  async #problemOf(entry: Entry): Promise<string | undefined> {
    for (const end = performance.now() + this.patience; ; await delay(200)) {
      const found = await entry.read().catch(error => `unreadable: ${error}`)
      if (entry.possible.includes(found)) {
        entry.possible = [found]
        return undefined
      }
      if (performance.now() > end) {
        const problem = `${entry.kind} ${entry.name} (of round ${entry.round}) is ${found}, not ${entry.possible.join(' or ')}`
        // Said once.
        this.#entries.delete(entry.name)
        return problem
      }
    }
  }
}
