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
  #kept: { readonly because: string; readonly remedy: string } | undefined

  /** How much was found. */
  get found(): number {
    return this.#found
  }

  /** @param isMended is it right again? */
  add(name: string, isMended = false): void {
    this.#found += 1
    if (isMended) this.#mended += 1
    if (this.#names.length < NAMED) this.#names.push(name)
  }

  /** Notes that so many of what was found are gone. */
  addMended(count: number): void {
    this.#mended += count
  }

  /** Notes why nothing of what was found is deleted, and what to do in place of that. */
  keep(because: string, remedy: string): void {
    this.#kept = { because, remedy }
  }

  /** As a line of the table. */
  toFinding(check: string, remedy: string): Finding {
    const [found, looked] = [this.#found, this.looked]
    if (found === 0) return { check, outcome: 'ok', says: `${looked} looked at` }
    const more = found > this.#names.length ? `; and ${found - this.#names.length} more` : ''
    const kept = this.#kept ? `; nothing is deleted: ${this.#kept.because}` : ''
    const says = `${found} of ${looked}: ${this.#names.join('; ')}${more}${kept}`
    if (this.#mended === found) return { check, outcome: 'mended', says }
    return {
      check,
      outcome: 'wrong',
      says: this.#mended > 0 ? `${says} (${this.#mended} mended)` : says,
      remedy: this.#kept?.remedy ?? remedy,
    }
  }
}
