/**
 * Values that nobody is shown by mistake: the value of a variable, a token, a password, a key. Imports nothing of ours, so that every part
 * may know it.
 */
import { inspect } from 'node:util'

/** What debuggers and assertions print. */
const HIDDEN = '[secret]'

/** A secret was about to be printed. The stack trace says where. */
export class SecretPrinted extends TypeError {
  constructor() {
    super('A secret cannot become text or JSON by itself. Call reveal() in one of the files that test/derived/secrets.test.ts names')
  }
}

/**
 * A text that no template, concatenation, error message, log line or JSON takes up: each attempt throws, so that tests find it.
 * `util.inspect` prints `[secret]`, and a structured clone is an empty object. Only `reveal` gives the text; the test of the same name
 * counts who calls it. To `assert.deepEqual` all secrets are alike: tests compare what `reveal` gives.
 */
export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** The secret of a text; a secret stays itself. */
  static of(value: string | Secret): Secret {
    return value instanceof Secret ? value : new Secret(value)
  }

  /** The text. Whoever calls this answers for where the text goes. */
  reveal(): string {
    return this.#text
  }

  /** Is this the same text as another secret's? */
  equals(other: Secret): boolean {
    return this.#text === other.#text
  }

  toString(): never {
    throw new SecretPrinted()
  }

  toJSON(): never {
    throw new SecretPrinted()
  }

  [Symbol.toPrimitive](): never {
    throw new SecretPrinted()
  }

  [inspect.custom](): string {
    return HIDDEN
  }
}
