/** What was made of texts lately, by the texts themselves: nothing else can change it, so nothing has to invalidate it. */
import { hash } from 'node:crypto'

/** What one answer may take up of the whole. */
const SHARE = 16

const keyOf = (parts: readonly string[]): string => hash('sha256', JSON.stringify(parts), 'base64')

export class TextCache<Answer extends string | object> {
  /** Characters of all answers together. */
  readonly #most: number
  readonly #sizeOf: (answer: Answer) => number
  /** In the order of use: the first is the one not asked for the longest. */
  readonly #entries = new Map<string, { readonly answer: Answer; readonly size: number }>()
  #kept = 0

  /**
   * @param most characters that are kept at a time
   * @param sizeOf the characters of an answer
   */
  constructor(most: number, sizeOf: (answer: Answer) => number) {
    this.#most = most
    this.#sizeOf = sizeOf
  }

  /** The answer about `parts`, which must be all that it depends on; made by `make` unless it is kept. */
  async get(parts: readonly string[], make: () => Promise<Answer>): Promise<Answer> {
    const key = keyOf(parts)
    return this.#known(key) ?? this.#keep(key, await make())
  }

  /** The same for an answer that is made without waiting. */
  getNow(parts: readonly string[], make: () => Answer): Answer {
    const key = keyOf(parts)
    return this.#known(key) ?? this.#keep(key, make())
  }

  #known(key: string): Answer | undefined {
    const known = this.#entries.get(key)
    if (!known) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, known)
    return known.answer
  }

  #keep(key: string, answer: Answer): Answer {
    const size = this.#sizeOf(answer) + key.length
    if (size * SHARE <= this.#most && !this.#entries.has(key)) {
      this.#entries.set(key, { answer, size })
      this.#kept += size
      this.#drop()
    }
    return answer
  }

  #drop(): void {
    for (const [key, { size }] of this.#entries) {
      if (this.#kept <= this.#most) return
      this.#entries.delete(key)
      this.#kept -= size
    }
  }
}
