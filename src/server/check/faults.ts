/** What one check has found: how much, and the first of it by name, so that a wholly broken instance does not fill the memory. */
import type { Finding } from '../doctor/finding.ts'

/** How many faults are named. */
const NAMED = 10

/** Collects what one check finds. */
export class Faults {
  /** How many things were looked at. */
  looked = 0
  #found = 0
  #mended = 0
  readonly #names: string[] = []

  /** @param isMended is it right again? */
  add(name: string, isMended = false): void {
    this.#found += 1
    if (isMended) this.#mended += 1
    if (this.#names.length < NAMED) this.#names.push(name)
  }

  /** As a line of the table. */
  toFinding(check: string, remedy: string): Finding {
    const [found, looked] = [this.#found, this.looked]
    if (found === 0) return { check, outcome: 'ok', says: `${looked} looked at` }
    const more = found > this.#names.length ? `; and ${found - this.#names.length} more` : ''
    const says = `${found} of ${looked}: ${this.#names.join('; ')}${more}`
    if (this.#mended === found) return { check, outcome: 'mended', says }
    return { check, outcome: 'wrong', says: this.#mended > 0 ? `${says} (${this.#mended} mended)` : says, remedy }
  }
}
