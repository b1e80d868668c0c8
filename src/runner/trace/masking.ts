/** Hides secret values in a stream of text, wherever its pieces begin and end. */

const MASK = Buffer.from('[MASKED]')

/** Replaces values in bytes as they pass; what may be the beginning of one is held back until it is known. */
export class Masking {
  readonly #secrets: readonly Buffer[]
  #held: Buffer = Buffer.alloc(0)

  /** @param values empty ones are left out */
  constructor(values: Iterable<string>) {
    // The longest first: a value may hold another one.
    this.#secrets = [...new Set(values)]
      .filter(value => value !== '')
      .map(value => Buffer.from(value))
      .sort((a, b) => b.length - a.length)
  }

  /** The bytes that may be shown by now. */
  push(bytes: Buffer): Buffer {
    if (this.#secrets.length === 0) return bytes
    const { shown, rest } = this.#mask(Buffer.concat([this.#held, bytes]), false)
    this.#held = rest
    return shown
  }

  /** What was held back. */
  end(): Buffer {
    const { shown } = this.#mask(this.#held, true)
    this.#held = Buffer.alloc(0)
    return shown
  }

  #mask(text: Buffer, isEnd: boolean): { shown: Buffer; rest: Buffer } {
    const parts: Buffer[] = []
    let from = 0
    let end: number
    for (;;) {
      end = isEnd ? text.length : this.#unsure(text, from)
      const next = this.#next(text, from)
      // What begins where a longer one may begin is not yet known.
      if (!next || next.at >= end) break
      parts.push(text.subarray(from, next.at), MASK)
      from = next.at + next.length
    }
    parts.push(text.subarray(from, end))
    return { shown: Buffer.concat(parts), rest: Buffer.from(text.subarray(end)) }
  }

  /** The first secret from here on; of two at one place the longer. */
  #next(text: Buffer, from: number): { at: number; length: number } | undefined {
    let first: { at: number; length: number } | undefined
    for (const secret of this.#secrets) {
      const at = text.indexOf(secret, from)
      if (at >= 0 && (first === undefined || at < first.at)) first = { at, length: secret.length }
    }
    return first
  }

  /** Where the longest end of the text begins that a secret begins with. */
  #unsure(text: Buffer, from: number): number {
    let start = text.length
    for (const secret of this.#secrets) {
      for (let at = Math.max(from, text.length - secret.length + 1); at < start; at++) {
        if (secret.subarray(0, text.length - at).equals(text.subarray(at))) start = at
      }
    }
    return start
  }
}
