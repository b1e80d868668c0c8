/** Masks secret values in a stream of text, wherever its chunks begin and end. */

const MASK = Buffer.from('[MASKED]')

/** Replaces values in the bytes that pass; a possible beginning of a value is held back until it is known. */
export class Masking {
  readonly #secrets: readonly Buffer[]
  #held: Buffer = Buffer.alloc(0)

  /** @param values empty ones are ignored */
  constructor(values: Iterable<string>) {
    // The longest first: a value may contain another one.
    this.#secrets = [...new Set(values)]
      .filter(value => value !== '')
      .map(value => Buffer.from(value))
      .sort((a, b) => b.length - a.length)
  }

  /** The bytes that can be written now. */
  push(bytes: Buffer): Buffer {
    if (this.#secrets.length === 0) return bytes
    const { shown, rest } = this.#mask(Buffer.concat([this.#held, bytes]), false)
    this.#held = rest
    return shown
  }

  /** The bytes that were held back. */
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
      // A match is uncertain where a longer value may begin.
      if (!next || next.at >= end) break
      parts.push(text.subarray(from, next.at), MASK)
      from = next.at + next.length
    }
    parts.push(text.subarray(from, end))
    return { shown: Buffer.concat(parts), rest: Buffer.from(text.subarray(end)) }
  }

  /** The first value from this position; of two at one position the longer. */
  #next(text: Buffer, from: number): { at: number; length: number } | undefined {
    let first: { at: number; length: number } | undefined
    for (const secret of this.#secrets) {
      const at = text.indexOf(secret, from)
      if (at >= 0 && (first === undefined || at < first.at)) first = { at, length: secret.length }
    }
    return first
  }

  /** The start of the longest suffix of the text that is a prefix of a value. */
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
